import FleetEngineAPI
import RelayAPI
import WireGRPC

/// The names of the relay's streams, subjects, buckets and keys.
enum RelayNames {
  /// The subjects under which NATS publishes accepted messages again: those of trips begin with
  /// `tripwire.v1.live`, those of others with a name such as `tripwire.v1.live-tasks`.
  static func live(_ kind: ResourceKind) -> String {
    kind == .trip ? "tripwire.v1.live" : "tripwire.v1.live-\(kind.rawValue)"
  }

  /// A key-value bucket.
  struct Bucket: Sendable, Hashable {
    let name: String
    /// Seconds after which entries are removed; 0 for never.
    let maxAge: Int

    /// The poll requests: the resources that workers poll.
    static let pollRequests = Bucket(name: "TRIPWIRE_WANTS", maxAge: 0)
    /// The heartbeats of the workers.
    static let workers = Bucket(name: "TRIPWIRE_WORKERS", maxAge: 60)
    /// How long the polls of a provider are delayed.
    static let delays = Bucket(name: "TRIPWIRE_DELAYS", maxAge: 900)

    var stream: String { "KV_\(name)" }
    var subjects: String { "$KV.\(name).>" }
    func subject(_ key: String) -> String { "$KV.\(name).\(key)" }

    /// The key of a subject of this bucket.
    func key(_ subject: String) -> Substring? {
      let prefix = "$KV.\(name)."
      return subject.hasPrefix(prefix) ? subject.dropFirst(prefix.count) : nil
    }
  }

  /// The key of a resource in a bucket: `{provider}.{trip}`, or with the kind in front, such as
  /// `tasks.{provider}.{task}`.
  static func key(_ name: ResourceName) -> String {
    (name.kind == .trip ? "" : name.kind.rawValue + ".") + tokens(name)
  }

  private static let drainPrefix = "drain."

  /// The key in the bucket of the workers that drains a worker. Workers of version 0.1.0 ignore it.
  static func drainKey(_ worker: String) -> String { drainPrefix + NATSToken.encode(worker) }

  /// Returns the worker of a key from `drainKey`; nil for any other key.
  static func drainedWorker(_ key: some StringProtocol) -> String? {
    guard key.hasPrefix(drainPrefix) else { return nil }
    return NATSToken.decode(key.dropFirst(drainPrefix.count))
  }

  /// In bytes. A line of NATS's protocol has at most 4,096, and may contain the key once.
  static let longestKey = 1_024

  /// - Throws: if no message about the resource can be sent.
  static func check(_ name: ResourceName) throws(NATSError) {
    let length = key(name).utf8.count
    guard length > longestKey else { return }
    throw NATSError(
      .other,
      "the name \("\(name)".shortened(to: 64)) is too long for the relay: its key has \(length) bytes,"
        + " at most \(longestKey) are allowed", hint: RelayHint.longName)
  }

  /// Returns nil for a key that is not a resource's, or is too long.
  static func name(_ key: some StringProtocol) -> ResourceName? {
    guard key.utf8.count <= longestKey else { return nil }
    var tokens = key.split(separator: ".", omittingEmptySubsequences: false)[...]
    let collection = tokens.count == 3 ? String(tokens.removeFirst()) : ResourceKind.trip.rawValue
    guard tokens.count == 2, let kind = ResourceKind(rawValue: collection),
      kind != .trip || tokens.startIndex == 0,
      let provider = tokens.first.flatMap({ NATSToken.decode($0) }),
      let id = tokens.last.flatMap({ NATSToken.decode($0) })
    else { return nil }
    let name = try? ResourceName("providers/\(provider)/\(kind.rawValue)/\(id)")
    return name?.kind == kind ? name : nil
  }

  static func liveSubject(_ name: ResourceName) -> String {
    "\(live(name.kind)).\(tokens(name))"
  }

  /// The provider and the resource: `{provider}.{trip}`.
  static func tokens(_ name: ResourceName) -> String {
    NATSToken.encode(name.providerID) + "." + NATSToken.encode(name.id)
  }
}
