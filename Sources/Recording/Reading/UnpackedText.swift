import WireSystem

/// Whether a file begins as JSON does, after decompression if it is a gzip file.
///
/// - Throws: ``BinaryLogError`` if the file cannot be read.
package func beginsAsJSON(_ path: String) throws(BinaryLogError) -> Bool {
  FileKind(try UnpackedFile(BinaryLogSource(opening: path)).next())?.isJSON ?? false
}

/// Reads a file that is not a binary log, decompressed if it is a gzip file.
package final class UnpackedText {
  private let path: String
  private let limit: Int
  private let file: UnpackedFile
  private let fileSize: Int?
  /// How many bytes were read.
  package private(set) var count = 0

  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - limit: the maximum size of the content in bytes.
  /// - Throws: ``BinaryLogError`` if the file cannot be opened.
  package init(of path: String, limit: Int) throws(BinaryLogError) {
    let source =
      path == "-" ? BinaryLogSource(path: path, LocalFile()) : try BinaryLogSource(opening: path)
    self.path = path
    self.limit = limit
    file = UnpackedFile(source)
    fileSize = source.file.size
  }

  /// Whether the file is compressed; false until the first read.
  package var isPacked: Bool { file.isPacked }

  /// The size of the content in bytes; nil if it is not known after the first read.
  package var size: Int? { isPacked ? nil : fileSize }

  /// The place where the compressed data is damaged, and how. The content ends there.
  package var damage: String? { file.damage }

  /// Returns the next bytes; empty at the end.
  ///
  /// - Throws: ``BinaryLogError`` if the file cannot be read or is larger.
  package func next() throws(BinaryLogError) -> [UInt8] {
    let bytes = try file.next()
    count += bytes.count
    guard count <= limit else {
      throw BinaryLogError(
        path: path, reason: "longer than \(limit >> 20) MiB", fileError: .tooLarge(limit: limit))
    }
    return bytes
  }
}
