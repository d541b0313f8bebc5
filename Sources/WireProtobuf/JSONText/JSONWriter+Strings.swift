// Quoted strings, and bytes as base64.

extension JSONWriter {
  /// Writes a quoted string. Quotes, backslashes and control characters are escaped.
  @usableFromInline
  package mutating func put(string: String) {
    var string = string
    string.withUTF8 { bytes in
      reserve(bytes.count + 2)
      put(UInt8(ascii: "\""))
      var start = 0
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        unsafe put(UnsafeBufferPointer(rebasing: bytes[start..<index]))
        put(escape: byte)
        start = index + 1
      }
      unsafe put(UnsafeBufferPointer(rebasing: bytes[start...]))
      put(UInt8(ascii: "\""))
    }
  }

  private mutating func put(escape byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): put("\\\"")
    case UInt8(ascii: "\\"): put("\\\\")
    case 0x08: put("\\b")
    case 0x09: put("\\t")
    case 0x0A: put("\\n")
    case 0x0C: put("\\f")
    case 0x0D: put("\\r")
    default:
      put("\\u00")
      put(hex: byte >> 4)
      put(hex: byte & 15)
    }
  }

  private mutating func put(hex digit: UInt8) {
    put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }

  /// Writes quoted base64 in the standard alphabet, with padding (RFC 4648 section 4).
  mutating func put(base64 bytes: [UInt8]) {
    put(UInt8(ascii: "\""))
    reserve((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let group =
        UInt32(bytes[index]) << 16
        | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      put(sextet: group >> 18)
      put(sextet: group >> 12)
      left > 1 ? put(sextet: group >> 6) : put(UInt8(ascii: "="))
      left > 2 ? put(sextet: group) : put(UInt8(ascii: "="))
      index += 3
    }
    put(UInt8(ascii: "\""))
  }

  private mutating func put(sextet value: UInt32) {
    let sextet = UInt8(value & 63)
    switch sextet {
    case 0..<26: put(UInt8(ascii: "A") + sextet)
    case 26..<52: put(UInt8(ascii: "a") + sextet - 26)
    case 52..<62: put(UInt8(ascii: "0") + sextet - 52)
    case 62: put(UInt8(ascii: "+"))
    default: put(UInt8(ascii: "/"))
    }
  }
}

extension String {
  /// This string as a JSON string: quoted and escaped.
  package var quotedAsJSON: String {
    var writer = JSONWriter(JSONEncodingOptions())
    defer { writer.deallocate() }
    writer.put(string: self)
    return unsafe String(decoding: writer.bytes, as: UTF8.self)
  }
}
