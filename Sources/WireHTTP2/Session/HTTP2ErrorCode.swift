/// The code in RST_STREAM and GOAWAY (RFC 9113 §7). Numbers without a name are kept.
public struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// No error, as when a connection ends in good order.
  public static let noError = Self(rawValue: 0x0)
  /// The peer violated the protocol.
  public static let protocolError = Self(rawValue: 0x1)
  /// An unexpected error inside the endpoint.
  public static let internalError = Self(rawValue: 0x2)
  /// The peer violated flow control.
  public static let flowControlError = Self(rawValue: 0x3)
  /// The peer did not acknowledge SETTINGS in time.
  public static let settingsTimeout = Self(rawValue: 0x4)
  /// A frame arrived on a half-closed stream.
  public static let streamClosed = Self(rawValue: 0x5)
  /// A frame has an invalid size.
  public static let frameSizeError = Self(rawValue: 0x6)
  /// The stream was refused before it was processed.
  public static let refusedStream = Self(rawValue: 0x7)
  /// The stream is no longer needed.
  public static let cancel = Self(rawValue: 0x8)
  /// The HPACK state is lost.
  public static let compressionError = Self(rawValue: 0x9)
  /// The connection of a CONNECT request was reset or closed.
  public static let connectError = Self(rawValue: 0xa)
  /// The peer causes excessive load.
  public static let enhanceYourCalm = Self(rawValue: 0xb)
  /// The TLS of the connection does not meet the minimum of HTTP/2.
  public static let inadequateSecurity = Self(rawValue: 0xc)
  /// The endpoint requires HTTP/1.1.
  public static let http11Required = Self(rawValue: 0xd)

  /// The RFC's name, such as `REFUSED_STREAM`, or `ERROR_0x1f` for a number it does not list.
  public var description: String {
    let names = [
      "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
      "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
      "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]
    if rawValue < UInt32(names.count) { return names[Int(rawValue)] }
    return "ERROR_0x" + String(rawValue, radix: 16)
  }
}
