/// The unknown fields of plain messages, which cannot keep them, between being read and being
/// kept by the message around.
@usableFromInline
struct PlainLeftovers {
  /// At most one element: a box that is free while empty.
  private var box: [Contents] = []

  private struct Contents {
    /// Of the plain message being read.
    var current: [UInt8] = []
    /// Of those that were read, which may have none.
    var placed: [UnknownFields.PlacedEntry] = []
    /// Entries of maps that have no place in their dictionaries, which end up there too.
    var entries: [UInt8] = []
    /// How many elements repeated plain fields have, by their numbers.
    var counts: [Int: Int] = [:]
  }

  @usableFromInline
  init() {}

  /// Whether nothing waits for the message around.
  var isEmpty: Bool {
    guard let contents = box.first else { return true }
    return contents.placed.isEmpty && contents.entries.isEmpty && contents.counts.isEmpty
  }

  /// Adds unknown fields of the plain message being read.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if box.isEmpty { box.append(Contents()) }
    unsafe box[0].current.append(contentsOf: bytes)
  }

  /// Takes those of the plain message just read, which no other message is to keep.
  @discardableResult
  mutating func take() -> [UInt8] {
    guard !box.isEmpty else { return [] }
    defer { box[0].current = [] }
    return box[0].current
  }

  /// Ends the plain message being read.
  mutating func place(at place: UnknownFields.Place, isNew: Bool, fingerprint: Int) {
    if box.isEmpty { box.append(Contents()) }
    let entry = UnknownFields.PlainEntry(fingerprint: fingerprint, bytes: box[0].current)
    box[0].placed.append((place, isNew, entry))
    box[0].current = []
  }

  /// Keeps an entry of a map.
  mutating func append(entry: UnsafeRawBufferPointer) {
    if box.isEmpty { box.append(Contents()) }
    unsafe box[0].entries.append(contentsOf: entry)
  }

  mutating func note(count: Int, of field: Int) {
    if box.isEmpty { box.append(Contents()) }
    box[0].counts[field] = count
  }

  /// Moves everything to the message around.
  mutating func move(to unknownFields: inout UnknownFields) {
    guard let contents = box.first, !isEmpty else { return }
    if !contents.entries.isEmpty { unknownFields.append(contents.entries) }
    unknownFields.place(contents.placed, counts: contents.counts)
    box[0] = Contents()
  }
}
