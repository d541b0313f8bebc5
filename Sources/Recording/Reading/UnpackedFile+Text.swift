import WireProtobuf
import WireSystem

/// Returns the content of a file that is not a binary log, decompressed if it is a gzip file.
///
/// - Parameters:
///   - path: `-` for standard input.
///   - limit: the maximum size of the content in bytes.
/// - Throws: ``BinaryLogError`` if the file cannot be read or is larger.
package func unpackedContent(of path: String, limit: Int) throws(BinaryLogError) -> [UInt8] {
  let file = try mapError(path == "-" ? LocalFile() : LocalFile(path)) { (error: IOError) in
    BinaryLogError(path: path, reason: error.code.description)
  }
  let unpacked = UnpackedFile(BinaryLogSource(path: path, file))
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
