/// The fields of a message that its type does not know, kept to be written back.
///
/// They are written after the known fields, in the order they came in. Those inside a plain
/// sub-message (one that holds only numbers, as `LatLng` or `Timestamp`) are kept here too, in
/// the message around it, which keeps plain messages small. They belong to the place: they stay
/// when the value there changes. When a repeated field has grown or shrunk since, only those of
/// elements that are still what and where they were stay.
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

  mutating func append(_ bytes: [UInt8], ofPlain place: Place, fingerprint: Int) {
    if box.isEmpty { box.append(Contents()) }
    box[0].plain[place, default: PlainEntry(fingerprint: 0, bytes: [])].bytes += bytes
    box[0].plain[place]?.fingerprint = fingerprint
  }

  /// Drops what is kept for a plain sub-message.
  mutating func forget(_ place: Place) {
    guard !box.isEmpty, box[0].plain.removeValue(forKey: place) != nil else { return }
    if box[0].own.isEmpty, box[0].plain.isEmpty { box = [] }
  }

  /// Notes how long repeated plain fields have become.
  mutating func setCounts(_ counts: [Int: Int]) {
    guard !box.isEmpty else { return }
    box[0].counts.merge(counts) { _, new in new }
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
