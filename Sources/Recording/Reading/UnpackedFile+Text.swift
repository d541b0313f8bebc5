import WireSystem

/// Whether a file begins as JSON does, after decompression if it is a gzip file.
///
/// - Throws: ``BinaryLogError`` if the file cannot be read.
package func beginsAsJSON(_ path: String) throws(BinaryLogError) -> Bool {
  FileKind(try UnpackedFile(BinaryLogSource(opening: path)).next())?.isJSON ?? false
}

/// Returns the content of a file that is not a binary log, decompressed if it is a gzip file.
///
/// - Parameters:
///   - path: `-` for standard input.
///   - limit: the maximum size of the content in bytes.
/// - Throws: ``BinaryLogError`` if the file cannot be read or is larger.
package func unpackedContent(of path: String, limit: Int) throws(BinaryLogError) -> [UInt8] {
  let unpacked = UnpackedFile(
    path == "-" ? BinaryLogSource(path: path, LocalFile()) : try BinaryLogSource(opening: path))
  var content: [UInt8] = []
  while case let bytes = try unpacked.next(), !bytes.isEmpty {
    content += bytes
    guard content.count <= limit else {
      throw BinaryLogError(
        path: path, reason: "longer than \(limit >> 20) MiB", fileError: .tooLarge(limit: limit))
    }
  }
  if let damage = unpacked.damage {
    throw BinaryLogError(path: path, reason: damage, hint: "copy the file again")
  }
  return content
}
