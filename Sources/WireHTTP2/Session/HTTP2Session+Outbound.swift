import CNghttp2
import WireSystem

/// Notes the frames that are sent and supplies their bodies. nghttp2 calls it within `send`.
extension HTTP2Session {
  final func sentFrame(_ frame: UnsafePointer<nghttp2_frame>) {
    let head = unsafe frame.pointee.hd
    switch head.type {
    case HTTP2Frame.Kind.data, HTTP2Frame.Kind.headers:
      abuseBudget.earn(AbuseBudget.progress)
      if head.type == HTTP2Frame.Kind.headers, head.stream_id > lastOpenedStream {
        lastOpenedStream = head.stream_id
      }
      if isServer, endsStream(head) { declineRestOfRequest(head.stream_id) }
    case HTTP2Frame.Kind.resetStream:
      endings.lastReset = (head.stream_id, byPeer: false)
      let code = unsafe frame.pointee.rst_stream.error_code
      guard isServer, code != HTTP2ErrorCode.noError.rawValue else { return }
      if streams[head.stream_id] != nil { abuseBudget.charge(AbuseBudget.resetCost) }
    case HTTP2Frame.Kind.goAway:
      unsafe sentGoAway(frame.pointee.goaway)
    default:
      break
    }
  }

  /// Stops the request once the server's response is complete (RFC 9113 §8.1). Otherwise the stream
  /// would count against the limit for as long as the client keeps sending.
  private func declineRestOfRequest(_ stream: StreamID) {
    guard unsafe nghttp2_session_get_stream_remote_close(pointer, stream) == 0 else { return }
    let code = HTTP2ErrorCode.noError.rawValue
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, stream, code)
  }

  /// A GOAWAY that we did not submit is nghttp2's own, with the reason in its debug data.
  private func sentGoAway(_ frame: nghttp2_goaway) {
    let code = unsafe HTTP2ErrorCode(rawValue: frame.error_code)
    guard code != .noError, code != goAwaySubmitted else { return }
    let reason = unsafe UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
    if reason.count > 0 { libraryMessage = unsafe String(decoding: reason, as: UTF8.self) }
    if code == .compressionError, let stream = headerBlock.longStream {
      // nghttp2 uses this code for a string above 64 KiB too, the likelier cause in a long block.
      let detail =
        "the peer sent a header field of more than 65536 octets, or an invalid header block"
      close(stream, .violation(HTTP2Error(.headerListTooLarge, detail, code: code)))
    }
    let expectsSettings = remoteSettings == nil && !isServer
    let firstBytes = received.firstBytes
    let first = firstBytes.count > 3 ? firstBytes[3] : nil
    if expectsSettings, first == HTTP2Frame.Kind.goAway, firstBytes.count >= 17 {
      fail(.goAwayFirst(firstBytes))
    } else if expectsSettings, first != HTTP2Frame.Kind.settings {
      fail(.notHTTP2(firstBytes))
    } else {
      fail(violation(code))
    }
  }

  final func didNotSend(_ head: nghttp2_frame_hd, _ code: Int32) {
    guard head.type == HTTP2Frame.Kind.headers else { return }
    let error = HTTP2Error.library(
      code, "the headers of stream \(head.stream_id) could not be sent", kind: .notSent)
    endings.unsentHeaders = (head.stream_id, error)
    guard isServer, streams[head.stream_id] != nil else { return }
    // nghttp2 closes a request that it could not send, but leaves the stream of a response open.
    let code = HTTP2ErrorCode.internalError.rawValue
    unsafe nghttp2_submit_rst_stream(pointer, noFlags, head.stream_id, code)
    close(head.stream_id, .notSent(error))
  }

  /// Makes nghttp2 read the stream's body from `streams`: bytes, end and trailers.
  static func bodySource() -> nghttp2_data_provider {
    unsafe nghttp2_data_provider(source: nghttp2_data_source()) {
      _, stream, buffer, capacity, flags, _, user in
      let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
      return Int(unsafe withSession(user) { unsafe $0.readBody(stream, into: target, flags) })
    }
  }

  private func readBody(
    _ stream: StreamID, into target: UnsafeMutableRawBufferPointer,
    _ flags: UnsafeMutablePointer<UInt32>?
  ) -> Int32 {
    guard let read = unsafe streams[stream]?.read(into: target) else {
      return NGHTTP2_ERR_DEFERRED.rawValue
    }
    var mark: UInt32 = 0
    switch read.end {
    case nil:
      noteDrained(stream, read.count)
    case .open:
      noteDrained(stream, read.count)
      if read.count == 0 { return NGHTTP2_ERR_DEFERRED.rawValue }
    case .endStream:
      mark = NGHTTP2_DATA_FLAG_EOF.rawValue
    case .trailers(let fields):
      mark = NGHTTP2_DATA_FLAG_EOF.rawValue | NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
      _ = unsafe fields.withNameValueArray { array, count in
        unsafe nghttp2_submit_trailer(pointer, stream, array, count)
      }
    }
    unsafe flags?.pointee |= mark
    return Int32(truncatingIfNeeded: read.count)
  }

  /// Reports `bodyDrained` when reading `count` bytes took the body below the low-water mark.
  private func noteDrained(_ stream: StreamID, _ count: Int) {
    guard let body = streams[stream], body.isOpen else { return }
    let low = configuration.bodyLowWater
    if body.unsent < low, body.unsent + count >= low { append(.bodyDrained(stream)) }
  }
}
