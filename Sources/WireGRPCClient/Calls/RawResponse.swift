package import WireGRPC
package import WireProtobuf

/// The response of a successful unary call, not decoded yet.
///
/// A decoded message may take a kilobyte in the frame of each async function that returns it. This
/// type takes a few words.
package struct RawResponse<Response: Message>: Sendable {
  fileprivate let outcome: CallOutcome
  fileprivate let path: String
  fileprivate let completion: CallCompletion?
  /// The number of times the call was sent.
  package var attempts: Int

  /// - Throws: the error of the call.
  init(_ outcome: CallOutcome, path: String, completion: CallCompletion?) throws(CallError) {
    self.outcome = outcome
    self.path = path
    self.completion = completion
    attempts = outcome.attempts
    if let error = outcome.error { throw finish(error) }
  }

  /// Creates the response of another type from the same bytes.
  package init<Other>(_ other: RawResponse<Other>) {
    (outcome, path, completion, attempts) =
      (other.outcome, other.path, other.completion, other.attempts)
  }

  /// The bytes of the message.
  package var message: [UInt8] {
    if case .answered(let answer) = outcome.end { answer.message } else { [] }
  }

  /// Decodes the message and ends the call for its observers. Call it once.
  ///
  /// - Throws: INTERNAL if the message does not decode.
  package func decode() throws(CallError) -> CallResponse<Response> {
    do throws(CallError) {
      let answer = try outcome.answer()
      let response = try CallResponse<Response>(
        answer.message, headers: answer.headers, trailers: answer.trailers, attempts: attempts)
      completion?.finish()
      return response
    } catch {
      throw finish(error)
    }
  }

  /// Ends the call for its observers without decoding the message.
  package func skip() {
    completion?.finish()
  }

  private func finish(_ error: CallError) -> CallError {
    var error = outcome.complete(error, path: path)
    error.attempts = attempts
    completion?.finish(error)
    return error
  }
}
