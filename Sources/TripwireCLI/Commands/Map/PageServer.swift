package import MapPage

/// Serves the page with a map to browsers. The program `tripwire-map` has one; `tripwire` does not link the
/// HTTP library.
package protocol PageServer: Sendable {
  /// The address of the page.
  var url: String { get }
  /// The number of open pages.
  var pageCount: Int { get }
  /// Sends a state of a resource to the pages, in JSON.
  func publish(_ name: String, _ frame: [UInt8])
  /// Notifies the pages that no update follows, and stops. May take some hundred milliseconds.
  func stop()
}

/// The pages of a page server, and its address.
package struct PageServerRequest: Sendable {
  /// A numeric address, or "" for all addresses of this machine.
  package let host: String
  /// 0 for any free port.
  package let port: UInt16
  /// Whether other machines may connect. The address of the page then contains a random key.
  package let allowsRemote: Bool
  package let files: [ServedFile]
  /// The origin of the tiles of a base map; nil without one.
  package let tileOrigin: String?
}

/// Why the page cannot be served.
package struct PageServerError: Error {
  let message: String
  let hint: String

  package init(message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}
