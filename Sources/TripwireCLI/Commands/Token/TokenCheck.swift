/// One thing that Fleet Engine, or whoever answers for a token, looks at.
struct TokenCheck: Equatable, Sendable {
  enum Outcome: String, Sendable {
    case ok
    /// It will be taken, but there is something to see to.
    case warning
    /// It will be refused.
    case failed
    /// Nobody knows: what that takes was not given.
    case unchecked
  }

  /// The header or claim that it is about.
  let name: String
  let outcome: Outcome
  let message: String
  /// What to do about it.
  var cure: String? = nil

  static func ok(_ name: String, _ message: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .ok, message: message)
  }

  static func warning(_ name: String, _ message: String, _ cure: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .warning, message: message, cure: cure)
  }

  static func failed(_ name: String, _ message: String, _ cure: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .failed, message: message, cure: cure)
  }

  static func unchecked(_ name: String, _ message: String, _ cure: String) -> TokenCheck {
    TokenCheck(name: name, outcome: .unchecked, message: message, cure: cure)
  }
}
