import Recording
import WireGRPC
import WireHTTP2
import WireServices
import WireTLS

/// What the connections of a server share. Lives on its loop.
final class ReplayService {
  let limits: ServerLimits
  let tls: TLSContext?
  private let observers: [ServedCall.Observer]
  /// Where each read puts what it got until the session has taken it.
  var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// The same once it is decrypted.
  var plaintext: [UInt8]

  /// Where what is sent is put together; empty in between.
  var output: [UInt8] = []
  /// The same before it is encrypted.
  var unencrypted: [UInt8] = []

  /// How many clients have begun a TLS handshake and not sent SETTINGS yet.
  var handshakes = 0
  /// Whether others wait for the end of these handshakes.
  var isCrowded: Bool { handshakes >= limits.handshakes }
  /// Whether that was so when it was last looked which of them take too long.
  var wasCrowded = false

  /// What all requests on their way in have in memory.
  var heldBytes = 0

  /// What was decompressed up to now, for all connections.
  var inflatedBytes = 0

  private var book: AnswerBook
  private var health: HealthService
  private let speed: Int?
  private let requiresToken: Bool
  /// Made for the first who asks: what it needs may be large.
  private lazy var reflection = makeReflection()
  private let makeReflection: () -> ReflectionService

  init(_ book: AnswerBook, _ configuration: ReplayConfiguration = .init()) {
    self.book = book
    speed = configuration.speed
    requiresToken = configuration.requiresToken
    limits = configuration.limits
    tls = configuration.tls
    observers = configuration.observers
    plaintext = [UInt8](repeating: 0, count: tls == nil ? 0 : 64 << 10)
    let services =
      book.services.union(ReflectionService.serviceNames).union([HealthService.serviceName])
    health = HealthService(services: services)
    let calls = book.reflectionCalls
    makeReflection = {
      ReflectionService(
        services: services.sorted(), calls: calls, files: configuration.descriptors())
    }
  }

  /// What answers a request. What was recorded comes first, but for reflection, which tells of this
  /// server.
  func kind(of head: RequestHead) throws(Refusal) -> ServerCall.Kind {
    if ReflectionService.paths.contains(head.path) { return .reflection(Reflection(reflection)) }
    if let own = ownServices[head.path], !book.has(method: head.path) { return own }
    let method = try book.method(head.path)
    guard head.hasToken || !requiresToken else { throw .tokenIsMissing }
    return .recorded(method)
  }

  /// Whether somebody is to be told of the calls.
  var isObserved: Bool { !observers.isEmpty }

  /// Nil when nobody wants to hear of a request.
  func story(of fields: [HeaderField], from peer: String) -> CallStory? {
    isObserved ? CallStory(fields, peer: peer, observers) : nil
  }

  private let ownServices: [String: ServerCall.Kind] = [
    HealthMethods.check.path: .healthCheck, HealthMethods.watch.path: .healthWatch,
  ]

  func playback(
    _ call: ServerCall, _ requests: [[UInt8]], now: ContinuousClock.Instant
  ) throws(Refusal) -> Playback {
    let answer =
      switch call.kind {
      case .healthCheck: try health.check(requests)
      case .healthWatch: try health.watch(requests)
      case .recorded(let method): try answer(call, method, requests, now)
      // Its questions have an answer each.
      case .reflection: throw Refusal(.internal, "a reflection is not played")
      }
    return Playback(answer, speed: speed, now: now)
  }

  private func answer(
    _ call: ServerCall, _ method: AnswerBook.Method, _ requests: [[UInt8]],
    _ now: ContinuousClock.Instant
  ) throws(Refusal) -> Answer {
    let (answer, match) = try book.answer(to: method, requests, now: now)
    if let story = call.story { story.match(match.description(requests, to: method.path)) }
    return answer
  }

  /// The server is about to stop.
  func stop() { health.isServing = false }
}
