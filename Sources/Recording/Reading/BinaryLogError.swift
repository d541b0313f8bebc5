/// Why a binary log could not be read, and where.
package struct BinaryLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The log as the user named it.
  package var path: String
  /// The entry at fault, counted from 1; nil when the file itself is.
  package var entry: Int?
  /// Where that entry's length prefix begins, in bytes from the start of the file.
  package var offset: Int?
  /// The reason; for a file of another format, the evidence for that format.
  package var reason: String
  /// Whether the file is something else than a gRPC binary log.
  package var isOtherFile = false
  /// One action for the user; nil if none is known.
  package var hint: String?

  package var description: String {
    if isOtherFile { return "\(path): not a gRPC binary log: \(reason)" }
    guard let entry, let offset else { return "\(path): \(reason)" }
    return "\(path): entry \(entry) at byte \(offset): \(reason)"
  }

  /// The same where no entry was found before: the file is something else.
  var ofOtherFile: BinaryLogError {
    var error = self
    error.isOtherFile = true
    return error
  }
}
