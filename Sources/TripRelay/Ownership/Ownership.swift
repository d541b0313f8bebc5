/// Decides which of the wanted trips this worker polls. Knows no clock and no I/O.
///
/// Each worker sees the same wants and heartbeats, and computes its own trips. A worker that has more trips
/// than its capacity keeps those with the highest scores and announces the lowest of these, its threshold. The
/// others then pass over it for trips with lower scores, so that each trip goes to the best worker with room.
package struct Ownership: Sendable {
  package enum Change: Sendable, Hashable {
    /// Poll the trip from now on.
    case take(String)
    /// Another worker polls it, or nobody wants it.
    case drop(String)
    /// The want of the trip has ended, and this worker has to remove it.
    case expire(String)
  }

  private struct Peer: Sendable {
    let hash: RendezvousHash
    var lastSeen: ContinuousClock.Instant
    var threshold: UInt64
  }

  private struct Want: Sendable {
    let hash: RendezvousHash
    /// Nil for a pinned trip.
    var end: ContinuousClock.Instant?
    var isOwned = false
  }

  private let hash: RendezvousHash
  private let capacity: Int
  private let lease: Duration
  private var isActive = false
  private var peers: [String: Peer] = [:]
  private var wants: [String: Want] = [:]
  private var lastCheck: ContinuousClock.Instant?
  /// Whether workers have changed since the last `settle`.
  private var needsAll = false
  private var changed: Set<String> = []
  private var changes: [Change] = []
  package private(set) var ownedCount = 0
  /// The lowest score of a trip that this worker accepts; 0 while it has room.
  package private(set) var threshold: UInt64 = 0

  /// - Parameters:
  ///   - worker: the name of this worker.
  ///   - capacity: the largest number of trips.
  ///   - lease: the time without a heartbeat after which a worker counts as gone.
  package init(worker: String, capacity: Int, lease: Duration) {
    hash = RendezvousHash(worker)
    self.capacity = capacity
    self.lease = lease
  }

  package var wantCount: Int { wants.count }
  package var peerCount: Int { peers.count }

  // MARK: Wants

  /// - Parameter end: when the want ends; nil for never.
  package mutating func want(_ trip: String, until end: ContinuousClock.Instant?) {
    if wants[trip] == nil {
      wants[trip] = Want(hash: RendezvousHash(trip), end: end)
      changed.insert(trip)
    } else {
      wants[trip]?.end = end
    }
  }

  package mutating func unwant(_ trip: String) {
    guard let want = wants.removeValue(forKey: trip) else { return }
    changed.remove(trip)
    if want.isOwned {
      ownedCount -= 1
      changes.append(.drop(trip))
    }
    if threshold > 0 { needsAll = true }
  }

  /// Removes all wants that are not in the set, after the bucket was read again.
  package mutating func keepOnly(_ trips: Set<String>) {
    for trip in wants.keys where !trips.contains(trip) { unwant(trip) }
  }

  // MARK: Workers

  /// Starts to take trips.
  package mutating func start() {
    isActive = true
    needsAll = true
  }

  /// Gives all trips away.
  package mutating func stop() {
    isActive = false
    needsAll = true
  }

  /// - Parameter threshold: see ``threshold``.
  package mutating func heartbeat(
    of worker: String, threshold: UInt64, at instant: ContinuousClock.Instant
  ) {
    if let peer = peers[worker] {
      peers[worker]?.lastSeen = max(peer.lastSeen, instant)
      guard peer.threshold != threshold else { return }
      peers[worker]?.threshold = threshold
    } else {
      peers[worker] = Peer(
        hash: RendezvousHash(worker), lastSeen: instant, threshold: threshold)
    }
    needsAll = true
  }

  /// A worker hands its trips over, or is gone.
  package mutating func remove(_ worker: String) {
    if peers.removeValue(forKey: worker) != nil { needsAll = true }
  }

  /// Renews all leases, because heartbeats could not arrive.
  package mutating func renewLeases(at instant: ContinuousClock.Instant) {
    for worker in peers.keys { peers[worker]?.lastSeen = instant }
  }

  // MARK: Result

  /// Ends leases and wants whose time is over. Looks at all wants: call it every second or two.
  package mutating func advance(to now: ContinuousClock.Instant) {
    endLeases(at: now)
    endWants(now)
  }

  /// Removes workers without heartbeats. Call it several times a second, because their trips wait.
  package mutating func endLeases(at now: ContinuousClock.Instant) {
    defer { lastCheck = now }
    // After a pause of this process, the heartbeats of the others are still unread.
    if let lastCheck, now - lastCheck > lease / 2 { return renewLeases(at: now) }
    for (worker, peer) in peers where now - peer.lastSeen > lease { remove(worker) }
  }

  /// Returns the changes since the last call.
  package mutating func settle() -> [Change] {
    if needsAll || threshold > 0 || ownedCount + changed.count > capacity {
      assignAll()
    } else {
      for trip in changed { assign(trip) }
    }
    needsAll = false
    changed = []
    defer { changes = [] }
    return changes
  }

  private mutating func endWants(_ now: ContinuousClock.Instant) {
    for (trip, want) in wants {
      guard let end = want.end, end <= now else { continue }
      let removes = want.isOwned || isActive && outranksOthers(want.hash)
      unwant(trip)
      if removes { changes.append(.expire(trip)) }
    }
  }

  private mutating func assign(_ trip: String) {
    guard let want = wants[trip] else { return }
    set(trip, isActive && outranksOthers(want.hash), was: want.isOwned)
  }

  private mutating func set(_ trip: String, _ isOwned: Bool, was: Bool) {
    guard isOwned != was else { return }
    wants[trip]?.isOwned = isOwned
    ownedCount += isOwned ? 1 : -1
    changes.append(isOwned ? .take(trip) : .drop(trip))
  }

  private mutating func assignAll() {
    var claims: [(score: UInt64, trip: String)] = []
    for (trip, want) in wants {
      if isActive, outranksOthers(want.hash) {
        claims.append((want.hash.score(of: hash), trip))
      } else if want.isOwned {
        set(trip, false, was: true)
      }
    }
    threshold = 0
    if claims.count > capacity {
      // At equal scores the order must not depend on the process.
      claims.sort { ($0.score, $0.trip) > ($1.score, $1.trip) }
      threshold = capacity > 0 ? claims[capacity - 1].score : .max
    }
    for (index, claim) in claims.enumerated() {
      set(claim.trip, index < capacity, was: wants[claim.trip]?.isOwned ?? false)
    }
  }

  /// Whether no other worker with room has a higher score for the trip. Most calls look at few workers.
  private func outranksOthers(_ trip: RendezvousHash) -> Bool {
    let own = trip.score(of: hash)
    for peer in peers.values {
      let score = trip.score(of: peer.hash)
      if score >= peer.threshold, (score, peer.hash.value) > (own, hash.value) { return false }
    }
    return true
  }
}
