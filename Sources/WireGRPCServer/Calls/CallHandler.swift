/// Answers the calls of a server. Lives on the server's loop.
package protocol CallHandler: AnyObject {
  /// Called with the headers of each request, before its first message.
  ///
  /// - Throws: the status for a call that is refused without reading its messages.
  func route(_ head: RequestHead) throws(Refusal) -> CallRoute
  /// The server stops accepting calls.
  func shutDown()
}

/// The route of calls with certain headers.
package struct CallRoute {
  /// The maximum size of a request in bytes; nil for the server's limit.
  var requestSizeLimit: Int?
  let makeResponder: () -> any CallResponder

  package init(
    requestSizeLimit: Int? = nil, makeResponder: @escaping () -> any CallResponder
  ) {
    self.requestSizeLimit = requestSizeLimit
    self.makeResponder = makeResponder
  }
}

/// Answers one call. Knows no clock: time is passed in.
package protocol CallResponder: AnyObject {
  /// Whether no response is chosen yet.
  var needsRequest: Bool { get }
  /// Whether nothing is sent before the client sends more.
  var waitsForClient: Bool { get }
  /// When the next action is due; nil if the responder waits for the client or has finished.
  var due: ContinuousClock.Instant? { get }
  /// Actions that follow the end of the response.
  var trailingActions: (any TrailingActions)? { get }

  /// Chooses the response if enough of the request has arrived. Called until ``needsRequest`` is
  /// false.
  ///
  /// - Parameter isComplete: whether `messages` are the whole request.
  func chooseResponse(
    to messages: [[UInt8]], isComplete: Bool, observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) throws(Refusal)
  /// More of the request has arrived, or its end. The responder may take the messages.
  func receive(_ request: inout IncomingRequest, now: ContinuousClock.Instant) throws(Refusal)
  /// Returns the next action if it is due.
  func next(
    _ request: inout IncomingRequest, now: ContinuousClock.Instant
  ) throws(Refusal) -> ResponseAction?
  /// Returns the end of a call that is open when the server stops accepting calls; empty lets the call
  /// continue.
  func finalActions() -> [ResponseAction]
}

extension CallResponder {
  package var trailingActions: (any TrailingActions)? { nil }

  package func finalActions() -> [ResponseAction] { [] }
}

/// Control actions that follow the end of a response.
package protocol TrailingActions: AnyObject {
  /// When the next one is due; nil when there is none.
  var due: ContinuousClock.Instant? { get }
  /// Returns the next one if it is due.
  func nextAction(now: ContinuousClock.Instant) -> ControlAction?
}
