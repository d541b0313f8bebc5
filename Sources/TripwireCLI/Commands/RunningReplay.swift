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
  ///   - warn: told what of the recording cannot be used.
  init(
    of path: String, at listen: String, warn: (String) -> Void
  ) async throws(ErrorReport) {
    let recording: RecordedCalls
    do throws(BinaryLogError) {
      recording = try RecordedCalls(path: path)
    } catch {
      throw ErrorReport(local: escaped(error.description))
    }
    for warning in recording.warnings { warn(warning) }
    do throws(ReplayError) {
      server = try ReplayServer(recording: recording, listen: listen)
      for warning in server.warnings { warn("\(path): \(warning)") }
      address = "\(try await server.start())"
    } catch {
      throw ErrorReport(local: escaped("\(path): \(error)"))
    }
  }

  func stop() async { await server.stop() }
}
