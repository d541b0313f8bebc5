/// The unknown fields of plain messages, which cannot keep them, between being read and being
/// kept by the message around.
@usableFromInline
struct PlainLeftovers {
  /// At most one element: a box that is free while empty.
  private var box: [Contents] = []

  private struct Contents {
    /// Of the plain message being read.
    var current: [UInt8] = []
    /// Of those that were read.
    var placed: [(place: UnknownFields.Place, fingerprint: Int, bytes: [UInt8])] = []
    /// Places whose values were replaced.
    var forgotten: [UnknownFields.Place] = []
    /// How many elements repeated plain fields have, by their numbers.
    var counts: [Int: Int] = [:]
  }

  @usableFromInline
  init() {}

  /// Whether nothing waits for the message around.
  var isEmpty: Bool {
    box.first.map { $0.placed.isEmpty && $0.forgotten.isEmpty && $0.counts.isEmpty } ?? true
  }

  /// Adds unknown fields of the plain message being read.
  mutating func append(_ bytes: [UInt8]) {
    if box.isEmpty { box.append(Contents()) }
    box[0].current += bytes
  }

  /// Forgets those of the plain message just read.
  mutating func drop() {
    if !box.isEmpty { box[0].current = [] }
  }

  /// Takes those of the plain message just read, which is in no other.
  mutating func take() -> [UInt8] {
    guard !box.isEmpty else { return [] }
    defer { box[0].current = [] }
    return box[0].current
  }

  /// Ends the plain message being read.
  mutating func place(at place: UnknownFields.Place, fingerprint: Int) {
    guard !box.isEmpty else { return }
    box[0].placed.append((place, fingerprint, box[0].current))
    box[0].current = []
  }

  /// Has the message around forget what it keeps for a place, before it gets more for it.
  mutating func forget(_ place: UnknownFields.Place) {
    if box.isEmpty { box.append(Contents()) }
    box[0].forgotten.append(place)
  }

  mutating func note(count: Int, of field: Int) {
    if box.isEmpty { box.append(Contents()) }
    box[0].counts[field] = count
  }

  /// Moves everything to the message around.
  mutating func move(to unknownFields: inout UnknownFields) {
    guard let contents = box.first, !isEmpty else { return }
    for place in contents.forgotten { unknownFields.forget(place) }
    for entry in contents.placed {
      unknownFields.append(entry.bytes, ofPlain: entry.place, fingerprint: entry.fingerprint)
    }
    unknownFields.setCounts(contents.counts)
    box[0] = Contents()
  }
}
