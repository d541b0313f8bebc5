import WireGRPC
import WireHTTP2
import WireIO

/// Tells those who observe a server what becomes of a call: what the client said, and what a client makes
/// of what it is told.
final class CallStory {
  private let listeners: [ServedCall.Listener]
  private var client = CallStateMachine(
    wantsOneMessage: false, maxReceiveMessageSize: messageLimit, deadline: nil)
  private var hasEnded = false

  /// As long as an entry of a binary log may be.
  private static let messageLimit = 64 << 20

  /// Nil when nobody wants to hear of it.
  init?(_ fields: [HeaderField], peer: String, _ observers: [ServedCall.Observer]) {
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    let call = ServedCall(
      path: value(":path") ?? "", authority: value(":authority") ?? "", peer: peer)
    listeners = observers.compactMap { $0(call) }
    guard !listeners.isEmpty else { return nil }
    tell(
      .start(
        metadata: Metadata(received: fields),
        timeout: value("grpc-timeout").flatMap(Timeout.decode)))
  }

  // MARK: The client

  func hear(_ messages: some Sequence<[UInt8]>) {
    for bytes in messages {
      let message = MessageDeframer.Message(isCompressed: false, bytes: bytes)
      tell(.requestMessage(CallMessage(message: message, limit: Self.messageLimit)))
    }
  }

  func hearEnd() { tell(.requestEnd) }

  /// It wants no more of the call, or has gone.
  func giveUp() { end(.failure(.local(.cancelled, "canceled by the client"))) }

  // MARK: The server

  /// A call of the recording or the script answers.
  func match(_ text: String) {
    guard !hasEnded else { return }
    for listener in listeners { listener(.match(text)) }
  }

  func say(_ content: Answer.Step.Content) {
    guard !hasEnded else { return }
    switch content {
    case .headers(let list):
      take(client.receiveHeaders(ResponseHead(list.fields), endStream: false, now: .now))
    case .alone(let list):
      take(client.receiveHeaders(ResponseHead(list.fields), endStream: true, now: .now))
    case .trailers(let list):
      take(client.receiveTrailers(ResponseStatus(list.fields), now: .now))
    case .message(let frame): say(frame, endStream: false)
    case .data(let bytes, _, let endStream): say(bytes, endStream: endStream)
    case .signal(.reset(let code)):
      take(client.streamClosed(.resetByPeer(code), now: .now))
    case .signal: break
    }
  }

  private func say(_ bytes: [UInt8], endStream: Bool) {
    var messages: [MessageDeframer.Message] = []
    let action = client.receiveData(bytes[...], endStream: endStream, into: &messages)
    for message in messages {
      tell(.responseMessage(CallMessage(message: message, limit: Self.messageLimit)))
    }
    take(action)
  }

  /// The server says so by itself.
  func refuse(_ refusal: Refusal) {
    var error = CallError.local(refusal.status.code, refusal.status.message)
    if !refusal.status.details.isEmpty {
      error.metadata = ["grpc-status-details-bin": .binary(refusal.status.details)]
    }
    end(.failure(error))
  }

  private func take(_ action: consuming CallStateMachine.Action) {
    switch action {
    case .wait: break
    case .begin(let metadata): tell(.responseHeaders(metadata))
    case .succeed(let trailers): end(.success(trailers))
    case .fail(let error, _): end(.failure(error))
    case .sendElsewhere(let reason, _): end(.failure(.transport(.unavailable, reason)))
    }
  }

  private func end(_ result: Result<Metadata, CallError>) {
    tell(.end(result))
    hasEnded = true
  }

  private func tell(_ event: CallEvent) {
    guard !hasEnded else { return }
    for listener in listeners { listener(.exchange(event)) }
  }
}
