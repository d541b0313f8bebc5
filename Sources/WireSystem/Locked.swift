public import Synchronization

/// A `Mutex` that the thread sanitizer understands.
///
/// The lock of the standard library is not built with the sanitizer, so on Linux every access under
/// it is reported as a race. In debug builds, the only ones that are sanitized, an atomic that is
/// set when the lock is let go and read when it is taken shows the order that the lock enforces.
///
/// Public, as only then it is inlined, and specialized, where other modules use it.
public struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  #if DEBUG
    @usableFromInline let order = Atomic<Bool>(false)
  #endif

  @inlinable public init(_ value: consuming sending Value) {
    self.value = Mutex(value)
  }

  @inlinable public borrowing func withLock<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result {
    value.withLock { value in
      #if DEBUG
        _ = order.load(ordering: .acquiring)
        defer { order.store(true, ordering: .releasing) }
      #endif
      return body(&value)
    }
  }
}
