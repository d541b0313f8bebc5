// The context of the samples of README.md and Tripwire.md.

import Tripwire

@MainActor func readme() async throws {
  // sample README
}

@MainActor func followAsInReadme() async throws {
  let fleet = try simulatedFleet()
  // sample README
}

@MainActor func tripwire() async throws {
  // sample Tripwire
}

@MainActor func testServer() async throws {
  // sample Tripwire
  // sample Tripwire
}
