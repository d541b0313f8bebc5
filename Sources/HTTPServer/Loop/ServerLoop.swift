import CEvent
import MapPage
import WireSystem

/// Everything on the server's thread: libevent's objects, the connections and the trips.
///
/// It is created on another thread and then passed to its own. libevent calls the functions below
/// only inside of `run`, so they may use the loop without a retain.
@safe final class ServerLoop {
  let options: HTTPServerOptions
  let router: Router
  let updates: UpdateQueue
  let headers: [(name: String, value: String)]
  let files: [SharedBytes]
  let paths: [String]
  /// How many connections the limit of open files allows.
  let maxConnections: Int

  let base: OpaquePointer
  var http: OpaquePointer?
  var listener: OpaquePointer?
  private var wakeEvent: OpaquePointer?
  private var checkEvent: OpaquePointer?
  var adoptEvent: OpaquePointer?

  /// By the address of the `evhttp_connection`.
  var connections: [Int: Connection] = [:]
  /// The bufferevents of accepted connections that are not in `connections` yet.
  var accepted: [OpaquePointer]
  var pageCount = 0
  var trips = TripTable()
  var isEnd = false
  var events = EventCache()

  /// Descriptors that the rest of the process keeps.
  private static let reservedDescriptors = 128

  /// Takes the socket, also if it fails.
  init(
    _ options: HTTPServerOptions, router: Router, socket: ListeningSocket, updates: UpdateQueue
  ) throws(HTTPServerError) {
    self.options = options
    self.router = router
    self.updates = updates
    headers = router.policy.headers
    files = options.files.map { SharedBytes($0.bytes) }
    paths = options.files.map(\.path) + options.computedFiles.map(\.path)
    maxConnections = min(
      options.limits.pages + options.limits.otherConnections,
      max(ResourceLimits.raiseOpenFiles() - Self.reservedDescriptors, 16))
    unsafe accepted = []
    guard let base = unsafe event_base_new() else {
      closeDescriptor(socket.descriptor)
      throw .system(IOError(operation: "create an event loop"))
    }
    unsafe self.base = unsafe base
    try listen(on: socket)
    unsafe wakeEvent = try unsafe makeEvent(updates.readEnd, EV_READ | EV_PERSIST) { _, _, loop in
      unsafe withLoop(loop) { $0.takeUpdates() }
    }
    unsafe checkEvent = try unsafe makeEvent(-1, EV_PERSIST) { _, _, loop in
      unsafe withLoop(loop) { $0.checkTimes() }
    }
    unsafe adoptEvent = try unsafe makeEvent(-1, 0) { _, _, loop in
      unsafe withLoop(loop) { $0.adoptAccepted() }
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

  static let outOfMemory = HTTPServerError.system(
    IOError(code: .init(rawValue: ENOMEM), operation: "prepare the HTTP server"))

  /// The argument of libevent's callbacks.
  var user: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Serves until `UpdateQueue.stop`.
  func run() {
    // libevent writes with writev, which would raise SIGPIPE. A signal of a write goes to the thread
    // that writes.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    updates.threadID = Thread.current
    unsafe event_base_dispatch(base)
    close()
  }

  /// Closes the port and all connections.
  private func close() {
    adoptAccepted()
    // evhttp frees it first, and then the connections, whose callback would use it.
    unsafe listener = nil
    if let http = unsafe http { unsafe evhttp_free(http) }
    if let event = unsafe wakeEvent { unsafe event_free(event) }
    if let event = unsafe checkEvent { unsafe event_free(event) }
    if let event = unsafe adoptEvent { unsafe event_free(event) }
    unsafe (http, wakeEvent, checkEvent, adoptEvent) = (nil, nil, nil, nil)
  }

  // MARK: Events

  private func takeUpdates() {
    let batch = updates.take()
    if batch.isStop {
      unsafe event_base_loopbreak(base)
      return
    }
    for (trip, frame) in batch.frames {
      if let frame { trips.update(trip, frame) } else { trips.remove(trip) }
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
}

/// Runs `body` on the loop that libevent passes.
func withLoop(_ user: UnsafeMutableRawPointer?, _ body: (ServerLoop) -> Void) {
  guard let user = unsafe user else { return }
  unsafe Unmanaged<ServerLoop>.fromOpaque(user)._withUnsafeGuaranteedRef { body($0) }
}

extension timeval {
  init(_ duration: Duration) {
    self.init()
    let (seconds, attoseconds) = duration.components
    tv_sec = .init(clamping: seconds)
    tv_usec = .init(clamping: attoseconds / 1_000_000_000_000)
  }
}
