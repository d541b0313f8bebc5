/// Reads the buckets of the relay.
struct BucketReader: Sendable {
  /// A change of an entry; a nil value removes it.
  enum Change: Sendable {
    case request(key: String, EntryLifetime?, time: Double)
    case layout(StreamLayout)
    case heartbeat(worker: String, Heartbeat?, time: Double)
    case drain(worker: String, Bool)
    case delay(provider: String, EntryLifetime?, time: Double)

    /// Returns nil for a key that no version of the relay writes.
    init?(_ bucket: RelayNames.Bucket, _ delivery: StreamWatch.Delivery) {
      guard let key = bucket.key(delivery.message.subject) else { return nil }
      let (message, time) = (delivery.message, delivery.time)
      if bucket == .pollRequests {
        if key == StreamLayout.key {
          guard let layout = StreamLayout(message) else { return nil }
          self = .layout(layout)
          return
        }
        self = .request(key: String(key), message.lifetime, time: time)
        return
      }
      if bucket == .workers, let worker = RelayNames.drainedWorker(key) {
        guard let value = DrainValue(message.data) else { return nil }
        self = .drain(worker: worker, value.isDrained)
        return
      }
      guard let name = NATSToken.decode(key) else { return nil }
      self =
        bucket == .workers
        ? .heartbeat(
          worker: name, message.isRemoval ? nil : Heartbeat(message.data), time: time)
        : .delay(provider: name, message.lifetime, time: time)
    }
  }

  static let buckets: [RelayNames.Bucket] = [.workers, .delays, .pollRequests]

  private var unloaded = Set(buckets.map(\.name))
  /// The poll requests of the present reading of their bucket; nil between two readings.
  private var requests: Set<String>?

  /// Whether each bucket was read once.
  var areLoaded: Bool { unloaded.isEmpty }

  mutating func begin(_ bucket: RelayNames.Bucket) {
    if bucket == .pollRequests { requests = [] }
  }

  mutating func found(request key: String) { requests?.insert(key) }

  /// Returns all poll requests if their bucket was read from its beginning.
  mutating func end(_ bucket: RelayNames.Bucket) -> Set<String>? {
    unloaded.remove(bucket.name)
    return bucket == .pollRequests ? requests.take() : nil
  }
}
