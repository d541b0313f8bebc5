import CEvent

/// A response that is not sent at once.
@safe struct LateResponse {
  enum Action {
    case send(HTTPResponse)
    case disconnect
  }

  let action: Action
  /// Nil if it is never sent.
  let due: ContinuousClock.Instant?
  let response: Response
  /// The `evhttp_request`, valid until the response is sent or the connection is closed.
  private let request: OpaquePointer

  /// Returns nil for a response that is sent at once.
  init?(_ answer: HTTPResponse, _ response: Response, to request: OpaquePointer) {
    switch answer.delivery {
    case .atOnce: return nil
    case .after(let delay): (action, due) = (.send(answer), .now + delay)
    case .never: (action, due) = (.disconnect, nil)
    case .disconnect: (action, due) = (.disconnect, .now)
    }
    self.response = response
    unsafe self.request = unsafe request
  }

  /// Frees the request after its connection has been closed.
  func free() {
    // evhttp frees it if we close the connection, but not if the connection failed.
    guard unsafe evhttp_request_get_connection(request) == nil else { return }
    unsafe evhttp_request_free(request)
  }
}
