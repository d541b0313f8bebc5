/// A POSIX thread, to be joined or detached.
///
/// Sendable because `pthread_t`, a pointer on some systems, only identifies the thread: it is never
/// used as memory here, and pthread_join and pthread_detach accept it on any thread.
package struct Thread: @unchecked Sendable {
  private let handle: pthread_t

  /// Starts the thread. Throws if the system has no thread left.
  package init(for purpose: String, _ body: @escaping @Sendable () -> Void) throws(IOError) {
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    let argument = unsafe Unmanaged.passRetained(Body(body))
    let status = unsafe pthread_create(&handle, nil, runBody, argument.toOpaque())
    guard status == 0 else {
      unsafe argument.release()
      throw IOError(code: .init(rawValue: status), operation: "start a thread for \(purpose)")
    }
    #if canImport(Darwin)
      guard let started = handle else {
        throw IOError(code: .init(rawValue: EAGAIN), operation: "start a thread for \(purpose)")
      }
      self.handle = started
    #else
      self.handle = handle
    #endif
  }

  /// Waits until the thread has ended.
  package func join() {
    _ = pthread_join(handle, nil)
  }

  /// Lets the system release the thread when it ends.
  package func detach() {
    _ = pthread_detach(handle)
  }

  /// Blocks SIGPIPE in the calling thread, for libraries whose writes raise it. A signal of a write goes to the thread
  /// that writes.
  package static func blockBrokenPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Identifies the calling thread among all running threads; never 0.
  package static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

#if canImport(Darwin)
  private func runBody(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#else
  private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#endif
