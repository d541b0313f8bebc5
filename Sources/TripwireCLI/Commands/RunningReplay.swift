import Recording
import Replay

/// A server in this process that answers from a recording.
struct RunningReplay: Sendable {
  private let server: ReplayServer
  /// "127.0.0.1:41234", where it listens without TLS.
  let address: String

  /// - Parameters:
  ///   - path: a gRPC binary log.
  ///   - listen: "127.0.0.1:0" for any free port.
  init(of path: String, at listen: String, _ console: Console) async throws(ErrorReport) {
    do {
      server = try ReplayServer(recording: RecordedCalls(path: path), listen: listen)
      for warning in server.warnings { console.error("warning: \(escaped(warning))\n") }
      address = "\(try await server.start())"
    } catch {
      throw ErrorReport(local: escaped("\(error)"))
    }
  }

  func stop() async { await server.stop() }
}
