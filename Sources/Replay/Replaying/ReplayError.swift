/// The reason why a recording cannot be served.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// One action for the user, if the description has none.
  package var hint: String?

  init(_ description: String, hint: String? = nil) {
    self.description = description
    self.hint = hint
  }
}
