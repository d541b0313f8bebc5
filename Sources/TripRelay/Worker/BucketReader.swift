/// Reads the buckets of the relay.
struct BucketReader: Sendable {
  static let buckets = [RelayNames.workers, RelayNames.delays, RelayNames.pollRequests]

  var watches: [StreamWatch] = []
  private var unloaded = Set(buckets.map(\.name))
  /// The poll requests of the present reading of their bucket; nil between two readings.
  private var requests: Set<String>?

  /// Whether each bucket was read once.
  var areLoaded: Bool { unloaded.isEmpty }

  mutating func begin(_ bucket: RelayNames.Bucket) {
    if bucket == RelayNames.pollRequests { requests = [] }
  }

  mutating func found(request key: String) { requests?.insert(key) }

  /// Returns all poll requests if their bucket was read from its beginning.
  mutating func end(_ bucket: RelayNames.Bucket) -> Set<String>? {
    unloaded.remove(bucket.name)
    return bucket == RelayNames.pollRequests ? requests.take() : nil
  }
}
