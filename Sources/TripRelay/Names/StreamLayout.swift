import FleetEngineAPI
import WireProtobuf

/// The streams of the states, which all workers and readers of a relay agree on.
///
/// With one partition, each kind of resource has one stream, such as `TRIPWIRE_TRIPS`. With 16, the states of a
/// trip are in one of `TRIPWIRE_TRIPS_16_0` to `TRIPWIRE_TRIPS_16_15`, by the hash of its name. A cluster has a
/// leader for each stream.
package struct StreamLayout: Sendable, Hashable {
  package static let choices = [1, 2, 4, 8, 16, 32, 64]
  /// The key of the bucket of poll requests that has the number of partitions.
  static let key = "partitions"

  package let partitions: Int

  /// Returns nil for a number that is not one of ``choices``.
  package init?(partitions: Int) {
    guard Self.choices.contains(partitions) else { return nil }
    self.partitions = partitions
  }

  private init(_ partitions: Int) { self.partitions = partitions }

  /// Returns the layout that has a stream of a kind with this name; nil if there is none.
  init?(stream: some StringProtocol, of kind: ResourceKind) {
    let layouts = Self.choices.lazy.map { StreamLayout($0) }
    guard
      let layout = layouts.first(where: { layout in
        layout.streams(of: kind).contains { $0.name == stream }
      })
    else { return nil }
    self = layout
  }

  static let single = StreamLayout(1)

  // MARK: Names

  /// The stream of a resource.
  func stream(of name: ResourceName) -> String {
    stream(name.kind, partition(of: name))
  }

  /// The subject of a resource in its stream: `tripwire.v1.trips.{provider}.{trip}`, or with the number of
  /// partitions and the partition, such as `tripwire.v1.partitions.trips.16.3.{provider}.{trip}`.
  func subject(of name: ResourceName) -> String {
    subjects(name.kind, partition(of: name)) + "." + RelayNames.tokens(name)
  }

  /// The names of the streams of a kind, and the beginnings of their subjects.
  func streams(of kind: ResourceKind) -> [(name: String, subjects: String)] {
    (0..<partitions).map { (stream(kind, $0), subjects(kind, $0)) }
  }

  /// The partition of a resource: the 32-bit FNV-1a hash of its provider's and its own token, as NATS computes it for
  /// `{{partition(n,1,2)}}`.
  func partition(of name: ResourceName) -> Int {
    var hash: UInt32 = 0x811c_9dc5
    for byte in RelayNames.tokens(name).utf8 where byte != UInt8(ascii: ".") {
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    return Int(hash % UInt32(partitions))
  }

  private func stream(_ kind: ResourceKind, _ partition: Int) -> String {
    "TRIPWIRE_" + kind.snakeCaseCollection.uppercased()
      + (partitions == 1 ? "" : "_\(partitions)_\(partition)")
  }

  private func subjects(_ kind: ResourceKind, _ partition: Int) -> String {
    partitions == 1
      ? "tripwire.v1.\(kind.rawValue)"
      : "tripwire.v1.partitions.\(kind.rawValue).\(partitions).\(partition)"
  }

  // MARK: The value in NATS

  var json: String {
    JSONWriter.object { json in json.member("partitions", partitions) }
  }

  /// Parses the value; nil if it is not one.
  init?(_ message: NATSMessage) {
    guard !message.isRemoval,
      let count = (try? Struct(jsonUTF8Bytes: message.data))?.integer("partitions")
    else { return nil }
    self.init(partitions: Int(clamping: count))
  }
}
