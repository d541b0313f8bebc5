import Testing
import WireSystem

@testable import WireIO
@testable import WireSystem

@Suite(.timeLimit(.minutes(20))) struct EventLoopTests {
  @Test func actorsRunOnTheLoop() async throws {
    try await withLoop { loop, worker in
      #expect(!loop.isOnLoop)
      #expect(await worker.run { $0.isOnLoop })
    }
  }

  @Test func callbacksAssumeTheActorsIsolation() async throws {
    actor Owner {
      let loop: EventLoop
      var fired = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ loop: EventLoop) { self.loop = loop }

      nonisolated func fire() {
        assumeIsolated { $0.fired += 1 }
      }

      func schedule() async -> Int {
        await withCheckedContinuation { continuation in
          loop.schedule(at: .now) {
            self.fire()
            continuation.resume()
          }
        }
        return fired
      }
    }
    try await withLoop { loop, _ in
      #expect(await Owner(loop).schedule() == 1)
    }
  }

  @Test func jobsFromManyThreadsRunOneAtATime() async throws {
    actor Counter {
      let loop: EventLoop
      var count = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ loop: EventLoop) { self.loop = loop }
      func add() { count += 1 }
    }
    try await withLoop { loop, _ in
      let counter = Counter(loop)
      await withTaskGroup { group in
        for _ in 0..<50 {
          group.addTask { for _ in 0..<200 { await counter.add() } }
        }
      }
      #expect(await counter.count == 10_000)
    }
  }

  @Test func plainThreadsWakeTheLoop() async throws {
    try await withLoop { _, worker in
      for _ in 0..<100 {
        // The loop sleeps now or soon.
        await withCheckedContinuation { continuation in
          do {
            try Thread(for: "a test") {
              Task { await worker.run { _ in continuation.resume() } }
            }.detach()
          } catch {
            Issue.record(error)
            continuation.resume()
          }
        }
      }
    }
  }

  @Test func timersFireInOrderAndNotEarly() async throws {
    try await withLoop { _, worker in
      let start = ContinuousClock.now
      let order: [Int] = await worker.wait { loop, done in
        let log = OnLoop<[Int]>([])
        for milliseconds in [3, 1, 2] {
          loop.schedule(at: start + .milliseconds(milliseconds)) {
            #expect(ContinuousClock.now >= start + .milliseconds(milliseconds))
            log.value.append(milliseconds)
            if log.value.count == 3 { done(log.value) }
          }
        }
      }
      #expect(order == [1, 2, 3])
    }
  }

  @Test func earlierTimerAddedOnTheLoopFires() async throws {
    try await withLoop { _, worker in
      _ = await worker.wait { (loop, done: @escaping (Bool) -> Void) in
        loop.schedule(at: .now + .seconds(3600)) {}
        loop.schedule(at: .now + .milliseconds(1)) {
          loop.schedule(at: .now + .milliseconds(1)) { done(true) }
        }
      }
    }
  }

  @Test func millisecondsAreRoundedUpAndCapped() {
    let state = LoopState()
    let now = ContinuousClock.now
    #expect(state.millisecondsToNextTimer(now: now) == -1)
    let far = state.timers.add(at: now + .seconds(1_000_000_000)) {}
    #expect(state.millisecondsToNextTimer(now: now) == 60_000)
    let near = state.timers.add(at: now + .seconds(59) - .nanoseconds(1)) {}
    #expect(state.millisecondsToNextTimer(now: now) == 59_000)
    near.cancel()
    far.cancel()
    _ = state.timers.add(at: now - .seconds(1)) {}
    #expect(state.millisecondsToNextTimer(now: now) == 0)
  }

  @Test func endOfRoundComesAfterTheJobsOfTheRound() async throws {
    let loop = try EventLoop(name: "test")
    let worker = LoopWorker(loop)
    let log = OnLoop<[String]>([])
    let first = Task(executorPreference: loop.taskExecutor) {
      await worker.run { loop in
        log.value.append("a")
        loop.atEndOfRound {
          log.value.append("end")
          loop.atEndOfRound { log.value.append("end of the end") }
        }
      }
    }
    let second = Task(executorPreference: loop.taskExecutor) {
      await worker.run { _ in log.value.append("b") }
    }
    Task(executorPreference: loop.taskExecutor) {
      await first.value
      await second.value
      loop.stop()
    }
    loop.run()
    #expect(log.value == ["a", "b", "end", "end of the end"])
  }

  @Test func watchesReportReadyDescriptors() async throws {
    let pipe = try #require(SystemCalls.pipe())
    defer {
      close(pipe.read)
      close(pipe.write)
    }
    try await withLoop { _, worker in
      let readiness: Readiness = await worker.wait { loop, done in
        let watch = OnLoop<Watch?>(nil)
        watch.value = loop.watch(pipe.read, for: .read) {
          watch.value?.cancel()
          done($0)
        }
        loop.schedule(at: .now) { #expect(write(pipe.write, "x", 1) == 1) }
      }
      #expect(readiness == .read)
    }
  }

  @Test func handlersDoNotWakeTheLoopThatRunsThem() async throws {
    let pipe = try #require(SystemCalls.pipe())
    defer {
      close(pipe.read)
      close(pipe.write)
    }
    try await withLoop { _, worker in
      let rings: Bool = await worker.wait { loop, done in
        let watch = OnLoop<Watch?>(nil)
        watch.value = loop.watch(pipe.read, for: .read) { _ in
          watch.value?.cancel()
          Task(executorPreference: loop.taskExecutor) {}
          var bell = pollfd(fd: loop.wakeup.readEnd, events: Int16(POLLIN), revents: 0)
          done(poll(&bell, 1, 0) == 1)
        }
        #expect(write(pipe.write, "x", 1) == 1)
      }
      #expect(!rings)
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct EventLoopEndTests {
  @Test func stopJoinsTheThreadAndRunsQueuedJobs() async throws {
    for _ in 0..<20 {
      let loop = try EventLoop.start(name: "test")
      let worker = LoopWorker(loop)
      let tasks = (0..<20).map { number in Task { await worker.run { _ in number } } }
      loop.stop()
      loop.stop()
      #expect(!loop.isOnLoop)
      var sum = 0
      for task in tasks { sum += await task.value }
      #expect(sum == 190)
    }
  }

  @Test func lateJobsRunOneAtATime() async throws {
    actor Counter {
      let loop: EventLoop
      var count = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ loop: EventLoop) { self.loop = loop }
      func add() {
        loop.assertIsolated()
        count += 1
      }
    }
    let loop = try EventLoop.start(name: "test")
    loop.stop()
    let counter = Counter(loop)
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { for _ in 0..<50 { await counter.add() } }
      }
    }
    #expect(await counter.count == 1000)
  }

  @Test func stopReleasesHandlersAndTimers() async throws {
    final class Object: Sendable {}
    let pipe = try #require(SystemCalls.pipe())
    defer {
      close(pipe.read)
      close(pipe.write)
    }
    let loop = try EventLoop.start(name: "test")
    weak var weakObject: Object?
    do {
      let object = Object()
      weakObject = object
      await LoopWorker(loop).run { loop in
        _ = loop.watch(pipe.read, for: .read) { _ in _ = object }
        loop.schedule(at: .now + .seconds(3600)) { _ = object }
      }
    }
    #expect(weakObject != nil)
    loop.stop()
    #expect(weakObject == nil)
  }

  @Test func stopFromWithinTheLoopReturns() async throws {
    let loop = try EventLoop.start(name: "test")
    await LoopWorker(loop).run { $0.stop() }
    loop.stop()
  }

  @Test func stoppedLoopClosesItsDescriptors() async throws {
    final class Loops {
      weak var last: EventLoop?
    }
    let loops = Loops()
    for _ in 0..<300 {
      let loop = try EventLoop.start(name: "test")
      loop.stop()
      loops.last = loop
    }
    #expect(loops.last == nil)
  }

  @Test func loopRunsOnTheCallersThread() async throws {
    let loop = try EventLoop(name: "test")
    let worker = LoopWorker(loop)
    let threads = OnLoop<[UInt]>([])
    Task(executorPreference: loop.taskExecutor) {
      threads.value.append(Thread.current)
      _ = await worker.wait { (loop, done: @escaping (Bool) -> Void) in
        threads.value.append(Thread.current)
        loop.schedule(at: .now + .milliseconds(1)) { done(true) }
      }
      threads.value.append(Thread.current)
      loop.stop()
    }
    let me = Thread.current
    loop.run()
    #expect(threads.value == [me, me, me])
  }
}

@Suite(.timeLimit(.minutes(20))) struct LoopTaskExecutorTests {
  /// A default actor that is used from tasks on the loop and from other tasks.
  @Test func defaultActorsKeepTheirIsolation() async throws {
    actor Counter {
      var count = 0
      func add() { count += 1 }
    }
    try await withLoop { loop, _ in
      let counter = Counter()
      let executor = loop.taskExecutor
      await withTaskGroup { group in
        for number in 0..<40 {
          group.addTask(executorPreference: number % 2 == 0 ? executor : nil) {
            for _ in 0..<250 { await counter.add() }
          }
        }
      }
      #expect(await counter.count == 10_000)
    }
  }
}
