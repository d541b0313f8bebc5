import RelayAPI
import WireProtobuf

@testable import TripRelay

/// A cluster with one stream of states and the buckets of requests and heartbeats.
final class SimulatedNATS {
  /// Where the server compares the expected last message.
  enum Fence {
    /// When the message is stored.
    case exact
    /// When the message arrives. Others that were not stored by then are not seen, as in nats-server 2.9.
    case weak
  }

  struct State {
    var version: Int
    var isFinal: Bool
    var hasError: Bool
    var term: ResourceView.Term
    var message: ResourcePublication.Message
    var streamTime: Timestamp

    func received(_ number: UInt64) -> ResourceView.Received {
      ResourceView.Received(
        streamTime: streamTime, number: number, term: term, sequence: message.sequence,
        polledAfter: message.polledAfter, hasResource: version > 0, hasError: hasError,
        isFinal: isFinal)
    }
  }

  struct Stored {
    let number: UInt64
    let state: State
    let stored: ContinuousClock.Instant
  }

  /// The connection of a process.
  final class Link {
    fileprivate(set) var isConnected = true
    fileprivate var isCut = false
    /// Until when packets are on their way.
    fileprivate var stallEnd: ContinuousClock.Instant
    fileprivate var open: [Int: (NATSError) -> Void] = [:]
    fileprivate var lastDelivery: ContinuousClock.Instant
    fileprivate var watcher: ((BucketReader.Change) -> Void)?
    var receive: (_ key: String, Stored) -> Void = { _, _ in }
    /// Takes a heartbeat that need not be stored.
    var hear: (_ worker: String, Heartbeat) -> Void = { _, _ in }
    /// The consumers of the buckets were silent for a while.
    var consumersLost: () -> Void = {}
    var disconnected: () -> Void = {}
    var reconnected: () -> Void = {}

    fileprivate init(at now: ContinuousClock.Instant) { (lastDelivery, stallEnd) = (now, now) }
  }

  let time: VirtualTime
  let fence: Fence
  /// The probability that a reply is lost.
  var lossOfReplies = 0.0
  /// The probability that a published message does not reach a reader.
  var lossOfMessages = 0.0
  private(set) var created: Timestamp
  private var links: [Link] = []
  private var lastNumber: UInt64 = 0
  private var states: [String: [Stored]] = [:]
  private var heartbeats: [String: (json: [UInt8], time: Double)] = [:]
  private var drained: [String: Bool] = [:]
  private(set) var requests: Set<String>
  private var lastRequest = 0
  private var lastStorage: ContinuousClock.Instant
  private var hasLeader = true
  /// Copies of the stream that do not answer.
  private var deadCopies = 0
  /// Messages that the stream stored although they were not the next ones.
  private(set) var missedConflicts = 0

  init(_ time: VirtualTime, _ fence: Fence, _ requests: [String]) {
    self.time = time
    self.fence = fence
    self.requests = Set(requests)
    created = time.moment.timestamp
    lastStorage = time.now
  }

  // MARK: Connections

  func connect() -> Link {
    let link = Link(at: time.now)
    links.append(link)
    return link
  }

  func close(_ link: Link) {
    cut(link)
    links.removeAll { $0 === link }
  }

  /// Drops all packets of a connection. Its process learns that later.
  func cut(_ link: Link, for duration: Duration? = nil) {
    guard !link.isCut else { return }
    link.isCut = true
    time.after(time.milliseconds(0...12_000)) { [self] in
      if link.isCut { lose(link) }
    }
    guard let duration else { return }
    time.after(duration) { [self] in
      link.isCut = false
      // Whatever was sent meanwhile is lost, and the library connects again.
      lose(link)
      time.after(time.milliseconds(10...700)) {
        link.isConnected = true
        link.reconnected()
      }
    }
  }

  /// Delays all packets of a connection until a time, as the repetitions of TCP do after a short cut.
  func stall(_ link: Link, for duration: Duration) { link.stallEnd = time.now + duration }

  private func lose(_ link: Link) {
    guard link.isConnected else { return }
    link.isConnected = false
    for end in link.open.values { end(NATSError(.disconnected, "lost")) }
    link.open = [:]
    link.disconnected()
  }

  /// Sends a request, and calls `completion` once.
  private func request<Reply>(
    _ link: Link, timeout: Duration = .seconds(5),
    _ completion: @escaping (Result<Reply, NATSError>) -> Void,
    serve: @escaping (@escaping (Result<Reply, NATSError>) -> Void) -> Void
  ) {
    guard link.isConnected else { return completion(.failure(NATSError(.disconnected, "lost"))) }
    lastRequest += 1
    let id = lastRequest
    link.open[id] = { completion(.failure($0)) }
    time.after(timeout) {
      link.open.removeValue(forKey: id)?(NATSError(.timeout, "no reply"))
    }
    guard !link.isCut else { return }
    time.at(arrival(on: link)) { [self] in
      serve { [self] reply in
        guard !time.chance(lossOfReplies) else { return }
        time.at(arrival(on: link)) {
          guard !link.isCut, link.open.removeValue(forKey: id) != nil else { return }
          completion(reply)
        }
      }
    }
  }

  private func arrival(on link: Link) -> ContinuousClock.Instant {
    max(time.now + latency, link.stallEnd)
  }

  private var latency: Duration {
    time.chance(0.02) ? time.milliseconds(20...800) : time.milliseconds(1...4)
  }

  // MARK: States

