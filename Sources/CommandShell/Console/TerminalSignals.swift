import Synchronization
import WireSystem

/// The signals of a terminal that a live view must handle: SIGWINCH for a resize and SIGTSTP for Ctrl-Z.
/// Create it once in a process.
package struct TerminalSignals {
  package init() {
    hasResized.store(false, ordering: .relaxed)
    isToStop.store(false, ordering: .relaxed)
    _ = signal(SIGWINCH) { _ in hasResized.store(true, ordering: .relaxed) }
    catchStop()
  }

  /// Whether the terminal was resized since the last call.
  package func takeResize() -> Bool { hasResized.exchange(false, ordering: .relaxed) }

  /// Whether Ctrl-Z was pressed since the last call.
  package func takeStop() -> Bool { isToStop.exchange(false, ordering: .relaxed) }

  /// Stops the process as Ctrl-Z does. Returns when it is continued.
  package func stop() {
    _ = signal(SIGTSTP, SIG_DFL)
    // The threads of the concurrent pool block signals.
    var (stop, before) = (sigset_t(), sigset_t())
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    catchStop()
  }

  private func catchStop() {
    onSignal(SIGTSTP) { _ in isToStop.store(true, ordering: .relaxed) }
  }
}

// A signal handler may only set a flag.
private let hasResized = Atomic(false)
private let isToStop = Atomic(false)
