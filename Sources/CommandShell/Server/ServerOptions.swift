package import CommandLine
import WireGRPC

/// The options common to all commands that call a server.
package struct ServerOptions: Sendable {
  /// The name of the selected profile; nil for the current one.
  package var profile: String?
  package var connection = ConnectionOptions()
  package var tls = TLSOptions()
  package var token = TokenOptions()
  package var request = RequestOptions()
  package var record = RecordOptions()
  package var output = OutputOptions()
  /// The sources of the options of the command.
  package var sources: [String: ValueSource] = [:]

  package init() {}

  var endpointSource: EndpointSource {
    if connection.replay != nil { return .replay }
    switch sources["endpoint"] {
    case nil: return .standard
    case .option: return connection.endpointIsOperand ? .operand : .option
    case .variable: return .variable
    case .profile(let name): return .profile(name)
    }
  }

  /// An error if headers contradict the options of the token.
  package var contradiction: UsageError? {
    tokenInTwoOptions ?? request.contradiction(with: token)
  }

  /// An error if both --header and an option for tokens provide a token.
  private var tokenInTwoOptions: UsageError? {
    guard request.headers["authorization"] != nil,
      let option = TokenOptions.sources.first(where: { sources[$0] == .option })
    else { return nil }
    return UsageError(
      message: "--header authorization cannot be used with --\(option): both set the token",
      options: ["header", option],
      hint: "remove the header authorization, or remove --\(option)")
  }

  /// The use of standard input, "token is" or "headers are"; nil if it is not read.
  package var standardInput: String? {
    token.source?.isStandardInput == true
      ? "token is" : request.readsStandardInput ? "headers are" : nil
  }

  /// Whether no options but --endpoint and --plaintext are needed to connect.
  package var isServerOnly: Bool {
    connection.isServerOnly && token.source == nil && request.headers.isEmpty
      && !TLSOptions.all.contains { $0.long != "plaintext" && sources[$0.long] != nil }
  }

  package static let all: [Option<ServerOptions>] =
    TokenOptions.all.map { $0.excludedByFrom.inside(\.token) }
    + RequestOptions.all.map { $0.excludedByFrom.inside(\.request) }
    + OutputOptions.all.map { $0.inside(\.output) }
    + ProfileOption.all.map { $0.inside(\.profile) }
    + ConnectionOptions.all.map { $0.excludedByFrom.inside(\.connection) }
    + TLSOptions.all.map { $0.excluding(["replay"]).excludedByFrom.inside(\.tls) }
    + RecordOptions.all.map { $0.excludedByFrom.inside(\.record) }
}
