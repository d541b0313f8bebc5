/// Compresses outgoing messages with gzip (RFC 1952).
package enum Deflater {
  /// Shorter input never shrinks: the gzip header and trailer alone take 18 bytes.
  private static let shortest = 24

  /// Returns the compressed bytes, or nil if they are not shorter.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= shortest, bytes.count <= UInt32.max else { return nil }
    let stream = GzipStream()
    stream.write(bytes)
    guard let output = stream.finish(), output.count < bytes.count else { return nil }
    return output
  }
}
