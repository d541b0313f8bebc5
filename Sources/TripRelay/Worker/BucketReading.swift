/// Reads the buckets of the relay.
struct BucketReading: Sendable {
  static let buckets = [RelayNames.workers, RelayNames.delays, RelayNames.wants]

  var watches: [StreamWatch] = []
  private var unloaded = Set(buckets.map(\.name))
  /// The wants of the present reading of their bucket; nil between two readings.
  private var wants: Set<String>?

  /// Whether each bucket was read once.
  var areLoaded: Bool { unloaded.isEmpty }

  mutating func begin(_ bucket: RelayNames.Bucket) {
    if bucket == RelayNames.wants { wants = [] }
  }

  mutating func found(want key: String) { wants?.insert(key) }

  /// Returns all wants if their bucket was read from its beginning.
  mutating func end(_ bucket: RelayNames.Bucket) -> Set<String>? {
    unloaded.remove(bucket.name)
    return bucket == RelayNames.wants ? wants.take() : nil
  }
}
