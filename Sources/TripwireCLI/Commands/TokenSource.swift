import Tripwire
import WireIO

/// Where the command was told to take its token from. Never from its arguments: other users of
/// the machine can read those.
enum TokenSource: Equatable, Sendable {
  /// `-` is standard input.
  case file(String)
  /// What TRIPWIRE_TOKEN holds: the token, or the file it is in.
  case variable(String)

  var isStandardInput: Bool { self == .file("-") || self == .variable("-") }

  /// Reads it, before anything is dialled.
  func token() throws(ErrorReport) -> FixedToken {
    do throws(TokenError) {
      return try FixedToken(text())
    } catch {
      throw ErrorReport(local: describe(error), hint: hint)
    }
  }

  private func text() throws(TokenError) -> String {
    switch self {
    case .file(let path): try FileToken.token(in: path)
    case .variable(let value): Self.isFile(value) ? try FileToken.token(in: value) : value
    }
  }

  /// Tokens have no slash in them (JWTs are base64url).
  private static func isFile(_ value: String) -> Bool {
    value == "-" || value.utf8.contains(UInt8(ascii: "/")) || LocalFile.exists(value)
  }

  /// Without the variable's value: it might be a secret after all.
  private func describe(_ error: TokenError) -> String {
    switch (self, error) {
    case (.variable, .unreadable(_, let reason)):
      "cannot read the token from the file that TRIPWIRE_TOKEN names: \(reason)"
    default: escaped(error.description)
    }
  }

  private var hint: String {
    switch self {
    case .file: "check --token-file"
    case .variable: "check TRIPWIRE_TOKEN, or use --token-file"
    }
  }
}
