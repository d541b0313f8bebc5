/// The outcome of one check of a token.
struct TokenCheck: Equatable, Sendable {
  enum Outcome: String, Sendable {
    case ok
    /// Fleet Engine accepts the token, but the user should look at it.
    case warning
    /// Fleet Engine rejects the token, or it does not match an option.
    case failed
    /// Unknown, because something that the check needs was not given.
    case unchecked
  }

  /// The header or claim.
  let name: String
  let outcome: Outcome
  let message: String
  /// One action for the user.
  var cure: String? = nil
  /// The ID of an option for which the token must be valid. Then the message is a sentence by itself.
  var id: String?

  /// "exp has passed: …".
  var text: String { id == nil ? "\(name) \(message)" : message }

  static func ok(_ name: String, _ message: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .ok, message: message)
  }

  static func warning(_ name: String, _ message: String, _ cure: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .warning, message: message, cure: cure)
  }

  static func failed(_ name: String, _ message: String, _ cure: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .failed, message: message, cure: cure)
  }
}
