extension FieldMask {
  /// Creates the mask of the fields that differ between two messages. Merging `after` into `before`
  /// with this mask and ``MergeOptions/replace`` applies the changes.
  ///
  /// A path leads into a sub-message if both messages have it, but not into a well-known type: a
  /// timestamp is one value. A mask cannot name unknown fields. Different unknown fields of the
  /// message itself are therefore ignored. If a sub-message differs only in its unknown fields, the
  /// mask contains the path of the whole sub-message.
  public init<M: Message>(changesFrom before: M, to after: M) {
    self.init(changesFrom: before.serializedBytes(), to: after.serializedBytes(), in: M.fields)
  }

  /// Creates the mask of the fields of the message itself that differ, without those of sub-messages.
  package init<M: Message>(changedFieldsFrom before: M, to after: M) {
    let (before, after) = (before.serializedBytes(), after.serializedBytes())
    self.init(paths: Self.changes(M.fields, before[...], after[...], under: "", isDeep: false))
  }

  /// Creates the mask of the fields that differ between two messages in binary form.
  ///
  /// - Parameter fields: those of the type of the messages.
  package init(changesFrom before: [UInt8], to after: [UInt8], in fields: FieldTable) {
    self.init(paths: Self.changes(fields, before[...], after[...], under: "", isDeep: true))
  }

  private static func changes(
    _ fields: FieldTable, _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>,
    under prefix: String, isDeep: Bool
  ) -> [String] {
    var (before, after) = (before, after)
    trimEqualRecords(&before, &after)
    let (old, new) = (Occurrence.all(in: before), Occurrence.all(in: after))
    let changed = Self.changed(old, before, new, after)
    guard !changed.isEmpty else { return [] }
    var paths: [String] = []
    for field in fields.fields {
      guard let change = changed.first(where: { $0.number == field.number }) else { continue }
      let path = "\(prefix)\(field.name)"
      var inner: [String] = []
      if isDeep, field.cardinality == .singular, let type = field.message,
        !(type is any CustomJSONMessage.Type), let old = change.old, let new = change.new
      {
        inner = changes(type.fields, before[old], after[new], under: path + ".", isDeep: true)
      }
      paths += inner.isEmpty ? [path] : inner
    }
    return paths
  }

  /// Leaves out equal records at the beginning and at the end, because most changes are small.
  private static func trimEqualRecords(
    _ before: inout ArraySlice<UInt8>, _ after: inout ArraySlice<UInt8>
  ) {
    let ends = (
      prefix: unsafe commonPrefix(before.span.bytes, after.span.bytes),
      suffix: unsafe commonSuffix(before.span.bytes, after.span.bytes)
    )
    let (start, old, new) = unsafe differentRecords(before.span.bytes, after.span.bytes, ends)
    before = before.dropFirst(start).prefix(old - start)
    after = after.dropFirst(start).prefix(new - start)
  }

  /// Where the different records begin on both sides, and where they end on either.
  ///
  /// - Parameter ends: the numbers of equal bytes at the beginning and at the end.
  private static func differentRecords(
    _ before: RawSpan, _ after: RawSpan, _ ends: (prefix: Int, suffix: Int)
  ) -> (start: Int, old: Int, new: Int) {
    let all = (old: before.byteCount, new: after.byteCount)
    var (start, position) = (0, 0)
    while let record = WireRecord(after, at: &position), record.end <= ends.prefix {
      start = record.end
    }
    // Equal bytes before a common end are equal records from the first common boundary on.
    let suffix = min(ends.suffix, all.old - start, all.new - start)
    var (old, new) = (start, start)
    while all.old - old != all.new - new || all.old - old > suffix {
      if all.old - old >= all.new - new, WireRecord(before, at: &old) == nil {
        return (start, all.old, all.new)
      }
      if all.new - new > all.old - old, WireRecord(after, at: &new) == nil {
        return (start, all.old, all.new)
      }
    }
    return (start, old, new)
  }

