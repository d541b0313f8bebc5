#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs `body` on a thread of its own, for what waits in the system and cannot be told to stop.
///
/// - Returns: false when the system has no thread left.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let context = Unmanaged.passRetained(ThreadBody(run: body))
  let failure = pthread_create(
    &thread, nil,
    { context in
      // Darwin says that there is a context, Linux that there may be one.
      let context: UnsafeMutableRawPointer? = context
      guard let context else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard failure == 0 else {
    context.release()
    return false
  }
  #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
  return true
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
