import WireGRPCServer
package import WireSystem

/// The reason why a recording cannot be served.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// One action for the user, if the description has none.
  package var hint: String?
  /// The failure to read a file, if that is the cause.
  package var fileError: FileReadError?

  init(_ description: String, hint: String? = nil, _ fileError: FileReadError? = nil) {
    self.description = description
    self.hint = hint
    self.fileError = fileError
  }

  init(_ error: ListenError) { self.init(error.description, hint: error.hint) }
}
