import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The first of some signals, waited for instead of what they would do.
struct EndSignal {
  private let arrivals: AsyncStream<Void>

  init(_ signals: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    arrivals = stream
    onSignals(signals) { continuation.yield() }
  }

  func wait() async {
    for await _ in arrivals { return }
  }
}

/// Calls `body` on a thread of its own for each of `signals` that arrives from now on, instead of
/// what the signal would do: a thread may do what a signal handler may not, such as cancelling a
/// task. To be called once.
///
/// The handler wakes the thread through a pipe. Blocking the signals and waiting in sigwait(2)
/// would not do: the main thread ends up in libdispatch's sigsuspend(2), which lets them all in.
func onSignals(_ signals: [Int32], _ body: @escaping @Sendable () -> Void) {
  var ends: [Int32] = [-1, -1]
  // No pipe or no thread: better that the signals end the process than that nothing does.
  guard pipe(&ends) == 0 else { return }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

  let waiter = Unmanaged.passRetained(SignalWaiter(pipe: ends[0], body: body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let failure = pthread_create(
    &thread, nil,
    { context in
      #if canImport(Darwin)
        Unmanaged<SignalWaiter>.fromOpaque(context).takeRetainedValue().run()
      #else
        if let context { Unmanaged<SignalWaiter>.fromOpaque(context).takeRetainedValue().run() }
      #endif
      return nil
    }, waiter.toOpaque())
  guard failure == 0 else {
    waiter.release()
    for end in ends { close(end) }
    return
  }

  handlerPipe.store(ends[1], ordering: .releasing)
  for number in signals {
    signal(number) { _ in
      let before = errno
      var byte: UInt8 = 0
      _ = write(handlerPipe.load(ordering: .acquiring), &byte, 1)
      errno = before
    }
  }
}

/// Where the handler writes: a handler can capture nothing.
private let handlerPipe = Atomic<Int32>(-1)

private final class SignalWaiter: Sendable {
  let pipe: Int32
  let body: @Sendable () -> Void

  init(pipe: Int32, body: @escaping @Sendable () -> Void) {
    self.pipe = pipe
    self.body = body
  }

  func run() {
    var byte: UInt8 = 0
    while true {
      let count = read(pipe, &byte, 1)
      if count == 1 { body() } else if count == 0 || errno != EINTR { return }
    }
  }
}
