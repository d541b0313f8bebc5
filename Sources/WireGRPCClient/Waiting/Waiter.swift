/// A suspended task, to be resumed exactly once.
///
/// Unchecked, as a checked continuation would cost each call an allocation. What keeps the rule:
/// the submission queue hands each waiter on once or resumes it, and ``Call`` remembers that it is over.
@safe struct Waiter<Value: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Value, Never>

  /// Suspends the calling task, after `body` has put the waiter where it will be found.
  static func wait(_ body: (Waiter) -> Void) async -> Value {
    unsafe await withUnsafeContinuation { unsafe body(Waiter(continuation: $0)) }
  }

  func resume(returning value: sending Value) {
    unsafe continuation.resume(returning: value)
  }
}

extension Waiter<Void> {
  func resume() {
    resume(returning: ())
  }
}
