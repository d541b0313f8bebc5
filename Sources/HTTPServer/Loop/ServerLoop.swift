import CEvent
import WireIO
import WireSystem

/// Everything on the server's thread: libevent's objects, the connections and the frames.
///
/// It is created on another thread and then passed to its own. libevent calls the functions below
/// only inside of `run`, so they may use the loop without a retain.
@safe final class ServerLoop {
  private let options: HTTPServerOptions
  private let router: Router
  private let updates: UpdateQueue
  private let headers: [(name: String, value: String)]
  private let files: [SharedBytes]
  private let paths: [String]
  /// How many connections the limit of open files allows.
  private let maxConnections: Int

  private let socket: Listener
  private let base: OpaquePointer
  private var http: OpaquePointer?
  private var listener: OpaquePointer?
  private var wakeEvent: OpaquePointer?
  private var checkEvent: OpaquePointer?
  private var adoptEvent: OpaquePointer?
  private var dueEvent: OpaquePointer?

  /// By the address of the `evhttp_connection`.
  private var connections: [Int: HTTPConnection] = [:]
  /// The bufferevents of accepted connections that are not in `connections` yet.
  private var accepted: [OpaquePointer]
  private var pageCount = 0
  /// The sum of the connections' sizes.
  private var handlerBytes = 0
  private var frames = FrameTable()
  private var isEnd = false
  private var events = EventCache()

  /// Descriptors that the rest of the process keeps.
  private static let reservedDescriptors = 128

  init(
    _ options: HTTPServerOptions, router: Router, socket: Listener, updates: UpdateQueue
  ) throws(HTTPServerError) {
    self.options = options
    self.router = router
    self.socket = socket
    self.updates = updates
    headers = router.policy.headers
    files = options.files.map { SharedBytes($0.bytes) }
    paths = options.files.map(\.path) + options.computedFiles.map(\.path)
    maxConnections = min(
      options.limits.pages + options.limits.otherConnections,
      max(ResourceLimits.raiseOpenFiles() - Self.reservedDescriptors, 16))
    unsafe accepted = []
    guard let base = unsafe event_base_new() else {
      throw .system(IOError(operation: "create an event loop"))
    }
    unsafe self.base = unsafe base
    try listen()
    unsafe wakeEvent = try unsafe makeEvent(updates.readEnd, EV_READ | EV_PERSIST) { _, _, loop in
      unsafe withLoop(loop) { $0.takeUpdates() }
    }
    unsafe checkEvent = try unsafe makeEvent(-1, EV_PERSIST) { _, _, loop in
      unsafe withLoop(loop) { $0.checkTimes() }
    }
    unsafe adoptEvent = try unsafe makeEvent(-1, 0) { _, _, loop in
      unsafe withLoop(loop) { $0.adoptAccepted() }
    }
    unsafe dueEvent = try unsafe makeEvent(-1, 0) { _, _, loop in
      unsafe withLoop(loop) { $0.sendDue() }
    }
    var interval = timeval(options.limits.checkInterval)
    guard unsafe event_add(wakeEvent, nil) == 0, unsafe event_add(checkEvent, &interval) == 0
    else { throw Self.outOfMemory }
  }

  deinit {
    close()
    unsafe event_base_free(base)
  }

  private func makeEvent(
    _ descriptor: Int32, _ flags: Int32, _ callback: event_callback_fn
  ) throws(HTTPServerError) -> OpaquePointer {
    guard let event = unsafe event_new(base, descriptor, Int16(flags), callback, user) else {
      throw Self.outOfMemory
    }
    return unsafe event
  }

  private static let outOfMemory = HTTPServerError.system(
    IOError(code: .init(rawValue: ENOMEM), operation: "prepare the HTTP server"))

  /// The argument of libevent's callbacks.
  private var user: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Serves until `UpdateQueue.stop`.
  func run() {
    // libevent writes with writev.
    Thread.blockBrokenPipeSignal()
    updates.threadID = Thread.current
    unsafe event_base_dispatch(base)
    close()
  }

  private func close() {
    adoptAccepted()
    // evhttp frees it first, and then the connections, whose callback would use it.
    unsafe listener = nil
    if let http = unsafe http { unsafe evhttp_free(http) }
    if let event = unsafe wakeEvent { unsafe event_free(event) }
    if let event = unsafe checkEvent { unsafe event_free(event) }
    if let event = unsafe adoptEvent { unsafe event_free(event) }
    if let event = unsafe dueEvent { unsafe event_free(event) }
    unsafe (http, wakeEvent, checkEvent, adoptEvent, dueEvent) = (nil, nil, nil, nil, nil)
    socket.close()
  }

