/// Why a recording can not be served, and what to do about it.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
