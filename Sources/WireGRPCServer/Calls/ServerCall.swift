/// An open call: the received part of its request, and its responder.
final class ServerCall {
  let responder: any CallResponder
  var request: IncomingRequest
  /// Nil if the call has no observers.
  let observer: ServedCallObserver?
  /// The bytes of the request that are counted in ``ServerContext/heldBytes``.
  var heldBytes = 0
  /// The client's deadline; nil if it has none, or the call already ended because of it.
  var deadline: ContinuousClock.Instant?
  /// When the server gives up waiting for more of the request.
  var requestDeadline: ContinuousClock.Instant
  var hasHeaders = false
  /// Whether so many bytes wait for the client that nothing more is sent.
  var isBlocked = false
  /// Whether a control action waits until everything before it is sent.
  var isFlushing = false
  /// Whether the response is complete.
  var isOver = false

  init(
    _ route: CallRoute, _ head: RequestHead, _ limits: ServerLimits,
    _ observer: ServedCallObserver? = nil, now: ContinuousClock.Instant
  ) {
    responder = route.makeResponder()
    self.observer = observer
    request = IncomingRequest(head, limit: route.requestSizeLimit ?? limits.requestSize)
    deadline = head.timeout.map { now + $0 }
    requestDeadline = now + limits.requestTime
  }

  /// Whether nothing happens before the client sends more.
  var waitsForClient: Bool { !isOver && !isHeldUp && responder.waitsForClient }

  private var isHeldUp: Bool { isBlocked || isFlushing }

  /// When the call needs attention without any event from the client.
  var due: ContinuousClock.Instant? {
    if isOver || isHeldUp { return deadline }
    let next = responder.waitsForClient ? requestDeadline : responder.due
    guard let next, let deadline else { return next ?? deadline }
    return min(next, deadline)
  }
}
