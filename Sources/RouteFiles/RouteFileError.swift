package import WireProtobuf

/// A file that is no route.
package struct RouteFileError: Error, Equatable {
  /// The place in the file; nil for the whole file.
  package let position: TextPosition?
  package let reason: String
  /// One action for the user.
  package let hint: String

  package init(_ position: TextPosition?, _ reason: String, hint: String) {
    self.position = position
    self.reason = reason
    self.hint = hint
  }
}
