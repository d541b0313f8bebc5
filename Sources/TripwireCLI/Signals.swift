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
/// what the signal would do. A thread may do what a signal handler may not, such as cancelling a
/// task. A signal that was ignored when the process began stays ignored.
///
/// The handler tells the thread through a pipe. To block the signals and wait for them with
/// sigwait(2) would not do: an asynchronous main program ends in libdispatch, whose sigsuspend(2)
/// lets every signal through.
func onSignals(_ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
  var ends: [Int32] = [-1, -1]
  // Without a pipe or a thread, better that signals end the process than that nothing does.
  guard pipe(&ends) == 0 else { return }
  let waiter = Unmanaged.passRetained(SignalWaiter(file: ends[0], body: body))
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
      waiter.wait()
      return nil
    }, waiter.toOpaque())
  guard failure == 0 else {
    waiter.release()
    for end in ends { close(end) }
    return
  }
  arrivals = ends[1]
  for number in signals {
    let before = signal(number, tellOfArrival)
    if isIgnoring(before) { signal(number, SIG_IGN) }
  }
}

/// The pipe's end for the handler. Set before the handler is, and once: a command listens once.
nonisolated(unsafe) private var arrivals: Int32 = -1

private let tellOfArrival: @convention(c) (Int32) -> Void = { number in
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  write(arrivals, &byte, 1)
  errno = before
}

#if canImport(Darwin)
  private typealias Handler = sig_t
#else
  private typealias Handler = __sighandler_t
#endif

private func isIgnoring(_ handler: Handler?) -> Bool {
  unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
}

private final class SignalWaiter: Sendable {
  private let file: Int32
  private let body: @Sendable (Int32) -> Void

  init(file: Int32, body: @escaping @Sendable (Int32) -> Void) {
    self.file = file
    self.body = body
  }

  func wait() {
    var number: UInt8 = 0
    while true {
      let count = read(file, &number, 1)
      if count == 1 {
        body(Int32(number))
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}
