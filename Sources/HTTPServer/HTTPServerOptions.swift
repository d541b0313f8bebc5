import WireSystem

/// The pages of an HTTP server, and the clients that it accepts.
package struct HTTPServerOptions: Sendable {
  /// A numeric address of this machine, such as `127.0.0.1`, `::1` or `0.0.0.0`. An address that
  /// is not a loopback address needs a key, unless `requiresKey` is false.
  package var host = "127.0.0.1"
  /// 0 lets the system choose.
  package var port: UInt16 = 0
  /// The first segment of every path: letters, digits, `-` and `_`. All other paths are "not
  /// found".
  var key: String?
  var files: [ServedFile]
  /// Files whose bytes are made for each request.
  package var computedFiles: [ComputedFile] = []
  /// Whether an address that is not a loopback address needs a key.
  var requiresKey = true
  /// The origins of images that the page may load, such as `https://tile.example` or
  /// `https://*.tile.example`.
  package var imageSources: [String] = []
  /// Further names for the `Host` header, such as `map.example` or `map.example:8080`. A name
  /// without a port means the server's port.
  var hostNames: [String] = []
  package var limits = HTTPServerLimits()
  /// Called with the number of connected pages whenever it changes, on the server's thread. It must
  /// return soon.
  var onPagesChange: (@Sendable (_ connected: Int) -> Void)?
  /// Without it, POST requests are refused.
  package var handler: RequestHandler?

  package init(files: [ServedFile]) {
    self.files = files
  }

  /// Serves an API without a page.
  package init(api handler: RequestHandler) {
    files = []
    self.handler = handler
    requiresKey = false
    limits.pages = 0
  }

  /// Lets other machines connect: sets a random key, and allows the name of this machine.
  ///
  /// - Parameter withKey: whether to set a key. Without one, every client gets the files.
  package mutating func allowOtherMachines(withKey: Bool = true) {
    key = withKey ? randomDigits(32) : nil
    requiresKey = withKey
    hostNames = hostName.map { [$0] } ?? []
  }
}

/// The limits on the resources that clients use.
package struct HTTPServerLimits: Sendable {
  /// The number of open pages. The limit of open files may allow fewer.
  package var pages = 4096
  /// The number of connections that are no pages: idle, sending a request, or receiving a file.
  var otherConnections = 256
  /// The bytes of a request line and its headers. Cookies of other servers on localhost count.
  var headerBytes = 16 << 10
  /// The bytes of all requests and responses of a handler in memory. More requests are refused.
  var handlerBytes = 64 << 20
  /// Requests and responses of a handler up to this size are not refused for want of memory.
  var smallBytes: Int { 2 * headerBytes }
  /// The time from the start of a connection, or from the last response, to the next complete
  /// request.
  var requestTimeout = Duration.seconds(20)
  /// The same while there are as many connections as allowed.
  var crowdedRequestTimeout = Duration.seconds(2)
  /// A connection whose peer reads nothing for so long is closed.
  var writeTimeout = Duration.seconds(60)
  /// The time after which a quiet page gets a comment, so that a dead one is noticed.
  var keepalive = Duration.seconds(15)
  /// How often the times above are checked.
  var checkInterval = Duration.seconds(1)

  init() {}
}
