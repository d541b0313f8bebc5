/// A file that a server sends.
package struct ServedFile: Sendable {
  /// Relative to the address of the page: `page.js`; empty for the page itself.
  package let path: String
  /// `text/html; charset=utf-8`
  package let contentType: String
  package let bytes: [UInt8]

  package init(path: String, contentType: String, bytes: [UInt8]) {
    self.path = path
    self.contentType = contentType
    self.bytes = bytes
  }
}

/// A file whose bytes are made for each request.
package struct ComputedFile: Sendable {
  let path: String
  let contentType: String
  /// Called on the server's thread; it must return soon.
  let bytes: @Sendable () -> [UInt8]

  package init(path: String, contentType: String, bytes: @escaping @Sendable () -> [UInt8]) {
    self.path = path
    self.contentType = contentType
    self.bytes = bytes
  }
}