  // MARK: Events

  private func takeUpdates() {
    let batch = updates.take()
    if batch.isStop {
      unsafe event_base_loopbreak(base)
      return
    }
    for (name, frame) in batch.frames {
      if let frame { frames.update(name, frame) } else { frames.remove(name) }
    }
    if batch.isEnd { isEnd = true }
    events.removeAll()
    for connection in connections.values { send(to: connection) }
  }

  private func checkTimes() {
    let now = ContinuousClock.now
    let limits = options.limits
    let timeout = isCrowded ? limits.crowdedRequestTimeout : limits.requestTimeout
    // Closing a connection removes it from the dictionary.
    for connection in Array(connections.values) {
      if let since = connection.waitingSince, now - since > timeout {
        unsafe evhttp_connection_free(connection.pointer)
      } else if let page = connection.page, now - page.lastSent > limits.keepalive {
        sendComment(to: page)
      }
    }
    acceptMore()
  }

  // MARK: Connections

  // evhttp accepts connections and reads requests. Its own timeout starts again with each byte, and it
  // limits neither connections nor the bytes that a client sends during a response. These limits are
  // added here.

  private func listen() throws(HTTPServerError) {
    guard
      let listener = unsafe evconnlistener_new(
        base, nil, nil, LEV_OPT_CLOSE_ON_EXEC, 0, socket.fileDescriptor)
    else { throw Self.outOfMemory }
    guard let http = unsafe evhttp_new(base), unsafe evhttp_bind_listener(http, listener) != nil
    else {
      unsafe evconnlistener_free(listener)
      throw Self.outOfMemory
    }
    unsafe (self.http, self.listener) = unsafe (http, listener)
    // The connection still waits after EMFILE, so the loop would spin. `checkTimes` tries again.
    unsafe evconnlistener_set_error_cb(listener) { listener, _ in
      _ = unsafe evconnlistener_disable(listener)
    }
    unsafe evhttp_set_max_headers_size(http, options.limits.headerBytes)
    // A request that is too large for an API is refused with the handler's response, see `received`.
    unsafe evhttp_set_max_body_size(http, isAPI ? .max : options.handler?.bodyLimit ?? 0)
    // Also unknown methods, so that the router refuses them.
    unsafe evhttp_set_allowed_methods(http, .max)
    unsafe evhttp_set_bevcb(
      http,
      { _, loop in
        var bufferevent: OpaquePointer?
        unsafe withLoop(loop) { unsafe bufferevent = unsafe $0.makeBufferevent() }
        return unsafe bufferevent
      }, user)
    unsafe evhttp_set_gencb(
      http,
      { request, loop in
        guard let request = unsafe request else { return }
        unsafe withLoop(loop) { unsafe $0.respond(to: request) }
      }, user)
  }

  /// Whether no further connection is accepted.
  private var isCrowded: Bool {
    let count = unsafe connections.count + accepted.count
    return count >= maxConnections || count - pageCount >= options.limits.otherConnections
  }

  private func acceptMore() {
    guard let listener = unsafe listener, !isCrowded else { return }
    _ = unsafe evconnlistener_enable(listener)
  }

  /// Makes the bufferevent of a connection that evhttp is about to create.
  private func makeBufferevent() -> OpaquePointer? {
    guard let bufferevent = unsafe bufferevent_socket_new(base, -1, 0) else { return nil }
    unsafe bufferevent_setwatermark(bufferevent, Int16(EV_READ), 0, requestWatermark)
    var timeout = timeval(options.limits.writeTimeout)
    _ = unsafe bufferevent_set_timeouts(bufferevent, nil, &timeout)
    // Until it is adopted, evhttp may free it.
    unsafe bufferevent_incref(bufferevent)
    unsafe accepted.append(bufferevent)
    if unsafe accepted.count == 1 { unsafe event_active(adoptEvent, EV_TIMEOUT, 0) }
    if isCrowded { _ = unsafe evconnlistener_disable(listener) }
    return unsafe bufferevent
  }

  /// Finds the evhttp connections of new bufferevents.
  ///
  /// evhttp has no function for it before the first request, but the connection is the argument of
  /// the bufferevent's callbacks. It is nil if evhttp has freed the bufferevent.
  private func adoptAccepted() {
    let now = ContinuousClock.now
    while let bufferevent = unsafe accepted.popLast() {
      var argument: UnsafeMutableRawPointer?
      unsafe bufferevent_getcb(bufferevent, nil, nil, nil, &argument)
      if let argument = unsafe argument {
        let pointer = OpaquePointer(argument)
        let connection = unsafe HTTPConnection(pointer, waitingSince: now, loop: self)
        if isAPI { connection.startCounting() }
        connections[Int(bitPattern: pointer)] = connection
        unsafe evhttp_connection_set_closecb(
          pointer,
          { pointer, loop in
            unsafe withLoop(loop) { $0.closed(Int(bitPattern: pointer)) }
          }, user)
        unsafe setOptions(ofSocket: bufferevent_getfd(bufferevent))
      }
      _ = unsafe bufferevent_decref(bufferevent)
    }
  }

