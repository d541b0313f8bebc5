/// The fields of a message that its type does not know, kept to be written back.
///
/// They are written after the known fields, in the order they came in. Those inside a plain
/// sub-message (one that holds only numbers, as `LatLng` or `Timestamp`) are kept here too, in
/// the message around it, which keeps plain messages small. They belong to the place: they stay
/// when the value there changes. When a repeated field has grown or shrunk since, only those of
/// elements that are still what and where they were stay.
///
/// So are entries of maps whose string keys are equal in Swift to that of another entry and are not
/// the same: é as one code point and as two. JSON shows these in their map.
public struct UnknownFields: Hashable, Sendable {
  /// At most one element: a copy-on-write box of one word that is free while empty.
  @usableFromInline var box: [Contents] = []

  @usableFromInline
  struct Contents: Hashable, Sendable {
    /// Tags and values of the message's own unknown fields.
    var own: [UInt8] = []
    /// What plain sub-messages could not keep.
    var plain: [Place: PlainEntry] = [:]
    /// For each repeated plain field with entries, how many elements it had when decoded.
    var counts: [Int: Int] = [:]
  }

  /// Where a plain sub-message is.
  struct Place: Hashable, Sendable {
    let field: Int
    /// The element of a repeated field, the hash of a map's key, 0 for a singular field.
    let index: Int
  }

  /// The unknown fields of one plain sub-message.
  struct PlainEntry: Hashable, Sendable {
    /// The value's hash when decoded, by which an element of a changed array is recognised.
    var fingerprint: Int
    var bytes: [UInt8]
  }

  public init() {}

  /// Whether there is nothing to keep.
  @inlinable
  public var isEmpty: Bool { box.isEmpty }

  /// Whether there is something to keep for plain sub-messages.
  @inlinable
  var hasPlain: Bool { !box.isEmpty && keepsPlain }

  @usableFromInline
  var keepsPlain: Bool { !box[0].plain.isEmpty }

  /// The message's own unknown fields, tags and values as they are on the wire.
  ///
  /// A message type that has these fields can decode them.
  public var bytes: [UInt8] { box.first?.own ?? [] }

  /// Forgets all of them, those of plain sub-messages too.
  ///
  /// ``Message/discardUnknownFields()`` goes into all sub-messages.
  public mutating func removeAll() { box = [] }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if box.isEmpty { box.append(Contents()) }
    box[0].own.append(contentsOf: bytes)
  }

  /// What was read at a place: instead of what was there, or merged into it.
  typealias PlacedEntry = (place: Place, isNew: Bool, entry: PlainEntry)

  /// Keeps the unknown fields of plain sub-messages.
  ///
  /// - Parameter counts: how long repeated plain fields have become.
  mutating func place(_ entries: [PlacedEntry], counts: [Int: Int]) {
    var contents = box.popLast() ?? Contents()
    for (place, isNew, entry) in entries {
      if isNew { contents.plain[place] = nil }
      if !entry.bytes.isEmpty {
        let empty = PlainEntry(fingerprint: 0, bytes: [])
        contents.plain[place, default: empty].bytes += entry.bytes
      }
      contents.plain[place]?.fingerprint = entry.fingerprint
    }
    for (field, count) in counts
    where contents.counts[field] != nil || entries.contains(where: { $0.place.field == field }) {
      contents.counts[field] = count
    }
    if !contents.own.isEmpty || !contents.plain.isEmpty { box.append(contents) }
  }

  /// The bytes to write at the end of a plain sub-message.
  ///
  /// - Parameter count: the number of elements now; nil where the field is not repeated.
  @inlinable
  func bytes(
    ofPlain field: Int, index: Int, count: Int?, fingerprint: @autoclosure () -> Int
  ) -> [UInt8] {
    box.isEmpty ? [] : keptBytes(ofPlain: field, index: index, count: count, fingerprint())
  }

  @usableFromInline
  func keptBytes(
    ofPlain field: Int, index: Int, count: Int?, _ fingerprint: @autoclosure () -> Int
  ) -> [UInt8] {
    guard let contents = box.first,
      let entry = contents.plain[Place(field: field, index: index)],
      count == nil || count == contents.counts[field] || entry.fingerprint == fingerprint()
    else { return [] }
    return entry.bytes
  }
}
