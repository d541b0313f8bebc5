import Synchronization
import WireSystem

/// Waits for the first Ctrl-C, SIGTERM or SIGHUP, which then does not end the process. The next one ends the
/// process at once, with 128 plus its number.
package struct EndSignal {
  private let arrivals: AsyncStream<Int32>

  package init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    arrivals = stream
    let hasArrived = Locked(false)
    onSignals { number in
      let isFirst = hasArrived.withLock { hasArrived in
        defer { hasArrived = true }
        return !hasArrived
      }
      guard isFirst else { exitNow(.signal(number)) }
      continuation.yield(number)
    }
  }

  /// Returns the number of the signal.
  package func wait() async -> Int32? {
    for await number in arrivals { return number }
    return nil
  }
}

/// Makes Ctrl-C, SIGTERM and SIGHUP end the process at once, with 128 plus the number of the signal, unless
/// ``onSignals(_:)`` sets what they do. For a command that loads files, which may block its thread.
package func exitOnSignals() {
  // Without a pipe or a thread, signals keep their default action and end the process.
  guard SignalListener.isRunning else { return }
  for number in [SIGINT, SIGTERM, SIGHUP] { onSignal(number, report) }
  onSignal(SIGQUIT) { number in
    // If the thread hangs, the next one ends the process.
    _ = signal(number, SIG_DFL)
    report(number)
  }
}

/// Ends the process at once, and with it the programs that it runs. Removes its unfinished files.
func exitNow(_ code: ExitCode) -> Never {
  endPrograms()
  UnfinishedFiles.removeAll { _exit(code.rawValue) }
}

/// Gives up the terminal, and ends the programs that the process runs.
private func endPrograms() {
  LiveScreen.abandon()
  WaitLine.abandon()
  ChildProcess.endAll()
}

/// Calls `body` on a thread of its own for each Ctrl-C, SIGTERM or SIGHUP that arrives, instead of the default
/// action or what an earlier call of this function set.
///
/// A handler may do almost nothing, so it only writes to a pipe that the thread reads. Signals that the
/// parent process ignored stay ignored: a shell does that for background jobs, nohup(1) for SIGHUP.
///
/// SIGQUIT also ends the child processes and removes unfinished files, and then has its default action.
func onSignals(_ body: @escaping @Sendable (Int32) -> Void) {
  SignalListener.body.withLock { $0 = body }
  exitOnSignals()
}

private func report(_ number: Int32) {
  let reason = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(arrivals.load(ordering: .acquiring), &byte, 1)
  errno = reason
}

/// The pipe to which the handler writes the numbers of signals; -1 while there is no listener.
private let arrivals = Atomic<Int32>(-1)

/// Sets the handler of a signal, or its default action (SIG_DFL), unless the parent process ignored the signal.
func onSignal(_ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?) {
  let before = signal(number, handler)
  if isIgnored(before) { _ = signal(number, SIG_IGN) }
}

private func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
  unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

private enum SignalListener {
  static let body = Locked<@Sendable (Int32) -> Void>({ exitNow(.signal($0)) })

  /// Whether there is a thread that calls `body`. The first use starts it.
  static let isRunning = start()

  private static func start() -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let readEnd = ends[0]
    do {
      try Thread(for: "signals") { listen(to: readEnd) }.detach()
    } catch {
      for end in ends { close(end) }
      return false
    }
    arrivals.store(ends[1], ordering: .releasing)
    return true
  }

  private static func listen(to pipe: Int32) {
    var byte: UInt8 = 0
    while true {
      let count = read(pipe, &byte, 1)
      if count == 1, Int32(byte) == SIGQUIT {
        endPrograms()
        UnfinishedFiles.removeAll {
          // Another file may have set the handler again.
          _ = signal(SIGQUIT, SIG_DFL)
          kill(getpid(), SIGQUIT)
          while true { pause() }
        }
      } else if count == 1 {
        body.withLock { $0 }(Int32(byte))
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}
