import CEvent
import MapPage
import WireSystem

extension ServerLoop {
  /// Answers a complete request. evhttp itself answers malformed and too long ones.
  func respond(to request: OpaquePointer) {
    guard let pointer = unsafe evhttp_request_get_connection(request),
      let connection = connections[Int(bitPattern: pointer)]
    else { return unsafe evhttp_send_error(request, 500, nil) }
    connection.waitingSince = nil
    unsafe evhttp_request_set_on_complete_cb(
      request,
      { request, loop in
        guard let pointer = unsafe evhttp_request_get_connection(request) else { return }
        unsafe withLoop(loop) {
          $0.connections[Int(bitPattern: pointer)]?.waitingSince = .now
        }
      }, user)
    let parsed = unsafe Request(request)
    let isHead = parsed.method == .head
    for (name, value) in headers { unsafe addHeader(request, name, value) }
    switch router.route(parsed, files: paths) {
    case .file(let index): unsafe sendFile(index, request, isHead: isHead)
    case .events where isHead: unsafe sendHeaders(request, contentType: eventStream)
    case .events where pageCount >= options.limits.pages: unsafe refuse(.unavailable, request)
    case .events: unsafe open(connection, request)
    case .tap: unsafe receiveTap(request)
    case .refusal(let refusal): unsafe refuse(refusal, request, isHead: isHead)
    }
  }

  private func sendFile(_ index: Int, _ request: OpaquePointer, isHead: Bool) {
    guard index >= files.count else {
      unsafe addHeader(request, "Content-Type", options.files[index].contentType)
      return unsafe reply(request, 200, "OK", files[index], isHead: isHead)
    }
    let file = options.computedFiles[index - files.count]
    unsafe addHeader(request, "Content-Type", file.contentType)
    unsafe reply(request, 200, "OK", SharedBytes(file.bytes()), isHead: isHead)
  }

  private func sendHeaders(_ request: OpaquePointer, contentType: String) {
    unsafe addHeader(request, "Content-Type", contentType)
    unsafe evhttp_send_reply(request, 200, "OK", nil)
  }

  private func receiveTap(_ request: OpaquePointer) {
    let input = unsafe evhttp_request_get_input_buffer(request)
    var body = [UInt8](repeating: 0, count: unsafe evbuffer_get_length(input))
    _ = unsafe evbuffer_copyout(input, &body, body.count)
    unsafe evhttp_send_reply(request, 204, "No Content", nil)
    options.onTap?(body)
  }

  private func refuse(_ refusal: Refusal, _ request: OpaquePointer, isHead: Bool = false) {
    unsafe addHeader(request, "Content-Type", "text/plain; charset=utf-8")
    // The body of an unknown method would be read as a request.
    unsafe addHeader(request, "Connection", "close")
    if refusal == .methodNotAllowed { unsafe addHeader(request, "Allow", "GET, HEAD") }
    let body = SharedBytes(Array((refusal.explanation + "\n").utf8))
    unsafe reply(request, refusal.rawValue, refusal.reason, body, isHead: isHead)
  }

  private func reply(
    _ request: OpaquePointer, _ status: Int32, _ reason: String, _ body: SharedBytes, isHead: Bool
  ) {
    unsafe addHeader(request, "Content-Length", String(body.count))
    let buffer = isHead ? nil : unsafe evbuffer_new()
    if let buffer = unsafe buffer { unsafe body.append(to: buffer) }
    unsafe evhttp_send_reply(request, status, reason, buffer)
    if let buffer = unsafe buffer { unsafe evbuffer_free(buffer) }
  }

  private func addHeader(_ request: OpaquePointer, _ name: String, _ value: String) {
    _ = unsafe evhttp_add_header(evhttp_request_get_output_headers(request), name, value)
  }
}

private let eventStream = "text/event-stream"

// MARK: Pages

extension ServerLoop {
  /// Bytes of an event after which the remaining trips wait for the next one.
  private static let eventLimit = 256 << 10

