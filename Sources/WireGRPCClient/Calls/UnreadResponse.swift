package import WireGRPC
package import WireProtobuf

/// What a successful unary call brought, before a message is made of it: a few words, where a message
/// may take a kilobyte in each of the functions that wait for it.
package struct UnreadResponse<Response: Message>: Sendable {
  private let outcome: CallOutcome
  private let path: String
  private let ending: CallEnding?
  /// How many times the call was sent.
  package var attempts: Int

  /// - Throws: what the call failed with.
  init(_ outcome: CallOutcome, path: String, ending: CallEnding?) throws(CallError) {
    self.outcome = outcome
    self.path = path
    self.ending = ending
    attempts = outcome.attempts
    if let error = outcome.error { throw conclude(error) }
  }

  /// The message and what came with it. To be called once: it is then that observers of the call hear
  /// how that ended.
  ///
  /// - Throws: INTERNAL when the message does not decode.
  package func read() throws(CallError) -> CallResponse<Response> {
    do throws(CallError) {
      let answer = try outcome.answer()
      let response = try CallResponse<Response>(
        answer.message, headers: answer.headers, trailers: answer.trailers, attempts: attempts)
      ending?.conclude()
      return response
    } catch {
      throw conclude(error)
    }
  }

  private func conclude(_ error: CallError) -> CallError {
    var error = outcome.complete(error, path: path)
    error.attempts = attempts
    ending?.conclude(error)
    return error
  }
}
