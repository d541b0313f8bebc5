import WireIO

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
    let bytes: [UInt8]
    do throws(IOError) {
      let file = path == "-" ? LocalFile() : try LocalFile(path)
      bytes = try file.contents(limit: TokenError.longest)
    } catch {
      let name = path == "-" ? "standard input" : path
      throw .unreadable(path: name, reason: error.code.description)
    }
    guard bytes.count <= TokenError.longest else { throw .tooLong }
    return bytes
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
