import Recording
import WireGRPC
import WireGRPCServer
package import WireIO
import WireSystem

/// A gRPC server that answers from a recording or a script.
///
///     let server = try ReplayServer(ReplaySource(paths: ["demo.binlog"]))
///     let address = try await server.start()
///     …
///     await server.stop()
///
/// A request matches a recorded one of the same method if all fields except header and version stamps are
/// equal. For a method that is not Fleet Engine's, all bytes must be equal. Other requests get NOT_FOUND
/// with the differences. A server that was started must be stopped: it has a thread and sockets.
package final class ReplayServer: Sendable {
  /// Warnings about calls of the source that cannot be replayed.
  package let warnings: [String]

  package var callCount: Int { index.count }
  package var methodCount: Int { index.methodCount }

  private let index: ResponseIndex
  private let server: StandaloneServer

  /// - Throws: ``ReplayError`` if the address is invalid, or nothing can be replayed.
  package init(
    _ source: ReplaySource, _ configuration: ReplayConfiguration = .init()
  ) throws(ReplayError) {
    var configuration = configuration
    switch source {
    case .recording(let recording):
      index = ResponseIndex(
        recording.calls, speed: configuration.speed, loops: configuration.loops)
    case .script(let script):
      index = ResponseIndex(script, loops: configuration.loops)
      // The delays of a script are always kept.
      configuration.speed = configuration.speed ?? 1
    }
    warnings = index.omissions
    guard index.count > 0 else {
      let isScript = if case .script = source { true } else { false }
      let hint =
        if isScript {
          "add a call to the script"
        } else if index.hasTruncatedCalls {
          "record without m:BYTES in --record-filter"
        } else {
          "pass a recording with \(warnings.isEmpty ? "" : "complete ")calls, such as one made with"
            + " --record"
        }
      throw ReplayError(
        "nothing to replay: "
          + (warnings.first ?? "the \(isScript ? "script" : "recording") contains no calls"),
        hint: hint)
    }
    let (index, served) = (index, configuration)
    do throws(ListenError) {
      server = try StandaloneServer("replay", listen: served.listen, served.server) {
        ReplayService(index, served)
      }
    } catch {
      throw ReplayError(error)
    }
  }

  /// Starts to listen and returns the address. A server that was stopped may start again.
  ///
  /// - Throws: ``ReplayError`` if the address is in use or not an address of this machine, or the
  ///   server is running.
  package func start() async throws(ReplayError) -> SocketAddress {
    do throws(ListenError) {
      return try await server.start()
    } catch {
      throw ReplayError(error)
    }
  }

  /// Stops listening, gives open calls up to five seconds to end, and closes all sockets and the
  /// thread. A second call does nothing.
  package func stop() async { await server.stop() }
}