  /// The numbers of the fields that differ, with the last payloads on both sides.
  private static func changed(
    _ old: [Occurrence], _ before: ArraySlice<UInt8>, _ new: [Occurrence],
    _ after: ArraySlice<UInt8>
  ) -> [(number: Int, old: Range<Int>?, new: Range<Int>?)] {
    var changed: [(number: Int, old: Range<Int>?, new: Range<Int>?)] = []
    var (left, right) = (old[...], new[...])
    while true {
      let number: Int
      switch (left.first?.number, right.first?.number) {
      case (let one?, let other?): number = min(one, other)
      case (let one?, nil): number = one
      case (nil, let other?): number = other
      case (nil, nil): return changed
      }
      let one = left.first?.number == number ? left.removeFirst() : nil
      let other = right.first?.number == number ? right.removeFirst() : nil
      if let one, let other, one.others == other.others, before[one.range] == after[other.range] {
        continue
      }
      changed.append((number, one?.payload, other?.payload))
    }
  }
}

/// The records of one field in a message in binary form.
private struct Occurrence {
  let number: Int
  /// The first records, without others between them.
  var range: Range<Int>
  /// The bytes of later records. Only unknown fields are out of order.
  var others: [UInt8] = []
  /// The payload of the last record.
  var payload: Range<Int>?

  /// The fields of a message, in the order of their numbers.
  static func all(in message: ArraySlice<UInt8>) -> [Occurrence] {
    var fields: [Occurrence] = []
    var rest = message
    while let record = WireRecord(&rest) {
      let last = fields.count - 1
      if last < 0 || fields[last].number < record.number {
        fields.append(Occurrence(record))
      } else if fields[last].number == record.number, fields[last].range.upperBound == record.start
      {
        fields[last].range = fields[last].range.lowerBound..<record.end
        fields[last].payload = record.payload
      } else {
        add(record, of: message, to: &fields)
      }
    }
    return fields
  }

  private init(_ record: WireRecord) {
    (number, range) = (record.number, record.start..<record.end)
    payload = record.payload
  }

  private static func add(
    _ record: WireRecord, of message: ArraySlice<UInt8>, to fields: inout [Occurrence]
  ) {
    let index = fields.lastIndex { $0.number <= record.number }
    guard let index, fields[index].number == record.number else {
      fields.insert(Occurrence(record), at: index.map { $0 + 1 } ?? 0)
      return
    }
    fields[index].others += message[record.start..<record.end]
    fields[index].payload = record.payload
  }
}

/// The number of equal bytes at the beginning.
private func commonPrefix(_ a: RawSpan, _ b: RawSpan) -> Int {
  let count = min(a.byteCount, b.byteCount)
  var index = 0
  while index + 8 <= count {
    let difference =
      unsafe a.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self).littleEndian
      ^ b.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self).littleEndian
    if difference != 0 { return index + difference.trailingZeroBitCount / 8 }
    index += 8
  }
  while index < count,
    unsafe a.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
      == b.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  { index += 1 }
  return index
}

/// The number of equal bytes at the end.
private func commonSuffix(_ a: RawSpan, _ b: RawSpan) -> Int {
  let count = min(a.byteCount, b.byteCount)
  var length = 0
  while length + 8 <= count {
    let (i, j) = (a.byteCount - length - 8, b.byteCount - length - 8)
    let difference =
      unsafe a.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self).littleEndian
      ^ b.unsafeLoadUnaligned(fromUncheckedByteOffset: j, as: UInt64.self).littleEndian
    if difference != 0 { return length + difference.leadingZeroBitCount / 8 }
    length += 8
  }
  while length < count,
    unsafe a.unsafeLoad(fromUncheckedByteOffset: a.byteCount - length - 1, as: UInt8.self)
      == b.unsafeLoad(fromUncheckedByteOffset: b.byteCount - length - 1, as: UInt8.self)
  { length += 1 }
  return length
}
