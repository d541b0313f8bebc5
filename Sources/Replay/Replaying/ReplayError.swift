/// Why a recording cannot be served.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// What to do about it, if the description does not say so.
  package var hint: String?

  init(_ description: String, hint: String? = nil) {
    self.description = description
    self.hint = hint
  }
}
