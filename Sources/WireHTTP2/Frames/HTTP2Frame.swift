/// The head of a frame (RFC 9113 §4.1), for tracing.
public struct HTTP2Frame: Sendable, Hashable, CustomStringConvertible {
  public let type: UInt8
  public let flags: UInt8
  public let streamID: StreamID
  /// The length of the payload in octets, including padding.
  public let length: Int

  /// Such as `HEADERS stream=1 length=43 END_STREAM|END_HEADERS`.
  public var description: String {
    var text = "\(typeName) stream=\(streamID) length=\(length)"
    if flags != 0 { text += " " + flagNames.joined(separator: "|") }
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
    let names: [(UInt8, String)] =
      switch type {
      case Kind.settings, Kind.ping: [(0x1, "ACK")]
      case Kind.data: [(0x1, "END_STREAM"), (0x8, "PADDED")]
      case Kind.headers, Kind.continuation:
        [(0x1, "END_STREAM"), (0x4, "END_HEADERS"), (0x8, "PADDED"), (0x20, "PRIORITY")]
      default: []
      }
    let rest = names.reduce(flags) { $0 & ~$1.0 }
    return names.filter { flags & $0.0 != 0 }.map(\.1)
      + (rest == 0 ? [] : ["0x" + String(rest, radix: 16)])
  }

  static let headLength = 9

  /// Returns a complete GOAWAY frame, for cases in which nghttp2 writes none.
  static func goAway(_ code: HTTP2ErrorCode) -> [UInt8] {
    let octets = stride(from: 24, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: code.rawValue >> $0)
    }
    return [0, 0, 8, Kind.goAway, 0, 0, 0, 0, 0, 0, 0, 0, 0] + octets
  }

  enum Kind {
    static let data: UInt8 = 0x0
    static let headers: UInt8 = 0x1
    static let resetStream: UInt8 = 0x3
    static let settings: UInt8 = 0x4
    static let ping: UInt8 = 0x6
    static let goAway: UInt8 = 0x7
    static let continuation: UInt8 = 0x9
  }
}
