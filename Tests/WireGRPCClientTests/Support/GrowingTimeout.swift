import Testing
import WireGRPC
import WireGRPCClient

/// Runs `test` with longer and longer timeouts, from 0.1 s, until it returns `true`.
///
/// On a busy machine a short timeout may be over before there is anything to test; `test` then
/// returns `false`. Records an issue when not even 51 s are enough.
func withGrowingTimeout(
  _ test: (Duration) async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
  for doublings in 0..<10 where !Task.isCancelled {
    if try await test(.milliseconds(100 << doublings)) { return }
  }
  Issue.record("nothing to test within the longest timeout", sourceLocation: sourceLocation)
}

extension CallError {
  /// Whether the deadline passed before the channel had the call.
  var isBeforeTheCall: Bool { message.contains("before the call started") }
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
