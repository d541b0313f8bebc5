// Locates an error. Decoding keeps no path: after an error the input is walked again, down to the
// field in which the reader stopped.

extension WireReader {
  /// Returns the error for a reason that ``Message/read(from:)`` threw.
  func error(
    _ reason: DecodingError.Reason, in input: UnsafeRawBufferPointer, of type: any PathType
  ) -> DecodingError {
    let offset = unsafe input.baseAddress.map { start in unsafe cursor - start } ?? 0
    // After a tag the cursor may be at the end of the message; the byte before is in the field.
    let probe = reason == .truncatedTag || reason == .malformedTag ? offset : offset - 1
    var path = FieldPath(text: type.shortName)
    path.descend(into: type, unsafe [UInt8](input)[...], to: probe)
    return DecodingError(reason: reason, fieldPath: path.text, byteOffset: offset)
  }
}

private struct FieldPath {
  var text: String

  /// Appends the fields that contain the byte at `offset`.
  mutating func descend(into type: (any PathType)?, _ message: ArraySlice<UInt8>, to offset: Int) {
    var rest = message
    var seen: [Int: Int] = [:]
    while let record = WireRecord(&rest) {
      let index = seen[record.number, default: 0]
      seen[record.number] = index + 1
      guard offset < record.end else { continue }
      guard offset >= record.start else { return }

      if type?.isMessageSet == true, record.number == 1, record.wireType == .startGroup,
        descend(intoItem: message[record.valueStart..<record.end], of: type, to: offset)
      {
        return
      }
      let field = type?.field(record.number)
      text += field?.step ?? ".\(record.number)"
      if let field, field.cardinality != .singular { text += "[\(index)]" }
      guard let payload = record.payload, payload.contains(offset) else { return }
      let inner = message[payload.clamped(to: message.indices)]
      if let field, field.cardinality == .map {
        descend(into: MapEntryType(value: field.type), inner, to: offset)
      } else if let type = field?.type {
        descend(into: type, inner, to: offset)
      }
      return
    }
  }

  /// Appends the extension of a message set item, and the fields in its message.
  ///
  /// - Returns: false if the item has no type ID or the extension is unknown.
  private mutating func descend(
    intoItem item: ArraySlice<UInt8>, of type: (any PathType)?, to offset: Int
  ) -> Bool {
    let records = WireRecord.all(in: item)
    var typeID = item[item.endIndex...]
    if let record = records.first(where: { $0.number == 2 && $0.wireType == .varint }) {
      typeID = item[record.valueStart..<record.end]
    }
    guard let number = WireRecord.varint(&typeID),
      let field = type?.field(Int(UInt32(truncatingIfNeeded: number)))
    else { return false }
    text += field.step
    if let payload = records.first(where: { $0.number == 3 && $0.payload != nil })?.payload,
      payload.contains(offset)
    {
      descend(into: field.type, item[payload.clamped(to: item.indices)], to: offset)
    }
    return true
  }
}
