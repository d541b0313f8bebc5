import CEvent

@safe final class HTTPConnection {
  /// The `evhttp_connection`, valid until its close callback.
  let pointer: OpaquePointer
  /// When the wait for the next request began; nil while a request is answered.
  var waitingSince: ContinuousClock.Instant?
  /// Set while it receives updates.
  var page: Page?
  /// The response to its request, until it is sent.
  var lateResponse: LateResponse?
  /// The bytes of a request or a response for the handler.
  var size = 0
  /// Whether its request was too large. It is answered, and further bytes are dropped.
  var isRefused = false
  private unowned let loop: ServerLoop

  init(_ pointer: OpaquePointer, waitingSince: ContinuousClock.Instant, loop: ServerLoop) {
    unsafe self.pointer = unsafe pointer
    self.waitingSince = waitingSince
    self.loop = loop
  }

  var bufferevent: OpaquePointer? { unsafe evhttp_connection_get_bufferevent(pointer) }

  var peer: String {
    var (address, port): (UnsafeMutablePointer<CChar>?, UInt16) = (nil, 0)
    unsafe evhttp_connection_get_peer(pointer, &address, &port)
    let host = unsafe address.map { unsafe String(cString: $0) } ?? ""
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Reports received bytes to the loop until `stopCounting`.
  func startCounting() {
    _ = unsafe evbuffer_add_cb(bufferevent_get_input(bufferevent), countReceived, user)
  }

  func stopCounting() {
    _ = unsafe evbuffer_remove_cb(bufferevent_get_input(bufferevent), countReceived, user)
  }

  /// Notices that the client closes while its request has no response yet. evhttp does so only while it sends one.
  func noticeClose() {
    var (onEvent, argument): (bufferevent_event_cb?, UnsafeMutableRawPointer?) = (nil, nil)
    unsafe bufferevent_getcb(bufferevent, nil, nil, &onEvent, &argument)
    // evhttp's callback for received bytes would end the process.
    unsafe bufferevent_setcb(bufferevent, nil, nil, onEvent, argument)
    _ = unsafe bufferevent_enable(bufferevent, Int16(EV_READ))
  }

  private var user: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  fileprivate func received(_ count: Int) { loop.received(count, on: self) }
}

/// The response to an open page.
///
/// ```
/// idle ──send──> writing ──written──> idle
///   └──end──> ended (libevent frees the request)
/// ```
@safe final class Page {
  enum State {
    /// All that was sent is written, so the next event may follow.
    case idle
    case writing
    /// The response is complete. The request must not be used.
    case ended
  }

  /// The `evhttp_request`, valid until the page has ended or is closed.
  let request: OpaquePointer
  var state = State.idle
  /// The version of the frames that the page has received; -1 before the first event.
  var version = -1
  var lastSent: ContinuousClock.Instant

  init(_ request: OpaquePointer, now: ContinuousClock.Instant) {
    unsafe self.request = unsafe request
    lastSent = now
  }
}

private func countReceived(
  _: OpaquePointer?, _ change: UnsafePointer<evbuffer_cb_info>?, _ user: UnsafeMutableRawPointer?
) {
  guard let user = unsafe user, let count = unsafe change?.pointee.n_added, count > 0 else {
    return
  }
  unsafe Unmanaged<HTTPConnection>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.received(count) }
}
