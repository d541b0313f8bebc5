import WireProtobuf

/// Writes JSON (RFC 8259) without white space, with numbers as GeoJSON needs them.
package struct GeoJSONWriter {
  package private(set) var bytes: [UInt8] = []
  /// Whether the next member or element is the first.
  private var isFirst = true

  package init() {}

  package mutating func object(_ members: (inout GeoJSONWriter) -> Void) {
    enclose("{", "}", members)
  }

  package mutating func array(_ elements: (inout GeoJSONWriter) -> Void) {
    enclose("[", "]", elements)
  }

  private mutating func enclose(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout GeoJSONWriter) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    isFirst = true
    body(&self)
    isFirst = false
    bytes.append(UInt8(ascii: close))
  }

  package mutating func element(_ value: (inout GeoJSONWriter) -> Void) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    value(&self)
  }

  package mutating func member(_ name: String, _ value: (inout GeoJSONWriter) -> Void) {
    element { json in
      json.string(name)
      json.bytes.append(UInt8(ascii: ":"))
      value(&json)
    }
  }

  package mutating func member(_ name: String, _ text: String) {
    member(name) { $0.string(text) }
  }

  package mutating func member(_ name: String, _ number: Double) {
    member(name) { $0.number(number) }
  }

  mutating func numbers(_ numbers: [Double]) {
    array { json in
      for number in numbers { json.element { $0.number(number) } }
    }
  }

  package mutating func bool(_ value: Bool) {
    bytes += value ? Array("true".utf8) : Array("false".utf8)
  }

  /// Writes at most seven decimals, and `null` for values that no coordinate has. Computes with
  /// integers and writes no exponent.
  package mutating func number(_ value: Double) {
    guard value.magnitude < 9e11 else {
      bytes += Array("null".utf8)
      return
    }
    let digits = Int64(value.magnitude * 1e7 + 0.5)
    if value < 0, digits > 0 { bytes.append(UInt8(ascii: "-")) }
    bytes += Array(String(digits / 10_000_000).utf8)
    var decimals = digits % 10_000_000
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var place: Int64 = 1_000_000
    while decimals > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(decimals / place))
      decimals %= place
      place /= 10
    }
  }

  /// Writes a value that is JSON already.
  package mutating func json(_ value: some Sequence<UInt8>) { bytes += value }

  package mutating func string(_ text: String) { bytes += text.quotedAsJSON.utf8 }
}
