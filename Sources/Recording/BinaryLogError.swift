/// Why a binary log could not be read, and where.
package struct BinaryLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The log as the user named it.
  package var path: String
  /// The entry at fault, counted from 1; nil when the file itself is.
  package var entry: Int?
  /// Where that entry's length prefix begins, in bytes from the start of the file.
  package var offset: Int?
  /// What is wrong, and what to do about it.
  package var reason: String

  package var description: String {
    guard let entry, let offset else { return "\(path): \(reason)" }
    return "\(path): entry \(entry) at byte \(offset): \(reason)"
  }
}
