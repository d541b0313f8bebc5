import WireGRPC
import WireHTTP2

/// Answers a call once its request is complete.
package final class UnaryResponder: CallResponder {
  private let onShutDown: [ResponseAction]
  private let answer: ([[UInt8]]) throws(Refusal) -> [ResponseAction]
  /// The actions not sent yet, and the time from which they are due; nil until the request is complete.
  private var response: (actions: ArraySlice<ResponseAction>, due: ContinuousClock.Instant)?

  /// - Parameter answer: returns the response to the messages of a request.
  init(
    finalActions: [ResponseAction] = [],
    _ answer: @escaping ([[UInt8]]) throws(Refusal) -> [ResponseAction]
  ) {
    onShutDown = finalActions
    self.answer = answer
  }

  /// - Parameter answer: returns the response to a request, in binary form.
  package convenience init(_ answer: @escaping ([UInt8]) throws(Refusal) -> [UInt8]) {
    self.init { messages throws(Refusal) in
      guard messages.count == 1 else { throw .messageCount(messages.count) }
      let response = try answer(messages[0])
      guard let frame = try? MessageFramer.frame(response) else {
        throw Refusal(.resourceExhausted, "the response has \(response.count) bytes")
      }
      return [
        .headers(HeaderList(ResponseHeaders.common)), .message(frame),
        .trailers(HeaderList(Status(.ok).headerFields)),
      ]
    }
  }

  package var needsRequest: Bool { response == nil }

  package var waitsForClient: Bool { response == nil }

  package var due: ContinuousClock.Instant? {
    response.flatMap { $0.actions.isEmpty ? nil : $0.due }
  }

  package func chooseResponse(
    to messages: [[UInt8]], isComplete: Bool, observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) throws(Refusal) {
    guard isComplete else { return }
    response = (try answer(messages)[...], now)
  }

  package func receive(_ request: inout IncomingRequest, now: ContinuousClock.Instant) {
    _ = request.take()
  }

  package func next(
    _ request: inout IncomingRequest, now: ContinuousClock.Instant
  ) -> ResponseAction? {
    response?.actions.popFirst()
  }

  package func finalActions() -> [ResponseAction] { response == nil ? [] : onShutDown }
}

extension Refusal {
  static func messageCount(_ count: Int) -> Refusal {
    Refusal(.unimplemented, "expected one request message, got \(count)")
  }
}
