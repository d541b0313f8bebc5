import WireHTTP2

/// A frame of HTTP/2 as a script has it, whether or not a server may send it (RFC 9113 §4.1).
struct RawFrame: Equatable {
  var type: UInt8
  var flags: UInt8
  /// That of the call if nil.
  var stream: StreamID?
  var payload: [UInt8]

  /// What is longer needs a SETTINGS_MAX_FRAME_SIZE that few clients have.
  static let payloadLimit = 1 << 24 - 1

  func bytes(on call: StreamID) -> [UInt8] {
    let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
    let number = stream ?? call
    let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    return length + [type, flags] + octets + payload
  }

  /// A header block that needs no table and leaves none changed: names and values as they are
  /// (RFC 7541 §6.2.2).
  static func block(_ fields: [HeaderField]) -> [UInt8] {
    fields.flatMap { [0] + string($0.name) + string($0.value) }
  }

  private static func string(_ text: String) -> [UInt8] {
    let octets = Array(text.utf8)
    guard octets.count >= 127 else { return [UInt8(octets.count)] + octets }
    var (length, rest) = ([127] as [UInt8], octets.count - 127)
    while rest >= 128 {
      length.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    return length + [UInt8(rest)] + octets
  }
}
