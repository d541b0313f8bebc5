import CommandShell
import Tripwire
import WireSystem

/// The request of `tripwire doctor`.
struct DoctorRequest: Sendable {
  /// The resource to get; nil for none.
  let name: ResourceName?
  let options: DoctorOptions

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let timeout = options.server.request.timeout ?? DoctorOptions.stepTimeout
    var options = options
    // The token is a step of its own, and each step has the whole timeout.
    let source = options.server.token.source
    let credentials = options.server.token.applicationCredentials
    options.server.token = TokenOptions()
    if source == nil { options.server.token.applicationCredentials = credentials }
    options.server.request.timeout = timeout
    let last = Locked<DoctorOutput?>(nil)
    do throws(ErrorReport) {
      try await options.server.withServer(console, on: console.loop, isOnlyCall: false) {
        [options] (server) async throws(ErrorReport) in
        console.waitLine.show("checking \(server.endpoint)")
        var server = server
        server.configuration.connectTimeout = timeout
        var output = DoctorOutput(
          options.output, endpoint: server.endpoint, options.server.sources, console)
        var steps = DoctorSteps(
          server: server, name: name, source: source, timeout: timeout, console: console)
        try await steps.run { (step) throws(ErrorReport) in
          try output.add(step)
          last.withLock { [output] in $0 = output }
        }
      }
    } catch {
      // The steps up to the signal are known.
      if error.isSilent { _ = try last.withLock { $0 }?.end(error.exitCode) }
      throw error
    }
    return try last.withLock { $0 }?.end() ?? .success
  }
}
