import CNghttp2
import CWireShims

/// Creates the nghttp2 session with our options and callbacks. The caller sets its user data.
func makeSession(
  _ configuration: HTTP2Configuration, isServer: Bool
) throws(HTTP2Error) -> OpaquePointer {
  var callbacks: OpaquePointer?
  var options: OpaquePointer?
  var session: OpaquePointer?
  defer {
    unsafe nghttp2_session_callbacks_del(callbacks)
    unsafe nghttp2_option_del(options)
  }
  var code = unsafe nghttp2_session_callbacks_new(&callbacks)
  if code == 0 { code = unsafe nghttp2_option_new(&options) }
  if code == 0, let callbacks = unsafe callbacks, let options = unsafe options {
    unsafe setCallbacks(callbacks)
    if isServer { unsafe setServerCallback(callbacks) }
    unsafe setOptions(options, configuration)
    code =
      unsafe isServer
      ? nghttp2_session_server_new2(&session, callbacks, nil, options)
      : nghttp2_session_client_new2(&session, callbacks, nil, options)
  }
  guard code == 0, let session = unsafe session else {
    throw .library(code, "the HTTP/2 session could not be created")
  }
  return unsafe session
}

private func setOptions(_ options: OpaquePointer, _ configuration: HTTP2Configuration) {
  unsafe nghttp2_option_set_no_auto_window_update(options, 1)
  unsafe nghttp2_option_set_max_reserved_remote_streams(options, 0)
  // gRPC requires values with leading or trailing space to be accepted.
  unsafe nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1)
  unsafe nghttp2_option_set_max_send_header_block_length(
    options, configuration.maxSendHeaderBlockLength)
  // nghttp2 counts a CONTINUATION twice when the bytes before it arrived alone. Its own limit is 8.
  unsafe CWireShims_nghttp2_option_set_max_continuations(options, 128)
}

// The callbacks only turn C into Swift. `HTTP2Session+Inbound.swift` and `HTTP2Session+Outbound.swift`
// handle them. None of them may call `mem_recv` or `mem_send`.
private func setCallbacks(_ callbacks: OpaquePointer) {
  unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
    guard let head = unsafe frame?.pointee.hd else { return 0 }
    return unsafe withSession(user) { $0.beganHeaderBlock(head) }
  }
  unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
    _, frame, name, nameCount, value, valueCount, flags, user in
    unsafe withSession(user) {
      unsafe $0.receivedHeader(
        frame, UnsafeBufferPointer(start: name, count: nameCount),
        UnsafeBufferPointer(start: value, count: valueCount), flags)
    }
  }
  unsafe nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) {
    _, frame, name, nameCount, value, valueCount, flags, user in
    unsafe withSession(user) {
      unsafe $0.receivedDoubtfulHeader(
        frame, UnsafeBufferPointer(start: name, count: nameCount),
        UnsafeBufferPointer(start: value, count: valueCount), flags)
    }
  }
  unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
    guard let frame = unsafe frame else { return 0 }
    return unsafe withSession(user) { unsafe $0.receivedFrame(frame) }
  }
  unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
    _, frame, code, user in
    guard let frame = unsafe frame else { return 0 }
    return unsafe withSession(user) { unsafe $0.receivedInvalidFrame(frame, code) }
  }
  unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
    _, _, stream, data, count, user in
    let bytes = unsafe UnsafeBufferPointer(start: data, count: count)
    return unsafe withSession(user) { unsafe $0.receivedData(stream, bytes) }
  }
  unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
    _, stream, code, user in
    unsafe withSession(user) { $0.closedStream(stream, HTTP2ErrorCode(rawValue: code)) }
  }
  unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
    guard let frame = unsafe frame else { return 0 }
    return unsafe withSession(user) { unsafe $0.sentFrame(frame) }
  }
  unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) {
    _, frame, code, user in
    guard let frame = unsafe frame else { return 0 }
    return unsafe withSession(user) { unsafe $0.didNotSend(frame.pointee.hd, code) }
  }
  unsafe nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, text, count, user in
    let text = unsafe UnsafeBufferPointer(start: text, count: count)
    return unsafe withSession(user) { unsafe $0.keepMessage(text) }
  }
}

private func setServerCallback(_ callbacks: OpaquePointer) {
  unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, head, user in
    guard let head = unsafe head?.pointee else { return 0 }
    return unsafe withSession(user) { $0.beganRequestFrame(head) }
  }
}

/// Runs `body` on the session that nghttp2 passes as user data. The session is alive, because its
/// `receive` or `send` called nghttp2; so a callback needs no retain.
func withSession(_ user: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Int32) -> Int32 {
  guard let user = unsafe user else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
  return unsafe Unmanaged<HTTP2Session>.fromOpaque(user)._withUnsafeGuaranteedRef { body($0) }
}

private func withSession(_ user: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Void) -> Int32
{
  unsafe withSession(user) { session -> Int32 in
    body(session)
    return 0
  }
}
