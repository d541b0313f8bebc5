/// The fields of a message that its type does not know, kept to be written back.
///
/// They are written after the known fields, in the order in which they were received.
///
/// A ``LeafMessage`` (`LatLng`, `Timestamp`) cannot store its unknown fields: the enclosing message
/// keeps them here, with the index and a hash of the leaf message's value. If an element of a repeated
/// field moves, its unknown fields move with it. If its value changes, they are dropped.
///
/// Map entries are also kept here if Swift considers their key equal to another key with different
/// bytes, such as composed and decomposed é. In JSON they appear in their map.
public struct UnknownFields: Hashable, Sendable {
  /// At most one element: a copy-on-write box of one word that is free while empty.
  @usableFromInline var box: [Contents] = []

  @usableFromInline
  struct Contents: Hashable, Sendable {
    /// Tags and values of the message's own unknown fields.
    var own: [UInt8] = []
    /// The unknown fields of leaf messages, by the place of the message when decoded.
    var leaves: [LeafPlace: LeafFields] = [:]
  }

  @usableFromInline
  struct LeafPlace: Hashable, Sendable {
    let field: Int
    /// The element of a repeated field, the hash of a map's key, 0 for a singular field.
    let index: Int
  }

  /// The unknown fields of one leaf message.
  @usableFromInline
  struct LeafFields: Hashable, Sendable {
    /// The hash of the message's value when decoded, to recognize it.
    var fingerprint: Int
    var bytes: [UInt8]
  }

  /// Creates an empty collection.
  public init() {}

  /// Whether there is nothing to keep.
  @inlinable
  public var isEmpty: Bool { box.isEmpty }

  /// Whether there is something to keep for leaf messages.
  @inlinable
  var hasLeaves: Bool { !box.isEmpty && keepsLeaves }

  @usableFromInline
  var keepsLeaves: Bool { !box[0].leaves.isEmpty }

  /// The message's own unknown fields, tags and values as they are on the wire.
  ///
  /// A message type that has these fields can decode them.
  public var bytes: [UInt8] { box.first?.own ?? [] }

  /// Removes all unknown fields, including those of leaf messages.
  ///
  /// ``Message/discardUnknownFields()`` also removes those of all sub-messages.
  public mutating func removeAll() { box = [] }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if box.isEmpty { box.append(Contents()) }
    box[0].own.append(contentsOf: bytes)
  }
}

// MARK: Leaf messages

extension UnknownFields {
  /// The effect of reading a field on the unknown fields of its message.
  @usableFromInline
  enum Change {
    /// A map entry does not fit in the dictionary.
    case append([UInt8])
    /// A leaf message was read: merged into one with the fingerprint `former`, or a new one.
    case read(LeafPlace, former: Int?, LeafFields)
    /// Another member of the oneof was read.
    case remove(LeafPlace)
  }

  mutating func apply(_ changes: [Change]) {
    var contents = box.popLast() ?? Contents()
    for change in changes {
      switch change {
      case .append(let bytes):
        contents.own += bytes
      case .read(let place, let former, let fields):
        if contents.leaves[place]?.fingerprint != former { contents.leaves[place] = nil }
        if !fields.bytes.isEmpty {
          contents.leaves[place, default: LeafFields(fingerprint: 0, bytes: [])].bytes +=
            fields.bytes
        }
        contents.leaves[place]?.fingerprint = fields.fingerprint
      case .remove(let place):
        contents.leaves[place] = nil
      }
    }
    if !contents.own.isEmpty || !contents.leaves.isEmpty { box.append(contents) }
  }

  /// Returns the bytes to write at the end of the leaf message of a singular field or of a map.
  ///
  /// - Parameter index: the hash of the map's key, or 0.
  @inlinable
  func bytes(ofLeaf field: Int, index: Int, fingerprint: @autoclosure () -> Int) -> [UInt8] {
    hasLeaves ? keptBytes(ofLeaf: field, index: index, fingerprint()) : []
  }

  @usableFromInline
  func keptBytes(ofLeaf field: Int, index: Int, _ fingerprint: Int) -> [UInt8] {
    guard let fields = box.first?.leaves[LeafPlace(field: field, index: index)],
      fields.fingerprint == fingerprint
    else { return [] }
    return fields.bytes
  }

  /// Returns the bytes to write at the end of the elements of a repeated field, by their indices.
  @inlinable
  func bytes<M: LeafMessage>(ofLeaves values: [M], _ field: Int) -> [Int: [UInt8]] {
    hasLeaves ? keptBytes(ofLeaves: values.map { $0.hashValue }, field) : [:]
  }

  /// Finds the elements again: at the index at which one was decoded, else the first with its value.
  @usableFromInline
  func keptBytes(ofLeaves fingerprints: [Int], _ field: Int) -> [Int: [UInt8]] {
    var found: [Int: [UInt8]] = [:]
    var moved: [Int: [LeafPlace]] = [:]
    let leaves = box.first?.leaves ?? [:]
    for (place, fields) in leaves where place.field == field {
      if fingerprints.indices.contains(place.index), fingerprints[place.index] == fields.fingerprint
      {
        found[place.index] = fields.bytes
      } else {
        moved[fields.fingerprint, default: []].append(place)
      }
    }
    guard !moved.isEmpty else { return found }
    // The last of each list is taken first.
    moved = moved.mapValues { $0.sorted { $0.index > $1.index } }
    for (index, fingerprint) in fingerprints.enumerated() where found[index] == nil {
      if let place = moved[fingerprint]?.popLast() { found[index] = leaves[place]?.bytes }
    }
    return found
  }
}
