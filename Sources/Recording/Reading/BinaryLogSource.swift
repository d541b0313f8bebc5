package import WireSystem

/// A binary log that is open to be read.
package struct BinaryLogSource: Sendable {
  /// What the user called it.
  package let path: String
  package let file: LocalFile
  /// What was read of it already.
  package let beginning: [UInt8]
  /// Whether to wait at the end for what is yet to be written, as `tail -F` does.
  package var isFollowed = false
  /// When to give up, whether the file has to be waited for or not; nil never does.
  package var deadline: ContinuousClock.Instant?

  package init(path: String, _ file: LocalFile, after beginning: [UInt8] = []) {
    self.path = path
    self.file = file
    self.beginning = beginning
  }
}
