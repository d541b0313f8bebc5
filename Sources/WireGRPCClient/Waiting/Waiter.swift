/// A suspended task. It must be resumed exactly once.
///
/// The continuation is unchecked, because a checked one would cost each call an allocation. Two
/// types keep the rule: ``SubmissionQueue`` passes each waiter on once or resumes it, and ``Call``
/// records that it is over.
@safe struct Waiter<Value: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Value, Never>

  /// Suspends the calling task after `body` has stored the waiter.
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
