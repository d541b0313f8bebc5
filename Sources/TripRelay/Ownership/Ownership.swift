/// Decides which of the requested resources this worker polls. Knows no clock and no I/O.
///
/// Each worker sees the same requests and heartbeats, and computes its own resources. A worker that has more resources
/// than its capacity keeps those with the highest scores and announces the lowest of these, its threshold. The
/// others then pass over it for resources with lower scores, so that each resource goes to the best worker with room.
package struct Ownership: Sendable {
  package enum Change: Sendable, Hashable {
    /// Poll the resource from now on.
    case take(String)
    /// Another worker polls it, or no reader requests it.
    case drop(String)
    /// The request for the resource has ended, and this worker has to remove it.
    case expire(String)
  }

  private struct Peer: Sendable {
    let hash: RendezvousHash
    var lastSeen: ContinuousClock.Instant
    var threshold: UInt64
    var isLate: Bool
  }

  private struct PollRequest: Sendable {
    let trip: String
    let hash: RendezvousHash
    /// Nil for a pinned resource.
    var end: ContinuousClock.Instant?
    var isOwned = false
  }

  /// Which resources may have another owner since the last `settle`.
  private enum Scope: Comparable {
    case changed
    /// Workers joined: they take resources of this one.
    case owned
    case all
  }

  private let hash: RendezvousHash
  /// The largest number of resources.
  package var capacity: Int {
    didSet { if capacity != oldValue { scope = .all } }
  }
  private let lease: Duration
  private var isActive = false
  private var peers: [String: Peer] = [:]
  /// The peers as an array, which each comparison of a resource reads.
  private var rivals: [Peer] = []
  /// In one array, because a change of workers reads all of them. The order has no meaning.
  private var requests: [PollRequest] = []
  /// The places of the resources in `requests`.
  private var places: [String: Int] = [:]
  private var lastCheck: ContinuousClock.Instant?
  private var scope = Scope.changed
  private var changed: Set<String> = []
  private var changes: [Change] = []
  private(set) var ownedCount = 0
  /// The lowest score of a resource that this worker accepts; 0 while it has room.
  private(set) var threshold: UInt64 = 0

  /// - Parameters:
  ///   - worker: the name of this worker.
  ///   - capacity: the largest number of resources.
  ///   - lease: the time without a heartbeat after which a worker counts as gone.
  package init(worker: String, capacity: Int, lease: Duration) {
    hash = RendezvousHash(worker)
    self.capacity = capacity
    self.lease = lease
  }

  var requestCount: Int { requests.count }
  var peerCount: Int { peers.count }
  /// The first other worker in alphabetical order.
  var firstPeer: String? { peers.keys.min() }

  /// The number of requested resources that no worker accepts. Looks at all requests if all workers are at their
  /// capacity.
  var unownedCount: Int {
    guard !isActive || threshold > 0, rivals.allSatisfy({ $0.threshold > 0 }) else { return 0 }
    return requests.count { request in
      !request.isOwned
        && !rivals.contains { request.hash.score(of: $0.hash) >= $0.threshold }
    }
  }

  /// Whether another worker takes any resource, and polls its own in time.
  var hasPeerWithRoom: Bool { rivals.contains { $0.threshold == 0 && !$0.isLate } }

  // MARK: Poll requests

  func hasRequest(_ trip: String) -> Bool { places[trip] != nil }

  /// - Parameter end: when the request ends; nil for never.
  package mutating func addRequest(_ trip: String, until end: ContinuousClock.Instant?) {
    if let place = places[trip] {
      requests[place].end = end
    } else {
      places[trip] = requests.count
      requests.append(PollRequest(trip: trip, hash: RendezvousHash(trip), end: end))
      changed.insert(trip)
    }
  }

  mutating func removeRequest(_ trip: String) {
    guard let place = places.removeValue(forKey: trip), let last = requests.popLast() else {
      return
    }
    var request = last
    if place < requests.count {
      swap(&requests[place], &request)
      places[last.trip] = place
    }
    changed.remove(trip)
    if request.isOwned {
      ownedCount -= 1
      changes.append(.drop(trip))
    }
    if threshold > 0 { scope = .all }
  }

  /// Removes all requests that are not in the set, after the bucket was read again.
  mutating func keepRequests(_ trips: Set<String>) {
    for request in requests where !trips.contains(request.trip) { removeRequest(request.trip) }
  }

  // MARK: Workers

  /// Starts to take resources.
  package mutating func start() {
    isActive = true
    scope = .all
  }

  /// Gives all resources away.
  package mutating func stop() {
    isActive = false
    scope = .all
  }

  /// - Parameters:
  ///   - threshold: see ``threshold``.
  ///   - isLate: whether its polls are late.
  package mutating func heartbeat(
    of worker: String, threshold: UInt64, isLate: Bool = false,
    at instant: ContinuousClock.Instant
  ) {
    defer { rivals = Array(peers.values) }
    if let peer = peers[worker] {
      peers[worker]?.lastSeen = max(peer.lastSeen, instant)
      peers[worker]?.isLate = isLate
      guard peer.threshold != threshold else { return }
      peers[worker]?.threshold = threshold
      scope = .all
    } else {
      peers[worker] = Peer(
        hash: RendezvousHash(worker), lastSeen: instant, threshold: threshold, isLate: isLate)
      scope = max(scope, self.threshold > 0 ? .all : .owned)
    }
  }

  /// A worker hands its resources over, or is gone.
  package mutating func remove(_ worker: String) {
    guard peers.removeValue(forKey: worker) != nil else { return }
    rivals = Array(peers.values)
    scope = .all
  }

  /// Renews all leases, because heartbeats could not arrive.
  mutating func renewLeases(at instant: ContinuousClock.Instant) {
    for worker in peers.keys { peers[worker]?.lastSeen = instant }
  }

  // MARK: Result

  /// Ends leases and requests whose time is over. Looks at all requests: call it every second or two.
  package mutating func advance(to now: ContinuousClock.Instant) {
    endLeases(at: now)
    endRequests(now)
  }

  /// Removes workers without heartbeats. Call it several times a second, because their resources wait.
  mutating func endLeases(at now: ContinuousClock.Instant) {
    defer { lastCheck = now }
    // After a pause of this process, the heartbeats of the others are still unread.
    if let lastCheck, now - lastCheck > lease / 2 { return renewLeases(at: now) }
    for (worker, peer) in peers where now - peer.lastSeen > lease { remove(worker) }
  }

  /// When the next lease ends; nil without other workers.
  var nextLeaseEnd: ContinuousClock.Instant? {
    peers.values.map(\.lastSeen).min().map { $0 + lease }
  }

  /// Returns the changes since the last call.
  package mutating func settle() -> [Change] {
    for trip in changed where scope < .all { assign(trip) }
    if scope > .changed { assignAll() }
    scope = .changed
    changed = []
    defer { changes = [] }
    return changes
  }

  private mutating func endRequests(_ now: ContinuousClock.Instant) {
    let over = requests.filter { $0.end.map { $0 <= now } ?? false }
    for request in over {
      let removes = request.isOwned || isActive && outranksOthers(request.hash)
      removeRequest(request.trip)
      if removes { changes.append(.expire(request.trip)) }
    }
  }

  /// Takes a new resource, or finds out that all have to be compared because there is no room.
  private mutating func assign(_ trip: String) {
    guard isActive, let place = places[trip], outranksOthers(requests[place].hash) else { return }
    if threshold > 0 ? requests[place].hash.score(of: hash) >= threshold : ownedCount >= capacity {
      scope = .all
    } else if threshold == 0 {
      set(place, true)
    }
  }

  private mutating func set(_ place: Int, _ isOwned: Bool) {
    guard isOwned != requests[place].isOwned else { return }
    requests[place].isOwned = isOwned
    ownedCount += isOwned ? 1 : -1
    changes.append(isOwned ? .take(requests[place].trip) : .drop(requests[place].trip))
  }

  private mutating func assignAll() {
    var claims: [(score: UInt64, place: Int)] = []
    for place in requests.indices where scope == .all || requests[place].isOwned {
      let trip = requests[place].hash
      if isActive, outranksOthers(trip) {
        claims.append((trip.score(of: hash), place))
      } else {
        set(place, false)
      }
    }
    threshold = 0
    if claims.count > capacity {
      // At equal scores the order must not depend on the process.
      claims.sort { ($0.score, requests[$0.place].trip) > ($1.score, requests[$1.place].trip) }
      threshold = capacity > 0 ? claims[capacity - 1].score : .max
    }
    for (index, claim) in claims.enumerated() { set(claim.place, index < capacity) }
  }

  /// Whether no other worker with room has a higher score for the resource. Most calls look at few workers.
  private func outranksOthers(_ trip: RendezvousHash) -> Bool {
    let own = trip.score(of: hash)
    for peer in rivals {
      let score = trip.score(of: peer.hash)
      if score >= peer.threshold, (score, peer.hash.value) > (own, hash.value) { return false }
    }
    return true
  }
}
