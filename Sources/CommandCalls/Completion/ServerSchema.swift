import CommandLine
import CommandShell
import Tripwire
import WireSystem

/// Asks the server of a command line that is being typed for its types.
struct ServerSchema: Sendable {
  /// The longest wait for the server after the tab key.
  private static let limit = Duration.seconds(2)

  let console: Console

  /// Returns the types; nil if the words name no server, or the server does not return them in time.
  ///
  /// - Parameter typed: the words after the command.
  func schema(for typed: [String]) async -> Schema? {
    var (line, options) = CallCommandOptions.parsed(
      typed, takesServer: true, environment: console.environment)
    guard
      (try? line.apply(
        profile: options.server.profile, CallCommandOptions.all, into: &options, on: console))
        != nil
    else { return nil }
    var server = options.server
    server.sources = line.sources
    // Fleet Engine has no reflection.
    guard let endpoint = server.connection.endpoint, endpoint != FleetServices.defaultEndpoint,
      server.connection.replay == nil, server.contradiction == nil, server.token.isOnlyFile
    else { return nil }
    server.request.timeout = min(server.request.timeout ?? Self.limit, Self.limit)
    // Nothing else than the candidates may be written.
    server.record = RecordOptions()
    server.output = OutputOptions()
    server.tls.keyLogFile = nil
    guard await server.cleartextTokenError() == nil else { return nil }
    var console = console
    console.error = { _ in }
    return try? await server.withServer(console, on: console.loop) {
      [server] (target) async throws(ErrorReport) -> Schema in
      try await SchemaSource(
        nil, server, target, try target.channel(), isForCall: false, warn: { _ in }
      ).everything()
    }
  }
}

extension TokenOptions {
  /// Whether the token comes from a file or a variable: neither a program nor a pipe must run or wait
  /// because of the tab key.
  fileprivate var isOnlyFile: Bool {
    switch source {
    case .command: false
    case .file(let path), .credentials(let path): ProgramFile.isRegular(path)
    case .variable(let value):
      value != "-" && (!LocalFile.exists(value) || ProgramFile.isRegular(value))
    case nil: applicationCredentials.map(ProgramFile.isRegular) ?? true
    }
  }
}
