import Synchronization
import WireSystem

/// Waits for the first of some signals, which then does not end the process. The next one ends the process
/// at once, with 128 plus its number.
struct EndSignal {
  private let arrivals: AsyncStream<Int32>

  init(_ signals: [Int32]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    arrivals = stream
    let hasArrived = Locked(false)
    onSignals(signals) { number in
      let isFirst = hasArrived.withLock { hasArrived in
        defer { hasArrived = true }
        return !hasArrived
      }
      guard isFirst else { _exit(ExitCode.signal(number).rawValue) }
      continuation.yield(number)
    }
  }

  /// Returns the number of the signal.
  func wait() async -> Int32? {
    for await number in arrivals { return number }
    return nil
  }
}

/// Makes Ctrl-C, SIGTERM and SIGHUP end the process at once, with 128 plus the number of the signal, until
/// ``onSignals(_:_:)`` changes that. For a command that loads files, which may block its thread.
func exitOnSignals() {
  for number in [SIGINT, SIGTERM, SIGHUP] {
    onSignal(number) { number in
      WaitLine.abandon()
      _exit(128 + number)
    }
  }
}

/// The pipe to which the handler writes the numbers of signals; -1 while there is no listener.
private let arrivals = Atomic<Int32>(-1)

/// Calls `body` on a thread of its own for each of `signals` that arrives, instead of the default action.
/// Call it once in a process.
///
/// A handler may do almost nothing, so it only writes to a pipe that the thread reads. Signals that the
/// parent process ignored stay ignored: a shell does that for background jobs, nohup(1) for SIGHUP.
func onSignals(_ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
  var ends: [Int32] = [-1, -1]
  // Without a pipe or a thread, signals keep their default action and end the process.
  guard pipe(&ends) == 0 else { return }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  let listener = SignalListener(pipe: ends[0], body: body)
  do {
    try Thread(for: "signals") { listener.listen() }.detach()
  } catch {
    for end in ends { close(end) }
    return
  }
  arrivals.store(ends[1], ordering: .releasing)
  for number in signals {
    onSignal(number) { number in
      let reason = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(arrivals.load(ordering: .acquiring), &byte, 1)
      errno = reason
    }
  }
}

/// Sets the handler of a signal, or its default action (SIG_DFL), unless the parent process ignored the signal.
func onSignal(_ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?) {
  let before = signal(number, handler)
  if isIgnored(before) { _ = signal(number, SIG_IGN) }
}

private func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
  unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

private final class SignalListener: Sendable {
  private let pipe: Int32
  private let body: @Sendable (Int32) -> Void

  init(pipe: Int32, body: @escaping @Sendable (Int32) -> Void) {
    self.pipe = pipe
    self.body = body
  }

  func listen() {
    var byte: UInt8 = 0
    while true {
      let count = read(pipe, &byte, 1)
      if count == 1 { body(Int32(byte)) } else if count == 0 || errno != EINTR { return }
    }
  }
}
