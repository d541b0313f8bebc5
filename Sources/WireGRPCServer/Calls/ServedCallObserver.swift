import WireGRPC
import WireHTTP2

/// Reports a call to the observers of a server: the request as sent, and the response as a client would
/// read it.
package final class ServedCallObserver {
  private let listeners: [ServedCall.Listener]
  private var client = CallStateMachine(
    expectsOneMessage: false, maxReceiveMessageSize: messageLimit, deadline: nil)
  private var hasEnded = false

  /// The largest entry of a binary log.
  private static let messageLimit = 64 << 20

  /// Returns nil if no observer accepts the call.
  init?(_ fields: [HeaderField], peer: String, _ observers: [ServedCall.Observer]) {
    let call = ServedCall(
      path: fields.value(of: ":path") ?? "", authority: fields.value(of: ":authority") ?? "",
      peer: peer)
    listeners = observers.compactMap { $0(call) }
    guard !listeners.isEmpty else { return nil }
    report(
      .start(
        metadata: Metadata(received: fields),
        timeout: fields.value(of: "grpc-timeout").flatMap(Timeout.decode)))
  }

  /// Executes a unary call that came by another protocol, and reports it.
  ///
  /// - Parameters:
  ///   - token: its bearer token; nil for none.
  ///   - request: in binary form.
  ///   - answer: executes the call.
  package static func report(
    _ call: ServedCall, token: String?, _ request: [UInt8],
    to observers: [ServedCall.Observer], _ answer: () -> (UnaryAnswer, delay: Duration)
  ) -> (UnaryAnswer, delay: Duration) {
    var head = [HeaderField(":path", call.path), HeaderField(":authority", call.authority)]
    if let token { head.append(HeaderField("authorization", "Bearer \(token)")) }
    let observer = ServedCallObserver(head, peer: call.peer, observers)
    observer?.receive([request])
    observer?.receiveEnd()
    let result = answer()
    for action in result.0.actions { observer?.send(action) }
    // Without a response, the client gives up.
    observer?.cancel()
    return result
  }

  // MARK: The client

  func receive(_ messages: some Sequence<[UInt8]>) {
    for bytes in messages {
      let message = MessageDeframer.Message(isCompressed: false, bytes: bytes)
      report(.requestMessage(CallMessage(message: message, limit: Self.messageLimit)))
    }
  }

  func receiveEnd() { report(.requestEnd) }

  /// The client has canceled the call or disconnected.
  func cancel() { end(.failure(.local(.cancelled, "canceled by the client"))) }

  // MARK: The server

  /// The server has chosen a response.
  package func match(_ text: String) {
    guard !hasEnded else { return }
    for listener in listeners { listener(.match(text)) }
  }

  func send(_ action: ResponseAction) {
    guard !hasEnded else { return }
    switch action {
    case .headers(let list):
      take(client.receiveHeaders(ResponseHead(list.fields), endStream: false, now: .now))
    case .trailersOnly(let list):
      take(client.receiveHeaders(ResponseHead(list.fields), endStream: true, now: .now))
    case .trailers(let list):
      take(client.receiveTrailers(ResponseStatus(list.fields), now: .now))
    case .message(let frame): send(frame, endStream: false)
    case .data(let bytes, _, let endStream): send(bytes, endStream: endStream)
    case .control(.reset(let code)):
      take(client.streamClosed(.resetByPeer(code), now: .now))
    case .control: break
    }
  }

  private func send(_ bytes: [UInt8], endStream: Bool) {
    var messages: [MessageDeframer.Message] = []
    let action = client.receiveData(bytes[...], endStream: endStream, into: &messages)
    for message in messages {
      report(.responseMessage(CallMessage(message: message, limit: Self.messageLimit)))
    }
    take(action)
  }

  /// The server ends the call by itself.
  func refuse(_ refusal: Refusal) {
    var error = CallError.local(refusal.status.code, refusal.status.message)
    if !refusal.status.details.isEmpty {
      error.trailers = ["grpc-status-details-bin": .binary(refusal.status.details)]
    }
    end(.failure(error))
  }

  private func take(_ action: consuming CallStateMachine.Action) {
    switch action {
    case .wait, .ignore, .limit: break
    case .begin(let metadata): report(.responseHeaders(metadata))
    case .succeed(let trailers): end(.success(trailers))
    case .fail(let error, _): end(.failure(error))
    case .retryTransparently(let reason, _): end(.failure(.transport(.unavailable, reason)))
    }
  }

  private func end(_ result: Result<Metadata, CallError>) {
    report(.end(result))
    hasEnded = true
  }

  private func report(_ event: CallEvent) {
    guard !hasEnded else { return }
    for listener in listeners { listener(.exchange(event)) }
  }
}
