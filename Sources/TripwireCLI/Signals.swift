#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The first of some signals, waited for instead of what they would do.
struct EndSignal {
  private let arrivals: AsyncStream<Int32>

  /// Make it before other threads start: they inherit the blocked signals.
  init(_ signals: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    arrivals = stream
    onSignals(signals) { continuation.yield($0) }
  }

  func wait() async {
    for await _ in arrivals { return }
  }
}

/// Calls `body` on a thread of its own for each of `signals` that arrives from now on, instead of
/// what the signal would do. A thread in sigwait(2) may do what a signal handler may not, such as
/// cancelling a task. Call it before other threads start: they inherit the blocked signals.
func onSignals(_ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
  var set = sigset_t()
  sigemptyset(&set)
  for signal in signals { sigaddset(&set, signal) }
  pthread_sigmask(SIG_BLOCK, &set, nil)

  let waiter = Unmanaged.passRetained(SignalWaiter(set: set, body: body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let failure = pthread_create(
    &thread, nil,
    { context in
      #if canImport(Darwin)
        let waiter = Unmanaged<SignalWaiter>.fromOpaque(context).takeRetainedValue()
      #else
        guard let context else { return nil }
        let waiter = Unmanaged<SignalWaiter>.fromOpaque(context).takeRetainedValue()
      #endif
      var set = waiter.set
      var signal: Int32 = 0
      while sigwait(&set, &signal) == 0 { waiter.body(signal) }
      return nil
    }, waiter.toOpaque())
  if failure != 0 {
    // No thread: better that they end the process than that nothing does.
    waiter.release()
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}

private final class SignalWaiter: Sendable {
  let set: sigset_t
  let body: @Sendable (Int32) -> Void

  init(set: sigset_t, body: @escaping @Sendable (Int32) -> Void) {
    self.set = set
    self.body = body
  }
}
