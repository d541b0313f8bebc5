import CNghttp2
import WireSystem

/// Turns received frames into events. nghttp2 calls it within `receive`.
extension HTTP2Session {
  // MARK: Headers

  final func beganHeaderBlock(_ head: nghttp2_frame_hd) {
    let isOneFrame = UInt32(head.flags) & NGHTTP2_FLAG_END_HEADERS.rawValue != 0
    headerBlock.begin(head.stream_id, isOneFrame: isOneFrame)
  }

  final func receivedHeader(
    _ frame: UnsafePointer<nghttp2_frame>?, _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>, _ flags: UInt8
  ) -> Int32 {
    guard let frame = unsafe frame else { return 0 }
    let limit = configuration.maxHeaderListSize
    let isSensitive = UInt32(flags) & NGHTTP2_NV_FLAG_NO_INDEX.rawValue != 0
    guard unsafe headerBlock.append(name, value, isSensitive: isSensitive, limit: limit) else {
      return unsafe refuseHeaderList(frame.pointee.hd.stream_id, limit)
    }
    return 0
  }

  /// Handles a field that nghttp2 considers invalid. Control characters and unusual names that
  /// RFC 9113 §8.2.1 allows are accepted, as gRPC requires; others make the response malformed.
  final func receivedDoubtfulHeader(
    _ frame: UnsafePointer<nghttp2_frame>?, _ name: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>, _ flags: UInt8
  ) -> Int32 {
    let isName = unsafe name.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ":") }
    let isValue = unsafe !value.contains { $0 == 0x00 || $0 == 0x0a || $0 == 0x0d }
    guard isName, isValue, name.count > 0 else {
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    return unsafe receivedHeader(frame, name, value, flags)
  }

  private func refuseHeaderList(_ stream: StreamID, _ limit: Int) -> Int32 {
    let code = HTTP2ErrorCode.enhanceYourCalm
    endings.violations[stream] = HTTP2Error(
      .headerListTooLarge, "the peer sent a header list above the limit of \(limit) octets",
      code: code)
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, code.rawValue)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }

  private func receivedRequest(_ stream: StreamID, endStream: Bool) {
    guard streams[stream] == nil else { return }
    streams[stream] = OutboundBody()
    abuseBudget.earn(AbuseBudget.progress)
    append(.headers(stream, headerBlock.take(), endStream: endStream))
  }

  private func receivedHeaderBlock(_ stream: StreamID, endStream: Bool) {
    guard streams[stream] != nil else { return }
    let fields = headerBlock.take()
    switch HeaderBlock.Kind(fields) {
    case .informational:
      abuseBudget.charge(AbuseBudget.informationalCost)
      checkFlood()
      append(.informational(stream, fields))
    case .final:
      abuseBudget.earn(AbuseBudget.progress)
      append(.headers(stream, fields, endStream: endStream))
    case .trailers:
      abuseBudget.earn(AbuseBudget.progress)
      append(.trailers(stream, fields))
    }
  }

  // MARK: Frames

  /// Ends the connection for HEADERS on a stream that the client has skipped. nghttp2 ignores them.
  final func beganRequestFrame(_ head: nghttp2_frame_hd) {
    guard failure == nil, head.type == HTTP2Frame.Kind.headers, head.stream_id % 2 == 1
    else { return }
    if openedStreams.hasSkipped(head.stream_id) {
      end(.protocolViolation, .protocolError, "HEADERS on a stream below the last one")
    } else {
      openedStreams.insert(head.stream_id)
    }
  }

  final func receivedFrame(_ frame: UnsafePointer<nghttp2_frame>) {
    let head = unsafe frame.pointee.hd
    if libraryMessage != nil { libraryMessage = nil }
    switch head.type {
    case HTTP2Frame.Kind.data:
      guard endsStream(head) else { return }
      let none = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      unsafe appendData(head.stream_id, none, endStream: true)
    case HTTP2Frame.Kind.headers:
      if unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
        receivedRequest(head.stream_id, endStream: endsStream(head))
      } else {
        receivedHeaderBlock(head.stream_id, endStream: endsStream(head))
      }
    case HTTP2Frame.Kind.resetStream:
      endings.lastReset = (head.stream_id, byPeer: true)
    case HTTP2Frame.Kind.settings:
      if !isAcknowledgement(head) { receivedSettings() }
    case HTTP2Frame.Kind.ping:
      guard isAcknowledgement(head) else { return }
      let octets = unsafe frame.pointee.ping.opaque_data
      append(.pingAcknowledged(unsafe UInt64(bigEndian: unsafeBitCast(octets, to: UInt64.self))))
    case HTTP2Frame.Kind.goAway:
      unsafe receivedGoAway(frame.pointee.goaway)
    default:
      break
    }
  }

  final func receivedData(_ stream: StreamID, _ bytes: UnsafeBufferPointer<UInt8>) {
    abuseBudget.earn(AbuseBudget.progress)
    if streams[stream] == nil {
      // No other code returns it to the connection's window.
      consume(stream, bytes.count)
    } else {
      unsafe appendData(stream, bytes, endStream: false)
    }
  }

  private func receivedSettings() {
    let settings = HTTP2Settings(
      headerTableSize: remoteSetting(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE),
      maxConcurrentStreams: remoteSetting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS),
      initialWindowSize: remoteSetting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE),
      maxFrameSize: remoteSetting(NGHTTP2_SETTINGS_MAX_FRAME_SIZE),
      maxHeaderListSize: remoteSetting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE))
    remoteSettings = settings
    received.settingsArrived()
    append(.settings(settings))
  }

  private func remoteSetting(_ id: nghttp2_settings_id) -> UInt32 {
    unsafe nghttp2_session_get_remote_settings(pointer, id)
  }

  private func receivedGoAway(_ frame: nghttp2_goaway) {
    let (last, code) = unsafe (frame.last_stream_id, HTTP2ErrorCode(rawValue: frame.error_code))
    let debug = unsafe UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
    if !isServer { endings.lastProcessed = last }
    append(.goAway(lastStreamID: last, errorCode: code, debugData: unsafe Array(debug)))
    abandonUnsent()
  }

  // MARK: Violations and ends

  final func receivedInvalidFrame(_ frame: UnsafePointer<nghttp2_frame>, _ code: Int32) {
    let head = unsafe frame.pointee.hd
    guard streams[head.stream_id] != nil, endings.violations[head.stream_id] == nil else { return }
    if code == NGHTTP2_ERR_HTTP_MESSAGING.rawValue, head.type == HTTP2Frame.Kind.headers,
      unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_RESPONSE, !headerBlock.hasPseudoHeader
    {
      libraryMessage = "the response headers have no :status"
    }
    endings.violations[head.stream_id] = violation(HTTP2ErrorCode(libraryCode: code), code)
  }

  /// Keeps nghttp2's message about a violation, for the error that follows. It quotes the peer, so
  /// control characters are masked: they could reach a terminal.
  final func keepMessage(_ text: UnsafeBufferPointer<CChar>) {
    let bytes = unsafe UnsafeRawBufferPointer(text).prefix(300)
    let masked = unsafe bytes.map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: "?") : $0 }
    let message = String(decoding: masked, as: UTF8.self)
    // "Invalid HTTP header field was received: frame type: 1, stream: 1, name: [x], value: [y]"
    let parts = message.split(separator: ",", maxSplits: 2)
    let isField = message.hasPrefix("Invalid HTTP header field") && parts.count == 3
    libraryMessage = isField ? "invalid header field:\(parts[2])" : message
  }

  final func violation(_ reported: HTTP2ErrorCode, _ code: Int32? = nil) -> HTTP2Error {
    defer { libraryMessage = nil }
    let detail = libraryMessage ?? reported.violation
    return HTTP2Error(.protocolViolation, detail, code: reported, libraryCode: code)
  }

  final func closedStream(_ stream: StreamID, _ code: HTTP2ErrorCode) {
    close(stream, endings.closure(stream, code) { violation($0) })
  }
}

func endsStream(_ head: nghttp2_frame_hd) -> Bool {
  UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
}

private func isAcknowledgement(_ head: nghttp2_frame_hd) -> Bool {
  UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue != 0
}

extension HTTP2ErrorCode {
  /// The code that nghttp2 sends for an invalid frame of a stream.
  fileprivate init(libraryCode: Int32) {
    self =
      switch libraryCode {
      case NGHTTP2_ERR_FLOW_CONTROL.rawValue: .flowControlError
      case NGHTTP2_ERR_STREAM_CLOSED.rawValue: .streamClosed
      default: .protocolError
      }
  }

  /// The violation that this code reports, for those about which nghttp2 has no message.
  fileprivate var violation: String {
    switch self {
    case .compressionError: "invalid header block"
    case .frameSizeError: "invalid frame size"
    case .flowControlError: "DATA or WINDOW_UPDATE above the flow-control limit"
    case .streamClosed: "frame on a closed stream"
    default: "malformed HTTP message"
    }
  }
}
