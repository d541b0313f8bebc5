import Testing

@testable import WireGRPC
@testable import WireGRPCClient

/// Runs `test` with increasing timeouts, from 0.1 s, until it returns `true`.
///
/// On a busy machine a short timeout may pass before there is anything to test; `test` then returns
/// `false`. Records an issue if 51 s are not enough.
func withGrowingTimeout(
  _ test: (Duration) async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
  for doublings in 0..<10 where !Task.isCancelled {
    if try await test(.milliseconds(100 << doublings)) { return }
  }
  Issue.record("nothing to test within the longest timeout", sourceLocation: sourceLocation)
}

extension CallError {
  /// Whether the deadline passed before the channel accepted the call.
  var isBeforeTheCall: Bool { message.contains("before the call started") }
}

extension StreamingCall {
  /// Returns whether the headers of the response arrived before the deadline.
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
