/// The head of a frame (RFC 9113 §4.1), for tracing.
public struct HTTP2Frame: Sendable, Hashable, CustomStringConvertible {
  public let type: UInt8
  public let flags: UInt8
  public let streamID: StreamID
  /// Octets of the payload, padding included.
  public let length: Int

  /// Such as `HEADERS stream=1 length=43 END_STREAM|END_HEADERS`.
  public var description: String {
    var text = "\(typeName) stream=\(streamID) length=\(length)"
    let names = flagNames
    if !names.isEmpty { text += " " + names.joined(separator: "|") }
    return text
  }

  private var typeName: String {
    let names = [
      "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY",
      "WINDOW_UPDATE", "CONTINUATION",
    ]
    return Int(type) < names.count ? names[Int(type)] : "FRAME_0x" + String(type, radix: 16)
  }

  private var flagNames: [String] {
    var names: [String] = []
    let carriesAck = type == Kind.settings || type == Kind.ping
    if flags & 0x1 != 0 { names.append(carriesAck ? "ACK" : "END_STREAM") }
    if flags & 0x4 != 0 { names.append("END_HEADERS") }
    if flags & 0x8 != 0 { names.append("PADDED") }
    if flags & 0x20 != 0 { names.append("PRIORITY") }
    return names
  }

  /// The frame types that the code asks for.
  enum Kind {
    static let data: UInt8 = 0x0
    static let headers: UInt8 = 0x1
    static let resetStream: UInt8 = 0x3
    static let settings: UInt8 = 0x4
    static let ping: UInt8 = 0x6
    static let goAway: UInt8 = 0x7
  }
}