  /// libevent is about to free the connection. Called once for each.
  private func closed(_ key: Int) {
    guard let connection = connections.removeValue(forKey: key) else { return }
    handlerBytes -= connection.size
    if isAPI { connection.stopCounting() }
    connection.lateResponse?.free()
    if let page = connection.page {
      // evhttp frees the unfinished request if we close the connection, but not if the connection failed.
      if page.state != .ended, unsafe evhttp_request_get_connection(page.request) == nil {
        unsafe evhttp_request_free(page.request)
      }
      changePageCount(by: -1)
    }
    acceptMore()
  }

  private func changePageCount(by change: Int) {
    pageCount += change
    updates.connectedPages = pageCount
    options.onPagesChange?(pageCount)
  }

  // MARK: Requests

  /// Answers a complete request. evhttp itself answers malformed and too long ones.
  private func respond(to request: OpaquePointer) {
    guard let pointer = unsafe evhttp_request_get_connection(request),
      let connection = connections[Int(bitPattern: pointer)]
    else { return unsafe evhttp_send_error(request, 500, nil) }
    connection.waitingSince = nil
    setWatermark(of: connection)
    unsafe evhttp_request_set_on_complete_cb(
      request,
      { request, loop in
        guard let pointer = unsafe evhttp_request_get_connection(request) else { return }
        unsafe withLoop(loop) { $0.completed(Int(bitPattern: pointer)) }
      }, user)
    let parsed = unsafe Request(request)
    let isHead = parsed.method == "HEAD"
    let response = unsafe Response(to: request, isHead: isHead)
    for (name, value) in headers { response.add(name, value) }
    switch router.route(parsed, files: paths) {
    case .file(let index): sendFile(index, response)
    case .events where isHead: response.sendHeaders(contentType: eventStream)
    case .events where pageCount >= options.limits.pages: response.refuse(.unavailable)
    case .events: unsafe open(connection, request, response)
    case .handler: unsafe handle(parsed, request, connection, response)
    case .error(let error): response.refuse(error)
    }
  }

  /// The response is written.
  private func completed(_ key: Int) {
    guard let connection = connections[key] else { return }
    connection.waitingSince = .now
    setSize(of: connection, 0)
    if isAPI {
      received(
        unsafe evbuffer_get_length(bufferevent_get_input(connection.bufferevent)), on: connection)
    }
    setWatermark(of: connection)
  }

  private func sendFile(_ index: Int, _ response: Response) {
    guard index >= files.count else {
      return response.send(files[index], contentType: options.files[index].contentType)
    }
    let file = options.computedFiles[index - files.count]
    response.send(SharedBytes(file.bytes()), contentType: file.contentType)
  }

  // MARK: Handler

  private var isAPI: Bool { options.handler?.scope == .everything }

  /// The number of bytes that are read before a request is complete.
  private var requestWatermark: Int {
    2 * options.limits.headerBytes + (isAPI ? options.handler?.bodyLimit ?? 0 : 0)
  }

  /// evhttp continues to read during a response, to notice that the client closes.
  private func setWatermark(of connection: HTTPConnection) {
    guard isAPI else { return }
    let isWaiting = connection.waitingSince != nil
    unsafe bufferevent_setwatermark(
      connection.bufferevent, Int16(EV_READ), 0,
      isWaiting ? requestWatermark : 2 * options.limits.headerBytes)
  }

  private func setSize(of connection: HTTPConnection, _ size: Int) {
    handlerBytes += size - connection.size
    connection.size = size
  }

  private func handle(
    _ parsed: Request, _ request: OpaquePointer, _ connection: HTTPConnection, _ response: Response
  ) {
    guard let handler = options.handler else { return response.refuse(.notFound) }
    let body = unsafe Request.body(of: request)
    if body.count > handler.bodyLimit {
      return response.send(refusal(.tooLarge))
    }
    var headers: [String: String] = [:]
    for name in handler.headers { headers[name] = unsafe Request.header(name, of: request) }
    let answer = handler.respond(
      HTTPRequest(
        method: parsed.method, path: parsed.path, query: parsed.query, headers: headers, body: body,
        peer: connection.peer)
    )
    // Clients that do not read their responses must not use up the memory.
    let (size, limits) = (answer.body.count, options.limits)
    guard size <= limits.smallBytes || handlerBytes + size <= limits.handlerBytes else {
      return response.send(refusal(.busy))
    }
    setSize(of: connection, connection.size + size)
    guard let late = unsafe LateResponse(answer, response, to: request) else {
      return response.send(answer)
    }
    connection.lateResponse = late
    connection.noticeClose()
    waitForDue()
  }

