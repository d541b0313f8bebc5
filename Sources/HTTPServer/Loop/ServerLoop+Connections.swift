import CEvent
import WireSystem

// evhttp accepts connections and reads requests. Its own timeout starts again with each byte, and it
// limits neither connections nor the bytes that a client sends during a response. These limits are
// added here.
extension ServerLoop {
  func listen(on socket: ListeningSocket) throws(HTTPServerError) {
    guard
      let listener = unsafe evconnlistener_new(
        base, nil, nil, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, socket.descriptor)
    else {
      closeDescriptor(socket.descriptor)
      throw Self.outOfMemory
    }
    guard let http = unsafe evhttp_new(base), unsafe evhttp_bind_listener(http, listener) != nil
    else {
      unsafe evconnlistener_free(listener)
      throw Self.outOfMemory
    }
    unsafe (self.http, self.listener) = unsafe (http, listener)
    // The connection still waits after EMFILE, so the loop would spin. `checkTimes` tries again.
    unsafe evconnlistener_set_error_cb(listener) { listener, _ in
      _ = unsafe evconnlistener_disable(listener)
    }
    unsafe evhttp_set_max_headers_size(http, options.limits.headerBytes)
    unsafe evhttp_set_max_body_size(http, options.onTap == nil ? 0 : options.limits.tapBytes)
    // Also unknown methods, so that the router refuses them.
    unsafe evhttp_set_allowed_methods(http, .max)
    unsafe evhttp_set_bevcb(
      http,
      { _, loop in
        var bufferevent: OpaquePointer?
        unsafe withLoop(loop) { unsafe bufferevent = unsafe $0.makeBufferevent() }
        return unsafe bufferevent
      }, user)
    unsafe evhttp_set_gencb(
      http,
      { request, loop in
        guard let request = unsafe request else { return }
        unsafe withLoop(loop) { unsafe $0.respond(to: request) }
      }, user)
  }

  // MARK: Accept

  /// Whether no further connection is accepted.
  var isCrowded: Bool {
    let count = unsafe connections.count + accepted.count
    return count >= maxConnections || count - pageCount >= options.limits.otherConnections
  }

  func acceptMore() {
    guard let listener = unsafe listener, !isCrowded else { return }
    _ = unsafe evconnlistener_enable(listener)
  }

  /// Makes the bufferevent of a connection that evhttp is about to create.
  private func makeBufferevent() -> OpaquePointer? {
    guard let bufferevent = unsafe bufferevent_socket_new(base, -1, 0) else { return nil }
    // evhttp continues to read during a response, to notice that the client closes.
    let limit = options.limits.headerBytes
    unsafe bufferevent_setwatermark(bufferevent, Int16(EV_READ), 0, 2 * limit)
    var timeout = timeval(options.limits.writeTimeout)
    _ = unsafe bufferevent_set_timeouts(bufferevent, nil, &timeout)
    // Until it is adopted, evhttp may free it.
    unsafe bufferevent_incref(bufferevent)
    unsafe accepted.append(bufferevent)
    if unsafe accepted.count == 1 { unsafe event_active(adoptEvent, EV_TIMEOUT, 0) }
    if isCrowded { _ = unsafe evconnlistener_disable(listener) }
    return unsafe bufferevent
  }

  /// Finds the evhttp connections of new bufferevents.
  ///
  /// evhttp has no function for it before the first request, but the connection is the argument of
  /// the bufferevent's callbacks. It is nil if evhttp has freed the bufferevent.
  func adoptAccepted() {
    let now = ContinuousClock.now
    while let bufferevent = unsafe accepted.popLast() {
      var argument: UnsafeMutableRawPointer?
      unsafe bufferevent_getcb(bufferevent, nil, nil, nil, &argument)
      if let argument = unsafe argument {
        let pointer = OpaquePointer(argument)
        let connection = unsafe Connection(pointer, waitingSince: now)
        connections[Int(bitPattern: pointer)] = connection
        unsafe evhttp_connection_set_closecb(
          pointer,
          { pointer, loop in
            unsafe withLoop(loop) { $0.closed(Int(bitPattern: pointer)) }
          }, user)
        unsafe setOptions(of: bufferevent_getfd(bufferevent))
      }
      _ = unsafe bufferevent_decref(bufferevent)
    }
  }

  private func setOptions(of descriptor: Int32) {
    _ = SystemCalls.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // The kernel would keep megabytes of old states for a page that does not read.
    _ = SystemCalls.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, 64 << 10)
  }

  // MARK: Close

  /// libevent is about to free the connection. Called once for each.
  private func closed(_ key: Int) {
    guard let connection = connections.removeValue(forKey: key) else { return }
    if let page = connection.page {
      // evhttp frees the unfinished request if we close the connection, but not if the connection failed.
      if page.state != .ended, unsafe evhttp_request_get_connection(page.request) == nil {
        unsafe evhttp_request_free(page.request)
      }
      changePageCount(by: -1)
    }
    acceptMore()
  }

  func changePageCount(by change: Int) {
    pageCount += change
    updates.connectedPages = pageCount
    options.onPagesChange?(pageCount)
  }
}
