import WireGRPC

extension TraceEvent: CustomStringConvertible {
  /// The event in the style of `tripwire -vv`, without times and without a final newline: one line,
  /// or one line per header.
  ///
  ///     * connected to 127.0.0.1:443
  ///     [2 GetTrip] > :path: /maps.fleetengine.v1.TripService/GetTrip
  ///     [2 GetTrip] { DATA stream=3 length=12
  ///
  /// `>` and `<` mark sent and received messages and headers, `}` and `{` their HTTP/2 frames, `*`
  /// everything else. The brackets contain the number and the method of the call.
  public var description: String { lines.map { label + $0 }.joined(separator: "\n") }

  /// "[2 GetTrip] "; empty if the event is not about a call.
  package var label: String {
    guard let call else { return "" }
    let method = path?.split(separator: "/").last.map { " " + $0 } ?? ""
    return "[\(call)\(method)] "
  }

  package var lines: [String] {
    switch step {
    case .requestHeaders(let headers): headers.map { "> \($0)" }
    case .requestMessage(let bytes): ["> [\(TraceEvent.size(bytes))]"]
    case .informational(let headers), .responseHeaders(let headers), .trailers(let headers):
      headers.map { "< \($0)" }
    case .responseMessage(let bytes, let decompressed):
      ["< [\(TraceEvent.size(bytes, decompressed: decompressed))]"]
    case .frame(.sent, let text): ["} \(text)"]
    case .frame(.received, let text): ["{ \(text)"]
    default: ["* \(step)"]
    }
  }

  fileprivate static func size(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

  fileprivate static func size(_ bytes: Int, decompressed: Int?) -> String {
    if decompressed == bytes { return size(bytes) }
    return size(bytes) + (decompressed.map { ", \($0) decompressed" } ?? ", compressed")
  }
}

extension TraceEvent.Header: CustomStringConvertible {
  /// "x-user: anna". Redacts again, for events that the channel did not create.
  public var description: String { "\(name): \(MetadataRules.shown(value, of: name))" }
}

extension TraceEvent.Step: CustomStringConvertible {
  /// One line: "connected to 127.0.0.1:443", "response message of 12 bytes".
  public var description: String {
    switch self {
    case .resolving(let host): "resolving \(host)"
    case .resolved(_, let addresses): "resolved to \(addresses.joined(separator: ", "))"
    case .resolveFailed(let host, let reason):
      "cannot resolve \(host): \(reason); using its last addresses"
    case .connecting(let address): "connecting to \(address)"
    case .connected(let address): "connected to \(address)"
    case .connectFailed(let address, let reason): "cannot connect to \(address): \(reason)"
    case .tunneled(let target): "the proxy opened a tunnel to \(target)"
    case .tls(let version, let cipher, let alpn, let peer, let isResumed):
      "\(version), \(cipher)\(alpn.isEmpty ? "" : ", ALPN \(alpn)"), peer \(peer)"
        + (isResumed ? ", resumed" : "")
    case .ready(let address, let calls):
      "HTTP/2 ready at \(address)"
        + " (\(calls >= Int(Int32.max) ? "any number of" : "up to \(calls)") concurrent calls)"
    case .requestHeaders(let headers): "request headers \(headers)"
    case .requestMessage(let bytes): "request message of \(TraceEvent.size(bytes))"
    case .informational(let headers): "informational headers \(headers)"
    case .responseHeaders(let headers): "response headers \(headers)"
    case .responseMessage(let bytes, let decompressed):
      "response message of \(TraceEvent.size(bytes, decompressed: decompressed))"
    case .trailers(let headers): "trailers \(headers)"
    case .frame(.sent, let text): "sent \(text)"
    case .frame(.received, let text): "received \(text)"
    case .goAway(let stream, let code, let data):
      "the server sent GOAWAY: last stream \(stream), error \(code)"
        + (data.isEmpty ? "" : " \"\(data)\"")
    case .keepaliveSlowed(let time):
      "warning: the server received too many keepalive pings; the keepalive interval is now"
        + " \(time)"
    case .transparentRetry(let reason): "transparent retry: \(reason)"
    case .retry(let attempt, let failure):
      "attempt \(attempt) failed: \(failure); retry in \(failure.delay)"
    case .notRetried(let reason): "not retried: \(reason)"
    case .finished(let code): "finished with \(code)"
    case .closed(let reason): "closed: \(reason)"
    }
  }
}
