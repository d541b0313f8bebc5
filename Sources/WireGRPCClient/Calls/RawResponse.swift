package import WireGRPC
import WireIO

/// The response of a successful unary call, not decoded yet.
///
/// A decoded message may take a kilobyte in the frame of each async function that returns it. This
/// type takes a few words.
package struct RawResponse: Sendable {
  package let message: [UInt8]
  private let headers: Metadata
  private let trailers: Metadata
  private let peer: SocketAddress?
  private let path: String
  private let completion: CallCompletion?
  package var attempts: Int

  init(_ outcome: CallOutcome, path: String, completion: CallCompletion?) throws(CallError) {
    switch outcome.end {
    case .answered(let answer):
      (message, headers, trailers) = (answer.message, answer.headers, answer.trailers)
      (peer, attempts) = (outcome.peer, outcome.attempts)
      (self.path, self.completion) = (path, completion)
    case .failed(var error):
      error.path = path
      error.attempts = outcome.attempts
      completion?.finish(error)
      throw error
    }
  }

  /// Decodes the message and ends the call for its observers. Call it once.
  ///
  /// - Throws: INTERNAL if the message does not decode.
  package func decode<Response>() throws(CallError) -> CallResponse<Response> {
    do throws(CallError) {
      let response = try CallResponse<Response>(
        message, headers: headers, trailers: trailers, attempts: attempts)
      completion?.finish()
      return response
    } catch {
      let error = complete(error)
      completion?.finish(error)
      throw error
    }
  }

  /// Ends the call for its observers without decoding the message.
  package func skip() {
    completion?.finish()
  }

  /// Returns an error of the message, completed with the details of the call.
  package func complete(_ error: CallError) -> CallError {
    var error = error
    error.path = path
    error.attempts = attempts
    error.peer = error.peer ?? peer?.description
    error.headers = headers
    error.trailers = trailers
    return error
  }
}