  /// Starts the stream of updates (HTML Standard §9.2, server-sent events).
  private func open(_ connection: Connection, _ request: OpaquePointer) {
    unsafe addHeader(request, "Content-Type", eventStream)
    unsafe addHeader(request, "Connection", "close")
    // The headers of a browser take more memory than the rest of a quiet page.
    unsafe evhttp_clear_headers(evhttp_request_get_input_headers(request))
    unsafe evhttp_send_reply_start(request, 200, "OK")
    let page = unsafe Page(request, now: .now)
    connection.page = page
    send(to: connection)
    changePageCount(by: 1)
    acceptMore()
  }

  /// Sends what has changed, unless the page still has to read the event before.
  func send(to connection: Connection) {
    guard let page = connection.page, page.state == .idle else { return }
    guard page.version < trips.version || page.version < 0 else {
      if isEnd { finish(page) }
      return
    }
    let now = ContinuousClock.now
    let event = events.event(after: page.version, now: now) {
      trips.event(after: page.version, limit: Self.eventLimit, now: WallTime.exact)
    }
    send(event.bytes, to: page, now: now)
    page.version = event.version
  }

  func sendComment(to page: Page) {
    guard page.state == .idle else { return }
    send(SharedBytes(Array(":\n\n".utf8)), to: page, now: .now)
  }

  private func finish(_ page: Page) {
    // Browsers ignore events without data.
    send(SharedBytes(Array("event: end\ndata: {}\n\n".utf8)), to: page, now: .now)
    page.state = .ended
    unsafe evhttp_send_reply_end(page.request)
  }

  private func send(_ bytes: SharedBytes, to page: Page, now: ContinuousClock.Instant) {
    guard let buffer = unsafe evbuffer_new() else { return }
    unsafe bytes.append(to: buffer)
    page.state = .writing
    page.lastSent = now
    unsafe evhttp_send_reply_chunk_with_cb(
      page.request, buffer,
      { pointer, loop in
        guard let pointer = unsafe pointer else { return }
        unsafe withLoop(loop) { $0.written(Int(bitPattern: pointer)) }
      }, user)
    unsafe evbuffer_free(buffer)
  }

  /// The kernel has taken all that was sent to the page.
  private func written(_ key: Int) {
    guard let connection = connections[key], let page = connection.page, page.state == .writing
    else { return }
    page.state = .idle
    send(to: connection)
  }
}

// MARK: Requests

extension Request {
  /// Reads what evhttp has parsed.
  fileprivate init(_ request: OpaquePointer) {
    method =
      switch unsafe evhttp_request_get_command(request) {
      case EVHTTP_REQ_GET: .get
      case EVHTTP_REQ_HEAD: .head
      case EVHTTP_REQ_POST: .post
      default: .other
      }
    let target = unsafe evhttp_request_get_uri(request).map { unsafe String(cString: $0) } ?? ""
    let uri = unsafe evhttp_request_get_evhttp_uri(request)
    // libevent takes what follows two slashes as a host; in a request it is a path (RFC 9112 §3.2.1).
    if target.hasPrefix("//") {
      path = target
    } else {
      path = unsafe evhttp_uri_get_path(uri).map { unsafe String(cString: $0) } ?? ""
      isAbsolute = unsafe evhttp_uri_get_host(uri) != nil
    }
    let headers = unsafe evhttp_request_get_input_headers(request)
    func header(_ name: String) -> String? {
      unsafe evhttp_find_header(headers, name).map { unsafe String(cString: $0) }
    }
    host = header("Host")
    origin = header("Origin")
    fetchSite = header("Sec-Fetch-Site")
    contentType = header("Content-Type")
    for name in ["Host", "Origin", "Sec-Fetch-Site"] {
      // Removes the first value.
      _ = unsafe evhttp_remove_header(headers, name)
      if header(name) != nil { isAmbiguous = true }
    }
  }
}
