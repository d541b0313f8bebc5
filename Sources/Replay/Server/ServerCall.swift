/// A call that goes on: its request as far as it has come, and its answer as far as it was said.
final class ServerCall {
  /// What answers it.
  enum Kind {
    /// The recording, once so many messages of the request have come as its cue says.
    case recorded(AnswerBook.Method)
    case healthCheck
    case healthWatch
    case reflection(Reflection)
  }

  var kind: Kind
  var request: IncomingCall
  /// Tells of it; nil when nobody observes the server.
  let story: CallStory?
  /// Whether no more of it comes.
  var requestIsWhole = false
  /// What of the request counts as held by the server.
  var heldBytes = 0
  /// When the client wants it to be over; nil for never, or when that was seen to.
  var deadline: ContinuousClock.Instant?
  /// When the server gives up waiting for more of the request.
  var patience: ContinuousClock.Instant
  var playback: Playback?
  var hasHeaders = false
  /// Whether the client has so much to take that nothing more is said.
  var isBlocked = false
  /// Whether nothing more is said until all that was is sent.
  var isFlushing = false
  /// Whether all was said.
  var isOver = false

  init(
    _ kind: Kind, _ head: RequestHead, _ limits: ServerLimits, _ story: CallStory? = nil,
    now: ContinuousClock.Instant
  ) {
    var limit = limits.requestSize
    if case .reflection = kind { limit = ReflectionService.questionLimit }
    self.kind = kind
    self.story = story
    request = IncomingCall(head, limit: limit)
    deadline = head.timeout.map { now + $0 }
    patience = now + limits.requestTime
  }

  /// How many messages of the request it takes to answer it.
  var cue: Int {
    if case .recorded(let method) = kind { method.cue } else { Answer.wholeRequest }
  }

  /// Whether it is not known yet what the client wants.
  var isUndecided: Bool {
    if case .reflection = kind { false } else { playback == nil }
  }

  /// Whether nothing happens before the client says more.
  var waitsForClient: Bool { !isOver && !isHeldUp && (playback?.waitsForClient ?? true) }

  private var isHeldUp: Bool { isBlocked || isFlushing }

  /// When there is something to do for it, if nothing comes from the client.
  var due: ContinuousClock.Instant? {
    if isOver || isHeldUp { return deadline }
    let next = waitsForClient ? patience : playback?.due
    guard let next, let deadline else { return next ?? deadline }
    return min(next, deadline)
  }
}
