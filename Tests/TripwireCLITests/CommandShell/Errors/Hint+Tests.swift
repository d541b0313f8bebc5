import CommandLine

@testable import CommandShell
@testable import Tripwire
@testable import TripwireGoogleAuth
@testable import WireGRPC

extension Hint {
  /// Returns the hint for a call of the server h:1.
  static func testText(
    for error: CallError, about subject: Subject = .resource("n"), hasToken: Bool = true,
    tokenOption: String? = nil, sentToken: JSONWebToken? = nil,
    principals: TokenPrincipals = TokenPrincipals(), sources: [String: ValueSource] = [:],
    source: EndpointSource = .option
  ) -> String? {
    Hint(
      endpoint: "h:1", subject: subject, hasToken: hasToken, tokenOption: tokenOption,
      sentToken: { sentToken }, principals: { principals }, endpointSource: source,
      sources: sources
    ).text(for: error)
  }
}

extension ErrorReport {
  /// The text without colors.
  var text: String { text(Palette(.never, isTerminal: false) { _ in nil }) }
}

extension CallError {
  static func fromServer(_ code: StatusCode, _ message: String = "") -> CallError {
    CallError(code: code, message: message, origin: .server, attempts: 1)
  }
}