  func publish(
    _ key: String, _ state: State, _ link: Link,
    completion: @escaping (Result<UInt64, NATSError>) -> Void
  ) {
    request(link, completion) { [self] reply in
      guard hasLeader else { return }
      let stream = created
      if last(key)?.number ?? 0 != state.message.last {
        return reply(.failure(NATSError(.wrongLastSequence, "conflict")))
      }
      let delay = time.chance(0.1) ? time.milliseconds(20...1_000) : time.milliseconds(1...20)
      lastStorage = max(lastStorage, time.now + delay)
      time.at(lastStorage) { [self] in
        // A leader that is deposed may lose messages, or store them without an answer.
        guard created == stream, hasLeader || time.chance(0.5) else { return }
        if last(key)?.number ?? 0 != state.message.last {
          guard fence == .weak else {
            return reply(.failure(NATSError(.wrongLastSequence, "conflict")))
          }
          missedConflicts += 1
        }
        lastNumber += 1
        store(key, Stored(number: lastNumber, state: state, stored: time.now))
        if hasLeader { reply(.success(lastNumber)) }
      }
    }
  }

  private func store(_ key: String, _ stored: Stored) {
    states[key, default: []].append(stored)
    for link in links where !time.chance(lossOfMessages) {
      deliver(to: link) { link.receive(key, stored) }
    }
  }

  /// Passes a message on in the order of all others, unless the connection is cut.
  private func deliver(to link: Link, _ body: @escaping () -> Void) {
    guard !link.isCut, link.isConnected else { return }
    link.lastDelivery = max(link.lastDelivery, arrival(on: link))
    time.at(link.lastDelivery) {
      if !link.isCut, link.isConnected { body() }
    }
  }

  private func last(_ key: String) -> Stored? { states[key]?.last }

  func read(
    _ key: String, _ link: Link, timeout: Duration = .seconds(5),
    completion: @escaping (Result<Stored?, NATSError>) -> Void
  ) {
    request(link, timeout: timeout, completion) { [self] reply in
      // One of three copies answers, and some are behind.
      let copy = Int.random(in: 1...3, using: &time.random)
      guard copy > deadCopies else { return }
      let lag = time.chance(0.1) ? time.milliseconds(0...300) : .zero
      reply(.success(states[key]?.last { $0.stored <= time.now - lag }))
    }
  }

  func readStreamTime(_ link: Link, completion: @escaping (Result<Timestamp, NATSError>) -> Void) {
    request(link, completion) { [self] reply in
      if hasLeader { reply(.success(created)) }
    }
  }

  // MARK: Buckets

  /// Passes all entries of the buckets, and later their changes.
  func watch(
    _ link: Link, loaded: @escaping () -> Void, _ watcher: @escaping (BucketReader.Change) -> Void
  ) {
    link.watcher = watcher
    let changes =
      requests.map { request($0, .pinned) }
      + heartbeats.map { change(of: $0.key, $0.value.json, $0.value.time) }
      + drained.map { .drain(worker: $0.key, $0.value) }
    for change in changes { deliver(to: link) { watcher(change) } }
    deliver(to: link) { loaded() }
  }

  private func request(_ key: String, _ value: EntryLifetime?) -> BucketReader.Change {
    .request(key: key, value, time: time.moment.timestamp.secondsSince1970)
  }

  private func change(of worker: String, _ json: [UInt8], _ time: Double) -> BucketReader.Change {
    .heartbeat(worker: worker, Heartbeat(json), time: time)
  }

  private func notify(_ change: BucketReader.Change) {
    for link in links { if let watcher = link.watcher { deliver(to: link) { watcher(change) } } }
  }

  func put(
    _ heartbeat: Heartbeat, of worker: String, _ link: Link,
    completion: @escaping (Result<Void, NATSError>) -> Void
  ) {
    request(link, completion) { [self] reply in
      for other in links where other !== link {
        deliver(to: other) { other.hear(worker, heartbeat) }
      }
      guard hasLeader else { return }
      let now = time.moment.timestamp.secondsSince1970
      heartbeats[worker] = (Array(heartbeat.json.utf8), now)
      notify(change(of: worker, Array(heartbeat.json.utf8), now))
      reply(.success(()))
    }
  }

  func drain(_ worker: String, _ isDrained: Bool) {
    drained[worker] = isDrained
    notify(.drain(worker: worker, isDrained))
  }

  func addRequest(
    _ key: String, _ link: Link, completion: @escaping (Result<Void, NATSError>) -> Void
  ) {
    request(link, completion) { [self] reply in
      guard hasLeader else { return }
      if requests.insert(key).inserted { notify(request(key, .pinned)) }
      reply(.success(()))
    }
  }

  func removeRequest(_ key: String, _ link: Link) {
    let ignore = { (_: Result<Void, NATSError>) in }
    request(link, ignore) { [self] reply in
      guard hasLeader else { return }
      if requests.remove(key) != nil { notify(request(key, nil)) }
      reply(.success(()))
    }
  }

  // MARK: Faults

  func loseLeader(for duration: Duration) {
    hasLeader = false
    time.after(duration) { [self] in hasLeader = true }
  }

  /// The consumers are on a node that is gone. Their clients notice the silence.
  func loseConsumers() {
    for link in links where link.watcher != nil {
      link.watcher = nil
      time.after(time.milliseconds(5_000...9_000)) { link.consumersLost() }
    }
  }

  func loseCopies(_ count: Int, for duration: Duration) {
    deadCopies = count
    time.after(duration) { [self] in deadCopies = 0 }
  }

  /// The stream is deleted and created again. The clock of the server that creates it may be behind.
  func recreateStream() {
    created = time.moment.timestamp
    if time.chance(0.3) { created.seconds -= 500 }
    lastNumber = 0
    states = [:]
  }
}
