import WireGRPC

/// Runs `test` with longer and longer timeouts until it returns `true`.
///
/// On a busy machine a short timeout may be over before there is anything to test; `test` then
/// returns `false`. Also ends when the time limit of the test cancels it.
func withGrowingTimeout(_ test: (Duration) async throws -> Bool) async rethrows {
  var timeout = Duration.milliseconds(100)
  while try await !test(timeout), !Task.isCancelled { timeout *= 2 }
}

extension CallError {
  /// Whether the deadline passed before the channel had the call.
  var isBeforeTheCall: Bool { message.contains("before the call was made") }
}

extension StreamingCall {
  /// Whether the headers of the response came before the deadline.
  func headersAreInTime() async throws(CallError) -> Bool {
    do throws(CallError) {
      _ = try await headers
      return true
    } catch {
      guard error.code == .deadlineExceeded else { throw error }
      return false
    }
  }
}
