extension Printer {
  /// Prints the bytes of a leaf message whose fields are all set and of fixed size: tag, value, tag,
  /// value.
  mutating func printFixedLayout(_ model: MessageModel) {
    var offset = 0
    let fields = model.sortedFields.map { field in
      let place = FixedLayoutField(field, offset)
      offset += 1 + place.size
      return place
    }
    line("\(access)static var _fixedLayoutSize: Int { \(offset) }")
    line()
    block("\(access)static func _hasFixedLayout(_ bytes: _FixedLayoutReader) -> Bool {") { p in
      p.conjunction(fields.map { "bytes.byte(at: \($0.offset)) == \($0.tag)" })
    }
    line()
    block("\(access)init(_fixedLayout bytes: _FixedLayoutReader) {") { p in
      for field in fields { p.line("\(field.name) = \(field.load)") }
    }
    line()
    block("\(access)var _fillsFixedLayout: Bool {") { p in
      p.conjunction(fields.map { "\($0.bits) != 0" })
    }
    line()
    block("\(access)func _write(fixedLayout bytes: _FixedLayoutWriter) {") { p in
      for field in fields {
        p.line("bytes.set(\(field.tag), at: \(field.offset))")
        p.line("bytes.set(fixed\(field.size * 8): \(field.bits), at: \(field.offset + 1))")
      }
    }
  }
}

private struct FixedLayoutField {
  let name: String
  let tag: Int
  let offset: Int
  let size: Int
  private let type: ScalarType

  init(_ field: FieldModel, _ offset: Int) {
    name = field.reference
    self.offset = offset
    guard case .scalar(let type) = field.type, let size = type.fixedSize else {
      self.type = .double
      self.size = 8
      tag = 0
      return
    }
    self.type = type
    self.size = size
    tag = field.number << 3 | (size == 8 ? 1 : 5)
  }

  /// The value as an unsigned integer.
  var bits: String {
    switch type {
    case .double, .float: "\(name).bitPattern"
    case .sfixed32: "UInt32(bitPattern: \(name))"
    case .sfixed64: "UInt64(bitPattern: \(name))"
    default: name
    }
  }

  var load: String {
    let bits = "bytes.fixed\(size * 8)(at: \(offset + 1))"
    return switch type {
    case .double, .float, .sfixed32, .sfixed64: "\(type.swiftName)(bitPattern: \(bits))"
    default: bits
    }
  }
}
