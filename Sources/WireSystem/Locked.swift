public import Synchronization

/// A `Mutex` that the thread sanitizer understands.
///
/// The standard library's lock is not built with the sanitizer, so on Linux each access under the
/// lock is reported as a race. Only debug builds are sanitized. In these an atomic, set at unlock
/// and read at lock, shows the sanitizer the order that the lock enforces.
///
/// Public, so that other modules can inline and specialize it.
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
