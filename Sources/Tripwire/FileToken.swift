#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The token in a file, read anew for every call: whoever renews it writes the file.
public struct FileToken: AuthTokenProvider {
  public let path: String

  public init(path: String) {
    self.path = path
  }

  public func token(for context: AuthorizationContext) throws(TokenError) -> String {
    try Self.token(in: path)
  }

  /// The token that a file holds now, without the white space around it.
  ///
  /// - Parameter path: a file's, or `-` for standard input.
  /// - Throws: ``TokenError`` when the file cannot be read, or what it holds may not be sent.
  public static func token(in path: String) throws(TokenError) -> String {
    let bytes = try contents(of: path)
    let text = bytes.trimmingWhitespace()
    let token = String(decoding: text, as: UTF8.self)
    try TokenError.check(token)
    return token
  }

  private static func contents(of path: String) throws(TokenError) -> [UInt8] {
    let name = path == "-" ? "standard input" : path
    let file = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unreadable(path: name, reason: String(cString: strerror(errno))) }
    defer { if file != 0 { close(file) } }

    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= TokenError.longest {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadable(path: name, reason: String(cString: strerror(errno)))
      }
      bytes += buffer[..<count]
    }
    throw .tooLong
  }
}

extension [UInt8] {
  /// Without spaces, tabs and line ends at either end.
  fileprivate func trimmingWhitespace() -> ArraySlice<UInt8> {
    let isText = { (byte: UInt8) in ![0x20, 0x09, 0x0a, 0x0d].contains(byte) }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else {
      return []
    }
    return self[first...last]
  }
}
