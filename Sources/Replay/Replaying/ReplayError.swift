/// Why a recording can not be served, and what to do about it.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// What to do about it, where the description does not say.
  package var hint: String?

  init(_ description: String, hint: String? = nil) {
    self.description = description
    self.hint = hint
  }
}
