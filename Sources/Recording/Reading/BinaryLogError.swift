package import WireSystem

/// An error in a binary log, with its position.
package struct BinaryLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path as the user gave it.
  package var path: String
  /// The number of the invalid entry, from 1; nil if the error is in the file itself.
  package var entry: Int?
  /// The offset of that entry's length prefix, in bytes from the start of the file.
  var offset: Int?
  /// The reason; for a file of another format, the evidence for that format.
  package var reason: String
  /// The failure to read the file, if advice to the user depends on it.
  package var fileError: FileReadError?
  /// Whether the file is not a gRPC binary log.
  package var isOtherFile = false
  /// Whether the file looks like JSON.
  package var isJSON = false
  /// Whether reading ended because nobody reads the output any more.
  package var isOfOutput = false
  /// One action for the user; nil if none is known.
  package var hint: String?

  package var description: String {
    if isOtherFile { return "\(path): not a gRPC binary log: \(reason)" }
    return "\(path): \(place)"
  }

  /// Returns the text of a warning about a damaged entry.
  ///
  /// - Parameter consequence: the skipped part.
  func warning(_ consequence: String) -> String {
    guard let entry, let offset else { return "\(self): \(consequence)" }
    return "\(path): entry \(entry) at byte \(offset) is damaged (\(reason)): \(consequence)"
  }

  /// The position in the file and the reason.
  var place: String {
    guard let entry, let offset else { return reason }
    return "entry \(entry) at byte \(offset): \(reason)"
  }

  /// The same error for a file that is not a gRPC binary log, because no entry was found before.
  var ofOtherFile: BinaryLogError {
    var error = self
    error.isOtherFile = true
    return error
  }
}
