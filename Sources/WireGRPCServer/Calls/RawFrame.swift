package import WireHTTP2

/// An HTTP/2 frame that is sent as it is, whether or not the protocol allows it (RFC 9113 §4.1).
package struct RawFrame: Equatable {
  var type: UInt8
  var flags: UInt8
  /// The stream of the call if nil.
  var stream: StreamID?
  package var payload: [UInt8]

  /// The largest payload that a frame's length field allows.
  package static let payloadLimit = 1 << 24 - 1

  package init(type: UInt8, flags: UInt8, stream: StreamID?, payload: [UInt8]) {
    self.type = type
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  func bytes(on call: StreamID) -> [UInt8] {
    let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
    let number = stream ?? call
    let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    return length + [type, flags] + octets + payload
  }

  /// Encodes a header block without the dynamic table: literal names and values
  /// (RFC 7541 §6.2.2).
  package static func block(_ fields: [HeaderField]) -> [UInt8] {
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
