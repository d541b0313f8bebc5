import WireHTTP2

/// What the connections of a server share. Lives on its loop.
final class ReplayService {
  let limits: ServerLimits
  /// Where each read puts what it got until the session has taken it.
  var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// What all requests on their way in have in memory.
  var heldBytes = 0

  private var book: AnswerBook

  init(_ book: AnswerBook, limits: ServerLimits) {
    self.book = book
    self.limits = limits
  }

  func check(_ head: RequestHead) throws(Refusal) {
    try book.check(method: head.path)
  }

  func answer(to call: IncomingCall) -> Answer {
    do throws(Refusal) {
      return try book.answer(to: call.head.path, call.finish())
    } catch {
      return Answer(error)
    }
  }
}
