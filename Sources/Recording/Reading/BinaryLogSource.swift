import WireProtobuf
package import WireSystem

/// A binary log that is open for reading.
package struct BinaryLogSource: Sendable {
  /// The path as the user gave it; ``standardInput`` for `-`.
  package let path: String
  package let file: LocalFile
  /// The bytes that were already read.
  package let beginning: [UInt8]
  /// Whether to wait at the end for more data, as `tail -F` does.
  package var isFollowed = false
  /// The descriptor that the caller writes to. Reading ends when nobody reads that any more.
  package var output: Int32?
  /// When to give up reading, whether it waits or not; nil means never.
  package var deadline: ContinuousClock.Instant?

  /// The path of standard input in errors.
  static let standardInput = "stdin"

  package init(path: String, _ file: LocalFile, after beginning: [UInt8] = []) {
    self.path = path
    self.file = file
    self.beginning = beginning
  }

  /// Opens a file.
  init(opening path: String) throws(BinaryLogError) {
    let file = try mapError(LocalFile(path)) { (error: IOError) in
      BinaryLogError(path: path, reason: error.code.description)
    }
    self.init(path: path, file)
  }
}
