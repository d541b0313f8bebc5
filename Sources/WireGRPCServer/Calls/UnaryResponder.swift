package import WireGRPC
import WireHTTP2

/// The end of a unary call.
package enum UnaryAnswer {
  /// The response in binary form.
  case response([UInt8])
  case failure(RPCStatus)
  /// The call stays open until its deadline.
  case silence
  /// The connection is closed.
  case disconnect
}

/// Answers a call once its request is complete.
package final class UnaryResponder: CallResponder {
  private let onShutDown: [ResponseAction]
  private let answer: ([[UInt8]]) throws(Refusal) -> (actions: [ResponseAction], delay: Duration)
  /// The actions not sent yet.
  private var actions: ArraySlice<ResponseAction> = []
  /// Whether the request is complete. Not `answerTime != nil`, which makes several calls of the runtime.
  private var isAnswered = false
  /// The time from which the actions are due.
  private var answerTime: ContinuousClock.Instant?

  /// - Parameter answer: returns the response to the messages of a request.
  init(
    finalActions: [ResponseAction] = [],
    _ answer: @escaping ([[UInt8]]) throws(Refusal) -> [ResponseAction]
  ) {
    onShutDown = finalActions
    self.answer = { messages throws(Refusal) in (try answer(messages), .zero) }
  }

  /// - Parameter answer: returns the answer to a request in binary form, and how long it is delayed.
  package init(_ answer: @escaping ([UInt8]) -> (UnaryAnswer, delay: Duration)) {
    onShutDown = []
    self.answer = { messages throws(Refusal) in
      guard messages.count == 1 else { throw .messageCount(messages.count) }
      let (answer, delay) = answer(messages[0])
      return (answer.actions, delay)
    }
  }

  package var needsRequest: Bool { !isAnswered }

  package var waitsForClient: Bool { !isAnswered }

  package var due: ContinuousClock.Instant? { actions.isEmpty ? nil : answerTime }

  package func chooseResponse(
    to messages: [[UInt8]], isComplete: Bool, observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) throws(Refusal) {
    guard isComplete else { return }
    let (actions, delay) = try answer(messages)
    self.actions = actions[...]
    isAnswered = true
    answerTime = now + delay
  }

  package func receive(_ request: inout IncomingRequest, now: ContinuousClock.Instant) {
    _ = request.take()
  }

  package func next(
    _ request: inout IncomingRequest, now: ContinuousClock.Instant
  ) -> ResponseAction? {
    due.map { $0 <= now } ?? false ? actions.popFirst() : nil
  }

  package func finalActions() -> [ResponseAction] { isAnswered ? onShutDown : [] }
}

extension UnaryAnswer {
  var actions: [ResponseAction] {
    switch self {
    case .response(let response):
      guard let frame = try? MessageFramer.frame(response) else {
        let refusal = Refusal(
          .resourceExhausted, "the response has \(response.count) bytes")
        return [.trailersOnly(HeaderList(refusal.headers))]
      }
      return [
        .headers(ResponseHeaders.list), .message(frame),
        .trailers(ResponseHeaders.success),
      ]
    case .failure(let status): return [.trailersOnly(HeaderList(Refusal(status).headers))]
    case .silence: return []
    case .disconnect: return [.control(.close)]
    }
  }
}

extension Refusal {
  static func messageCount(_ count: Int) -> Refusal {
    Refusal(.unimplemented, "expected one request message, got \(count)")
  }
}
