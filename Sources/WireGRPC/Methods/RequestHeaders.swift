package import WireHTTP2

/// The header list that opens a call (PROTOCOL-HTTP2, Requests).
package struct RequestHeaders: Sendable {
  package let authority: String
  package let userAgent: String
  /// What is the same for every call, before and after the path.
  private let opening: HeaderList
  private let rest: HeaderList

  package init(scheme: String, authority: String, userAgent: String) {
    self.authority = authority
    self.userAgent = userAgent
    opening = HeaderList([HeaderField(":method", "POST"), HeaderField(":scheme", scheme)])
    rest = HeaderList([
      HeaderField(":authority", authority), HeaderField("te", "trailers"),
      HeaderField("content-type", "application/grpc"),
      HeaderField("grpc-accept-encoding", ContentCoding.accepted),
      HeaderField("user-agent", userAgent),
    ])
  }

  /// A list to be written again and again: where a call has what the one before it had, as it mostly
  /// has, that stays as it is.
  package struct Draft {
    package fileprivate(set) var list = HeaderList()
    private var path = ""
    private var milliseconds: Int64?
    private var common = HeaderList.Mark()

    package init() {}

    fileprivate mutating func begin(
      _ headers: RequestHeaders, path: String, milliseconds: Int64?
    ) {
      if !list.isEmpty, path == self.path, milliseconds == self.milliseconds {
        list.removeAll(after: common)
        return
      }
      list.removeAll()
      list.append(contentsOf: headers.opening)
      list.append(":path", path)
      list.append(contentsOf: headers.rest)
      if let milliseconds { list.append("grpc-timeout", "\(milliseconds)m") }
      self.path = path
      self.milliseconds = milliseconds
      common = list.end
    }
  }

  /// Makes the draft the list of one call.
  ///
  /// - Parameters:
  ///   - timeout: what is left of the call's time; nil for no deadline. What is longer than a second is
  ///     said in milliseconds, so that equal calls that go out at once have equal headers, which HPACK
  ///     then sends as one byte.
  ///   - compression: of the messages that follow.
  ///   - previousAttempts: how often the call was retried by its policy (gRFC A6).
  package func write(
    path: String, timeout: Duration?, compression: Compression = .identity,
    previousAttempts: Int = 0, metadata: Metadata, to draft: inout Draft
  ) {
    let milliseconds = timeout.flatMap(Timeout.milliseconds)
    draft.begin(self, path: path, milliseconds: milliseconds)
    if let timeout, milliseconds == nil {
      draft.list.append("grpc-timeout", Timeout.encode(timeout) ?? "1n")
    }
    if let coding = compression.name { draft.list.append("grpc-encoding", coding) }
    if previousAttempts > 0 {
      draft.list.append("grpc-previous-rpc-attempts", String(previousAttempts))
    }
    if !metadata.isEmpty { draft.list.append(contentsOf: metadata.headerFields()) }
  }
}
