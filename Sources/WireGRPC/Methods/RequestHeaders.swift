package import WireHTTP2

/// The request headers of a call (gRPC PROTOCOL-HTTP2, Requests).
package struct RequestHeaders: Sendable {
  package let authority: String
  package let userAgent: String
  /// The headers that all calls share: before the path, between it and the timeout, and after the timeout.
  private let opening: HeaderList
  private let reserved: HeaderList
  private let rest: HeaderList

  package init(scheme: String, authority: String, userAgent: String) {
    self.authority = authority
    self.userAgent = userAgent
    opening = HeaderList([HeaderField(":method", "POST"), HeaderField(":scheme", scheme)])
    reserved = HeaderList([HeaderField(":authority", authority)])
    rest = HeaderList([
      HeaderField("te", "trailers"),
      HeaderField("content-type", "application/grpc"),
      HeaderField("grpc-accept-encoding", ContentCoding.accepted),
      HeaderField("user-agent", userAgent),
    ])
  }

  /// A reusable header list. The headers that equal those of the previous call, usually most of
  /// them, are not written again. `grpc-timeout` stands right after the reserved headers, as PROTOCOL-HTTP2 asks.
  package struct Buffer {
    package fileprivate(set) var list = HeaderList()
    private var path = ""
    private var milliseconds: Int64?
    /// Whether the next call may have the same path and timeout.
    private var isReusable = false
    private var common = HeaderList.Mark()

    package init() {}

    fileprivate mutating func begin(_ headers: RequestHeaders, path: String, timeout: Duration?) {
      let milliseconds = timeout.flatMap(Timeout.milliseconds)
      let isCommon = timeout == nil || milliseconds != nil
      if isReusable, isCommon, path == self.path, milliseconds == self.milliseconds {
        list.removeAll(after: common)
        return
      }
      list.removeAll()
      list.append(contentsOf: headers.opening)
      list.append(":path", path)
      list.append(contentsOf: headers.reserved)
      if let milliseconds {
        list.append("grpc-timeout", "\(milliseconds)m")
      } else if let timeout {
        list.append("grpc-timeout", Timeout.encode(timeout) ?? "1n")
      }
      list.append(contentsOf: headers.rest)
      self.path = path
      self.milliseconds = milliseconds
      isReusable = isCommon
      common = list.end
    }
  }

  /// Writes the headers of one call to the buffer.
  ///
  /// - Parameters:
  ///   - timeout: the time left; nil for no deadline. Times above one second are written in
  ///     milliseconds, so that calls sent together have equal headers, which HPACK encodes in one
  ///     byte.
  ///   - compression: the compression of the request messages.
  ///   - previousAttempts: the number of retries by the policy (gRFC A6).
  package func write(
    path: String, timeout: Duration?, compression: Compression = .identity,
    previousAttempts: Int = 0, metadata: PreparedMetadata, to buffer: inout Buffer
  ) {
    buffer.begin(self, path: path, timeout: timeout)
    if let coding = compression.name { buffer.list.append("grpc-encoding", coding) }
    if previousAttempts > 0 {
      buffer.list.append("grpc-previous-rpc-attempts", String(previousAttempts))
    }
    buffer.list.append(contentsOf: metadata.fields)
  }
}
