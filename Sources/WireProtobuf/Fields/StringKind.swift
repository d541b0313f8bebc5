/// `string`: UTF-8, validated when read.
public struct StringKind: MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var initial: String { "" }

  @inlinable
  public static func isInitial(_ value: String) -> Bool { value.isEmpty }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> String {
    try reader.string()
  }

  @inlinable
  public static func size(of value: String) -> Int {
    let count = value.utf8.count
    return varintSize(UInt64(truncatingIfNeeded: count)) &+ count
  }

  @inlinable
  public static func write(_ value: String, to writer: inout WireWriter) throws(WireWriter.Full) {
    try writer.put(string: value)
  }

  public static func areSame(_ a: String, _ b: String) -> Bool {
    a.utf8.elementsEqual(b.utf8)
  }

  /// Swift hashes and compares strings in a normal form, for which it sorts consecutive combining
  /// marks. Sorting n marks takes about n² steps.
  public static func hashingCost(_ value: String) -> Int {
    // A mark takes at least two bytes, so short strings always stay within the memory budget.
    guard value.utf8.count > 256 else { return 0 }
    var cost = 0
    var marks = 0
    for scalar in value.unicodeScalars {
      // The first combining mark is U+0300.
      marks = scalar.value >= 0x300 && scalar.isMark ? marks &+ 1 : 0
      cost &+= marks
    }
    return cost
  }

  /// Orders by UTF-8 bytes.
  public static func isOrdered(_ a: String, before b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  @inlinable
  public static func jsonKey(_ value: String) -> String { value }

  @inlinable
  public static func key(json name: String) -> String? { name }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}

extension FieldKind where Self == StringKind {
  /// `string`, UTF-8 with its length before it.
  @inlinable
  public static var string: StringKind { StringKind() }
}
