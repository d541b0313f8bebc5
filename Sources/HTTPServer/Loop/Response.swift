import CEvent

/// The response to a request of evhttp, until it is sent.
@safe struct Response {
  private let request: OpaquePointer
  private let isHead: Bool

  /// - Parameter isHead: whether the response has no body.
  init(to request: OpaquePointer, isHead: Bool) {
    unsafe self.request = unsafe request
    self.isHead = isHead
  }

  func add(_ name: String, _ value: String) {
    _ = unsafe evhttp_add_header(evhttp_request_get_output_headers(request), name, value)
  }

  func send(_ body: SharedBytes, contentType: String) {
    add("Content-Type", contentType)
    send(200, "OK", body)
  }

  func sendHeaders(contentType: String) {
    add("Content-Type", contentType)
    unsafe evhttp_send_reply(request, 200, "OK", nil)
  }

  func send(_ response: HTTPResponse) {
    for (name, value) in response.headers { add(name, value) }
    let status = Int32(clamping: response.status)
    // 204 has no content (RFC 9110 §8.6).
    guard status != 204 else { return unsafe evhttp_send_reply(request, 204, "No Content", nil) }
    send(status, nil, SharedBytes(response.body))
  }

  func refuse(_ error: HTTPError) {
    add("Content-Type", "text/plain; charset=utf-8")
    // The body of an unknown method would be read as a request.
    add("Connection", "close")
    if error == .methodNotAllowed { add("Allow", "GET, HEAD") }
    send(error.status, error.reason, SharedBytes(Array((error.explanation + "\n").utf8)))
  }

  private func send(_ status: Int32, _ reason: String?, _ body: SharedBytes) {
    add("Content-Length", String(body.count))
    let buffer = isHead ? nil : unsafe evbuffer_new()
    if let buffer = unsafe buffer { unsafe body.append(to: buffer) }
    unsafe evhttp_send_reply(request, status, reason, buffer)
    if let buffer = unsafe buffer { unsafe evbuffer_free(buffer) }
  }
}
