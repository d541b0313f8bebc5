// The context of the samples of Recording.md.

import Recording
import Tripwire

typealias GrpcLogEntry = BinlogGrpcLogEntry

@MainActor func record() async throws {
  // sample Recording
}

func filter() throws {
  // sample Recording
}

func rotate() {
  // sample Recording
}

func recordWithReport() async throws {
  // sample Recording
  // sample Recording
}

// sample Recording
