package import WireHTTP2

/// The header list that opens a call, in the order that gRPC asks for (PROTOCOL-HTTP2, Requests).
package struct RequestHeaders: Sendable {
  package var scheme: String
  package var authority: String
  package var userAgent: String

  package init(scheme: String, authority: String, userAgent: String) {
    self.scheme = scheme
    self.authority = authority
    self.userAgent = userAgent
  }

  /// - Parameters:
  ///   - timeout: what is left of the call's time; nil for no deadline.
  ///   - compression: of the messages that follow.
  ///   - previousAttempts: how often the call was retried by its policy (gRFC A6).
  package func fields(
    path: String, timeout: String?, compression: Compression = .identity,
    previousAttempts: Int = 0, metadata: Metadata
  ) -> [HeaderField] {
    var fields: [HeaderField] = []
    fields.reserveCapacity(11 + metadata.count)
    fields.append(HeaderField(":method", "POST"))
    fields.append(HeaderField(":scheme", scheme))
    fields.append(HeaderField(":path", path))
    fields.append(HeaderField(":authority", authority))
    if let timeout { fields.append(HeaderField("grpc-timeout", timeout)) }
    fields.append(HeaderField("te", "trailers"))
    fields.append(HeaderField("content-type", "application/grpc"))
    if let coding = compression.name { fields.append(HeaderField("grpc-encoding", coding)) }
    fields.append(HeaderField("grpc-accept-encoding", ContentCoding.accepted))
    fields.append(HeaderField("user-agent", userAgent))
    if previousAttempts > 0 {
      fields.append(HeaderField("grpc-previous-rpc-attempts", String(previousAttempts)))
    }
    if !metadata.isEmpty { fields += metadata.headerFields() }
    return fields
  }
}
