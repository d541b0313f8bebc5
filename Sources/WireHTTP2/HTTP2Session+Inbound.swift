import CNghttp2

/// What received frames mean. Called by nghttp2 within `receive`.
extension HTTP2Session {
  final func receivedHeader(
    _ stream: StreamID, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>,
    _ isSensitive: Bool
  ) -> Int32 {
    let limit = configuration.maxHeaderListSize
    guard headerBlock.admits(octets: name.count + value.count, limit: limit) else {
      return refuseHeaderList(stream, limit)
    }
    let text = unsafe isSensitive ? String(decoding: value, as: UTF8.self) : strings.string(value)
    headerBlock.append(unsafe HeaderField(strings.string(name), text, isSensitive: isSensitive))
    return 0
  }

  private func refuseHeaderList(_ stream: StreamID, _ limit: Int) -> Int32 {
    violations[stream] = HTTP2Error(
      .headerListTooLarge, "the peer sent a header list above our limit of \(limit) octets",
      code: .enhanceYourCalm)
    headerBlock.begin()
    let code = HTTP2ErrorCode.enhanceYourCalm.rawValue
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, code)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }

  final func receivedFrame(_ frame: UnsafePointer<nghttp2_frame>) {
    let head = unsafe frame.pointee.hd
    switch head.type {
    case HTTP2Frame.Kind.data:
      if endsStream(head), streams[head.stream_id] != nil {
        let none = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        unsafe appendData(head.stream_id, none, endStream: true)
      }
    case HTTP2Frame.Kind.headers:
      receivedHeaderBlock(head.stream_id, endStream: endsStream(head))
    case HTTP2Frame.Kind.resetStream:
      reset = (head.stream_id, byPeer: true)
    case HTTP2Frame.Kind.settings where !isAcknowledgement(head):
      receivedSettings()
    case HTTP2Frame.Kind.ping where isAcknowledgement(head):
      let octets = unsafe frame.pointee.ping.opaque_data
      append(.pingAcknowledged(unsafe UInt64(bigEndian: unsafeBitCast(octets, to: UInt64.self))))
    case HTTP2Frame.Kind.goAway:
      unsafe receivedGoAway(frame.pointee.goaway)
    default:
      break
    }
  }

  private func receivedHeaderBlock(_ stream: StreamID, endStream: Bool) {
    if isServer, streams[stream] == nil {
      streams[stream] = OutboundBody()
      floodGuard.earn()
      append(.headers(stream, headerBlock.take(), endStream: endStream))
      return
    }
    guard streams[stream] != nil else { return }
    switch isServer ? .trailers : headerBlock.kind {
    case .informational:
      append(.informational(stream, headerBlock.take()))
    case .final:
      floodGuard.earn()
      append(.headers(stream, headerBlock.take(), endStream: endStream))
    case .trailers:
      floodGuard.earn()
      append(.trailers(stream, headerBlock.take()))
    }
  }

  final func receivedData(_ stream: StreamID, _ bytes: UnsafeBufferPointer<UInt8>) {
    floodGuard.earn()
    guard streams[stream] != nil else {
      // Nobody will consume it.
      consume(stream, bytes.count)
      return
    }
    unsafe appendData(stream, bytes, endStream: false)
  }

  private func receivedSettings() {
    let settings = HTTP2Settings(
      headerTableSize: remoteSetting(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE),
      maxConcurrentStreams: remoteSetting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS),
      initialWindowSize: remoteSetting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE),
      maxFrameSize: remoteSetting(NGHTTP2_SETTINGS_MAX_FRAME_SIZE),
      maxHeaderListSize: remoteSetting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE))
    remoteSettings = settings
    firstBytes = []
    append(.settings(settings))
  }

  private func remoteSetting(_ id: nghttp2_settings_id) -> UInt32 {
    unsafe nghttp2_session_get_remote_settings(pointer, id)
  }

  private func receivedGoAway(_ frame: nghttp2_goaway) {
    let (last, code) = unsafe (frame.last_stream_id, HTTP2ErrorCode(rawValue: frame.error_code))
    let debug = unsafe UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
    lastGoAway = last
    append(.goAway(lastStreamID: last, errorCode: code, debugData: unsafe Array(debug)))
  }

  final func receivedInvalidFrame(_ head: nghttp2_frame_hd, _ code: Int32) {
    guard streams[head.stream_id] != nil, violations[head.stream_id] == nil else { return }
    violations[head.stream_id] = violation(remark ?? "the peer broke HTTP/2", nil, code)
  }

  /// Keeps what nghttp2 says of the peer's mistakes, for the error that follows.
  final func noteRemark(_ text: UnsafeBufferPointer<CChar>) {
    let bytes = unsafe UnsafeRawBufferPointer(text).prefix(300)
    remark = unsafe String(decoding: bytes, as: UTF8.self)
  }

  final func violation(
    _ detail: String, _ told: HTTP2ErrorCode?, _ code: Int32? = nil
  ) -> HTTP2Error {
    remark = nil
    return HTTP2Error(.protocolViolation, detail, code: told, libraryCode: code)
  }

  final func closedStream(_ stream: StreamID, _ code: HTTP2ErrorCode) {
    close(stream, closure(stream, code))
    reset = nil
    notSent = nil
  }

  private func closure(_ stream: StreamID, _ code: HTTP2ErrorCode) -> StreamClosure {
    if let reset, reset.stream == stream, reset.byPeer { return .resetByPeer(code) }
    if let violation = violations[stream] { return .violation(violation) }
    if let reset, reset.stream == stream {
      return .violation(violation(remark ?? "the peer broke HTTP/2", code))
    }
    if let lastGoAway, stream > lastGoAway, !isServer { return .unprocessed }
    if let notSent, notSent.stream == stream { return .notSent(notSent.error) }
    return code == .noError ? .finished : .resetLocally(code)
  }
}

private func endsStream(_ head: nghttp2_frame_hd) -> Bool {
  UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
}

private func isAcknowledgement(_ head: nghttp2_frame_hd) -> Bool {
  UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue != 0
}
