@safe final class HTTPConnection {
  /// The `evhttp_connection`, valid until its close callback.
  let pointer: OpaquePointer
  /// When the wait for the next request began; nil while a request is answered.
  var waitingSince: ContinuousClock.Instant?
  /// Set while it receives updates.
  var page: Page?

  init(_ pointer: OpaquePointer, waitingSince: ContinuousClock.Instant) {
    unsafe self.pointer = unsafe pointer
    self.waitingSince = waitingSince
  }
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
