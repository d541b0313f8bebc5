/// Answers the requests that are not for files or updates.
package struct RequestHandler: Sendable {
  enum Scope: Sendable, Equatable {
    /// POST requests with JSON for this path, from the page itself.
    case ownPage(path: String)
    /// All requests, from any site and with any host name; the server has no files and no updates.
    case everything
  }

  let scope: Scope
  /// The greatest size of a body in bytes.
  var bodyLimit: Int
  /// The names of the headers that it reads, in lowercase.
  let headers: [String]
  /// The response to a request that the server refuses; nil for a line of text.
  let refuse: (@Sendable (Refusal) -> HTTPResponse)?
  /// Called on the server's thread; it must return soon.
  let respond: @Sendable (HTTPRequest) -> HTTPResponse

  package enum Refusal: Sendable {
    /// The body is larger than the limit.
    case tooLarge
    /// The requests and responses in memory are too large.
    case busy
  }

  /// Receives taps: the bodies of POST requests for `tap` that come from the page itself.
  package static func taps(
    _ receive: @escaping @Sendable (_ json: [UInt8]) -> Void
  ) -> RequestHandler {
    RequestHandler(scope: .ownPage(path: "tap"), bodyLimit: 4 << 10, headers: [], refuse: nil) {
      receive($0.body)
      return HTTPResponse(204)
    }
  }

  /// Serves an API that pages of all sites may call.
  ///
  /// - Parameters:
  ///   - bodyLimit: the greatest size of a body in bytes.
  ///   - headers: the names of the headers that it reads, in lowercase.
  ///   - refuse: returns the response to a request that the server refuses.
  ///   - respond: called on the server's thread; it must return soon.
  package static func api(
    bodyLimit: Int, headers: [String],
    refuse: @escaping @Sendable (Refusal) -> HTTPResponse,
    respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) -> RequestHandler {
    RequestHandler(
      scope: .everything, bodyLimit: bodyLimit, headers: headers, refuse: refuse, respond: respond)
  }
}

/// A request for a handler.
package struct HTTPRequest: Sendable {
  /// `GET`
  package let method: String
  /// Percent-encoded, without the query.
  package let path: String
  /// Percent-encoded, without the question mark.
  package let query: String
  /// The values of the handler's headers.
  package let headers: [String: String]
  package let body: [UInt8]
  /// The address of the client, such as `127.0.0.1:51234`.
  package let peer: String
}

/// The response of a handler.
package struct HTTPResponse: Sendable {
  package enum Delivery: Sendable {
    case atOnce
    case after(Duration)
    /// The connection stays open, until the client closes it.
    case never
    /// The connection is closed instead.
    case disconnect
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  package var delivery = Delivery.atOnce

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