  /// Sends the late responses that are due.
  private func sendDue() {
    let now = ContinuousClock.now
    // Closing a connection removes it from the dictionary.
    for connection in Array(connections.values) {
      guard let late = connection.lateResponse, let due = late.due, due <= now else { continue }
      switch late.action {
      case .send(let answer):
        connection.lateResponse = nil
        late.response.send(answer)
      case .disconnect: unsafe evhttp_connection_free(connection.pointer)
      }
    }
    waitForDue()
  }

  private func waitForDue() {
    guard let due = connections.values.compactMap({ $0.lateResponse?.due }).min() else { return }
    var time = timeval(max(.zero, due - .now))
    _ = unsafe event_add(dueEvent, &time)
  }

  private func refusal(_ reason: RequestHandler.Refusal) -> HTTPResponse {
    if let response = options.handler?.refuse?(reason) { return response }
    let error: HTTPError =
      switch reason {
      case .tooLarge: .contentTooLarge
      case .busy: .busy
      }
    return HTTPResponse(Int(error.status), body: Array((error.explanation + "\n").utf8))
  }

  /// Bytes of a request have arrived.
  func received(_ count: Int, on connection: HTTPConnection) {
    guard connection.waitingSince != nil, !connection.isRefused, let handler = options.handler
    else { return }
    let limits = options.limits
    setSize(of: connection, connection.size + count)
    if connection.size > limits.headerBytes + handler.bodyLimit {
      refuse(connection, .tooLarge)
    } else if connection.size > limits.smallBytes, handlerBytes > limits.handlerBytes {
      refuse(connection, .busy)
    }
  }

  /// Answers a request that is not complete, in place of evhttp, and drops the rest of it. A connection that were
  /// closed at once would lose the response (RFC 9112 §9.6).
  private func refuse(_ connection: HTTPConnection, _ reason: RequestHandler.Refusal) {
    connection.isRefused = true
    setSize(of: connection, 0)
    let bufferevent = unsafe connection.bufferevent
    unsafe bufferevent_setcb(
      bufferevent,
      { bufferevent, _ in
        let input = unsafe bufferevent_get_input(bufferevent)
        _ = unsafe evbuffer_drain(input, evbuffer_get_length(input))
      },
      { bufferevent, _ in _ = unsafe shutdown(bufferevent_getfd(bufferevent), Int32(SHUT_WR)) },
      { _, _, pointer in
        if let pointer = unsafe pointer { unsafe evhttp_connection_free(OpaquePointer(pointer)) }
      }, UnsafeMutableRawPointer(connection.pointer))
    let response = refusal(reason)
    // The reason phrase may be empty (RFC 9112 §4).
    var lines = ["HTTP/1.1 \(response.status) "]
    for (name, value) in headers + response.headers { lines.append("\(name): \(value)") }
    lines += ["Content-Length: \(response.body.count)", "Connection: close", "", ""]
    let bytes = SharedBytes(Array(lines.joined(separator: "\r\n").utf8) + response.body)
    unsafe bytes.append(to: bufferevent_get_output(bufferevent))
    _ = unsafe bufferevent_enable(bufferevent, Int16(EV_READ | EV_WRITE))
  }

  // MARK: Pages

  /// Bytes of an event after which the remaining frames wait for the next one.
  private static let eventLimit = 256 << 10

  /// Starts the stream of updates (HTML Standard §9.2, server-sent events).
  private func open(_ connection: HTTPConnection, _ request: OpaquePointer, _ response: Response) {
    response.add("Content-Type", eventStream)
    response.add("Connection", "close")
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
  private func send(to connection: HTTPConnection) {
    guard let page = connection.page, page.state == .idle else { return }
    guard page.version < frames.version || page.version < 0 else {
      if isEnd { finish(page) }
      return
    }
    let now = ContinuousClock.now
    let event = events.event(after: page.version, now: now) {
      frames.event(after: page.version, limit: Self.eventLimit, now: WallTime.exact)
    }
    send(event.bytes, to: page, now: now)
    page.version = event.version
  }

  private func sendComment(to page: Page) {
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

private let eventStream = "text/event-stream"
