import CEvent

extension Request {
  /// Reads what evhttp has parsed.
  init(_ request: OpaquePointer) {
    method =
      switch unsafe evhttp_request_get_command(request) {
      case EVHTTP_REQ_GET: "GET"
      case EVHTTP_REQ_HEAD: "HEAD"
      case EVHTTP_REQ_POST: "POST"
      case EVHTTP_REQ_PUT: "PUT"
      case EVHTTP_REQ_PATCH: "PATCH"
      case EVHTTP_REQ_DELETE: "DELETE"
      case EVHTTP_REQ_OPTIONS: "OPTIONS"
      default: "other"
      }
    let target = unsafe evhttp_request_get_uri(request).map { unsafe String(cString: $0) } ?? ""
    let uri = unsafe evhttp_request_get_evhttp_uri(request)
    // libevent takes what follows two slashes as a host; in a request it is a path (RFC 9112 §3.2.1).
    if target.hasPrefix("//") {
      path = target
    } else {
      path = unsafe evhttp_uri_get_path(uri).map { unsafe String(cString: $0) } ?? ""
      query = unsafe evhttp_uri_get_query(uri).map { unsafe String(cString: $0) } ?? ""
      isAbsolute = unsafe evhttp_uri_get_host(uri) != nil
    }
    let headers = unsafe evhttp_request_get_input_headers(request)
    func header(_ name: String) -> String? { unsafe Self.header(name, of: request) }
    host = header("Host")
    origin = header("Origin")
    fetchSite = header("Sec-Fetch-Site")
    contentType = header("Content-Type")
    for name in ["Host", "Origin", "Sec-Fetch-Site"] {
      // Removes the first value.
      _ = unsafe evhttp_remove_header(headers, name)
      if header(name) != nil { isAmbiguous = true }
    }
  }

  static func header(_ name: String, of request: OpaquePointer) -> String? {
    let headers = unsafe evhttp_request_get_input_headers(request)
    return unsafe evhttp_find_header(headers, name).map { unsafe String(cString: $0) }
  }

  /// Returns the body of a complete request.
  static func body(of request: OpaquePointer) -> [UInt8] {
    let input = unsafe evhttp_request_get_input_buffer(request)
    var body = [UInt8](repeating: 0, count: unsafe evbuffer_get_length(input))
    _ = unsafe evbuffer_copyout(input, &body, body.count)
    return body
  }
}
