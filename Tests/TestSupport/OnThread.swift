import WireSystem

/// Runs a body that blocks on a thread of its own, so that it takes no thread from tasks.
public func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    do {
      try Thread(for: "a test") {
        do {
          continuation.resume(returning: try body())
        } catch {
          continuation.resume(throwing: error)
        }
      }.detach()
    } catch {
      continuation.resume(throwing: error)
    }
  }
}
