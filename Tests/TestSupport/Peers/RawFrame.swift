public import WireHTTP2

/// An HTTP/2 frame, encoded and parsed without a library (RFC 9113 §4.1, §6), so that tests can
/// send invalid frames and check the exact bytes.
public struct RawFrame: Sendable, Hashable {
  public var type: UInt8
  public var flags: UInt8
  public var stream: UInt32
  public var payload: [UInt8]

  public init(_ type: Kind, flags: Flags = [], stream: Int = 0, _ payload: [UInt8] = []) {
    self.init(type: type.rawValue, flags: flags.rawValue, stream: stream, payload)
  }

  public init(type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
    self.type = type
    self.flags = flags
    self.stream = UInt32(truncatingIfNeeded: stream)
    self.payload = payload
  }

  public enum Kind: UInt8 {
    case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let endStream = Self(rawValue: 0x1)
    public static let acknowledge = Self(rawValue: 0x1)
    public static let endHeaders = Self(rawValue: 0x4)
    public static let padded = Self(rawValue: 0x8)
  }

  public var kind: Kind? { Kind(rawValue: type) }
  public func has(_ flag: Flags) -> Bool { flags & flag.rawValue != 0 }

  /// The encoded frame.
  public var bytes: [UInt8] {
    Array(bigEndian(UInt32(payload.count)).dropFirst()) + [type, flags] + bigEndian(stream)
      + payload
  }

  /// The `index`-th 32-bit number of the payload, such as the code of a RST_STREAM.
  public func number(at index: Int = 0) -> UInt32 {
    payload.dropFirst(index * 4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The identifier-value pairs of a SETTINGS payload.
  public var settings: [UInt16: UInt32] {
    var all: [UInt16: UInt32] = [:]
    for start in stride(from: 0, to: payload.count - 5, by: 6) {
      let id = UInt16(payload[start]) << 8 | UInt16(payload[start + 1])
      all[id] = payload[(start + 2)..<(start + 6)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    return all
  }

  /// The client's connection preface.
  public static let clientPreface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// Removes the complete frames at the start of `bytes` and returns them.
  public static func takeFrames(from bytes: inout [UInt8]) -> [RawFrame] {
    var frames: [RawFrame] = []
    var rest = bytes[...]
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = head[0..<3].reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 9 + length else { break }
      let stream = head[5..<9].reduce(0) { $0 << 8 | Int($1) }
      let payload = Array(rest.dropFirst(9).prefix(length))
      frames.append(RawFrame(type: head[3], flags: head[4], stream: stream, payload))
      rest = rest.dropFirst(9 + length)
    }
    bytes = Array(rest)
    return frames
  }
}

// MARK: Common frames

extension RawFrame {
  public static func settings(_ entries: (UInt16, UInt32)...) -> RawFrame {
    RawFrame(.settings, entries.flatMap { bigEndian($0.0) + bigEndian($0.1) })
  }

  public static let settingsAcknowledgement = RawFrame(.settings, flags: .acknowledge)

  public static func headers(
    _ stream: Int, _ fields: [HeaderField], endStream: Bool = false
  ) -> RawFrame {
    let flags: Flags = endStream ? [.endHeaders, .endStream] : .endHeaders
    return RawFrame(.headers, flags: flags, stream: stream, literalHeaderBlock(fields))
  }

  /// Returns a DATA frame. With `padding`, the payload has a length byte before and that many bytes
  /// after the data.
  public static func data(
    _ stream: Int, _ bytes: [UInt8], endStream: Bool = false, padding: UInt8? = nil
  ) -> RawFrame {
    var frame = RawFrame(.data, flags: endStream ? .endStream : [], stream: stream, bytes)
    if let padding {
      frame.flags |= Flags.padded.rawValue
      frame.payload = [padding] + bytes + Array(repeating: 0, count: Int(padding))
    }
    return frame
  }

  public static func reset(_ stream: Int, _ code: HTTP2ErrorCode) -> RawFrame {
    RawFrame(.resetStream, stream: stream, bigEndian(code.rawValue))
  }

  public static func goAway(
    last: UInt32, _ code: HTTP2ErrorCode = .noError, debug: String = ""
  ) -> RawFrame {
    RawFrame(.goAway, bigEndian(last) + bigEndian(code.rawValue) + Array(debug.utf8))
  }

  public static func ping(_ opaque: UInt64, acknowledge: Bool = false) -> RawFrame {
    RawFrame(.ping, flags: acknowledge ? .acknowledge : [], bigEndian(opaque))
  }

  public static func windowUpdate(_ stream: Int, _ increment: UInt32) -> RawFrame {
    RawFrame(.windowUpdate, stream: stream, bigEndian(increment))
  }
}

public func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// A header block of literals without indexing and without Huffman code (RFC 7541 §6.2.2).
public func literalHeaderBlock(_ fields: [HeaderField]) -> [UInt8] {
  fields.flatMap { [0x00] + literal($0.name) + literal($0.value) }
}

/// A string literal: its length in a 7-bit prefix integer (RFC 7541 §5.1, §5.2), then its octets.
private func literal(_ string: String) -> [UInt8] {
  let octets = Array(string.utf8)
  guard octets.count >= 127 else { return [UInt8(octets.count)] + octets }
  var length: [UInt8] = [127]
  var rest = octets.count - 127
  while rest >= 128 {
    length.append(UInt8(rest % 128 + 128))
    rest /= 128
  }
  return length + [UInt8(rest)] + octets
}
