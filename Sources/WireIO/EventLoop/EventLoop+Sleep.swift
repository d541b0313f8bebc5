extension EventLoop {
  /// Suspends the calling task until the instant, with a timer of this loop.
  ///
  /// - Returns: false if the task was canceled, or the loop stopped, before the instant.
  package func sleep(until instant: ContinuousClock.Instant) async -> Bool {
    await LoopSleep(loop: self).wait(until: instant)
  }
}

/// The wait of one task for a timer.
private actor LoopSleep {
  private let loop: EventLoop
  private var timer: LoopTimer?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  init(loop: EventLoop) {
    self.loop = loop
  }

  func wait(until instant: ContinuousClock.Instant) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiting = SleepContinuation(continuation)
        guard !Task.isCancelled else { return }
        timer = loop.schedule(at: instant) { waiting.resume(true) }
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.timer?.cancel() } }
    }
  }
}

/// A suspended task. A timer that is canceled, or whose loop stops, drops it without a call.
private final class SleepContinuation {
  private var continuation: CheckedContinuation<Bool, Never>?

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = continuation
  }

  deinit {
    resume(false)
  }

  func resume(_ isReached: Bool) {
    continuation.take()?.resume(returning: isReached)
  }
}
