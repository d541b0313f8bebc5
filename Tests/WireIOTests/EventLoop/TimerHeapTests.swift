import Testing

@testable import WireIO

@Suite struct TimerHeapTests {
  let start = ContinuousClock.now
  let state = LoopState()

  func fired(by milliseconds: Int, _ log: Log) -> [Int] {
    let hasFired = state.fireTimers(now: start + .milliseconds(milliseconds))
    #expect(hasFired == !log.entries.isEmpty)
    defer { log.entries = [] }
    return log.entries
  }

  final class Log {
    var entries: [Int] = []
  }

  @Test func firesInOrderOfInstants() {
    let log = Log()
    for milliseconds in [30, 10, 50, 20, 40] {
      _ = state.timers.add(at: start + .milliseconds(milliseconds)) {
        log.entries.append(milliseconds)
      }
    }
    #expect(state.timers.next() == start + .milliseconds(10))
    #expect(fired(by: 9, log) == [])
    #expect(fired(by: 30, log) == [10, 20, 30])
    #expect(state.timers.next() == start + .milliseconds(40))
    #expect(fired(by: 1000, log) == [40, 50])
    #expect(state.timers.next() == nil)
  }

  @Test func instantsMayBeCenturiesAway() {
    let log = Log()
    for (number, seconds) in [Double.greatestFiniteMagnitude, 1e19, 1e11, -1e11, 5].enumerated() {
      let delay =
        seconds > 1e18
        ? Duration(secondsComponent: .max, attosecondsComponent: 0)
        : .seconds(seconds)
      _ = state.timers.add(at: start + delay / 2) { log.entries.append(number) }
    }
    #expect(fired(by: 10_000, log) == [3, 4])
  }

  @Test func instantsMayExceedTheRangeOfSeconds() {
    let log = Log()
    let farthest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    for (number, delay) in [farthest, .zero - farthest].enumerated() {
      _ = state.timers.add(at: start + delay + delay) { log.entries.append(number) }
    }
    #expect(fired(by: 10_000, log) == [1])
  }

  @Test func equalInstantsFireInTheOrderOfAdding() {
    let log = Log()
    for number in 0..<100 { _ = state.timers.add(at: start) { log.entries.append(number) } }
    #expect(fired(by: 0, log) == Array(0..<100))
  }

  @Test func canceledTimersReleaseTheirBodyAtOnce() {
    final class Object {}
    var object: Object? = Object()
    weak let weakObject = object
    let timer = state.timers.add(at: start) { [object] in _ = object }
    object = nil
    #expect(weakObject != nil)
    timer.cancel()
    #expect(weakObject == nil)
    #expect(state.timers.next() == nil)
    timer.cancel()
    #expect(!state.fireTimers(now: start))
    timer.cancel()
  }

  @Test func timerCancelsAnotherThatIsDue() {
    let log = Log()
    var second: LoopTimer?
    _ = state.timers.add(at: start) {
      log.entries.append(1)
      second?.cancel()
    }
    second = state.timers.add(at: start) { log.entries.append(2) }
    _ = state.timers.add(at: start) { log.entries.append(3) }
    #expect(fired(by: 0, log) == [1, 3])
  }

  @Test func timerThatAddsTimersDoesNotBlockTheLoop() {
    let log = Log()
    func add() {
      _ = state.timers.add(at: start) {
        log.entries.append(0)
        add()
      }
    }
    add()
    #expect(fired(by: 0, log) == [0])
    #expect(fired(by: 0, log) == [0])
    state.cancelAll()
  }

  @Test func canceledTimersDoNotAccumulate() {
    let log = Log()
    _ = state.timers.add(at: start + .seconds(1)) { log.entries.append(0) }
    for number in 1...10_000 {
      let timer = state.timers.add(at: start + .seconds(60 + number)) { log.entries.append(number) }
      if number % 100 != 0 { timer.cancel() }
      #expect(state.timers.count <= 64 + 2 * (number / 100 + 1))
    }
    #expect(fired(by: 1000, log) == [0])
    #expect(fired(by: 20_000_000, log) == Array(stride(from: 100, through: 10_000, by: 100)))
  }

  @Test func cancelAllRemovesTimers() {
    let log = Log()
    for milliseconds in 0..<10 {
      _ = state.timers.add(at: start + .milliseconds(milliseconds)) {
        log.entries.append(milliseconds)
      }
    }
    state.cancelAll()
    #expect(fired(by: 100, log) == [])
    #expect(state.timers.next() == nil)
  }

  /// Compares with a sorted list. The random generator has a fixed seed.
  @Test func behavesLikeASortedList() {
    var seed: UInt64 = 42
    func random(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    let log = Log()
    var model: [(at: Int, id: Int)] = []
    var timers: [Int: LoopTimer] = [:]
    var now = 0
    for id in 0..<5000 {
      switch random(4) {
      case 0, 1:
        let at = now + random(200)
        model.append((at, id))
        timers[id] = state.timers.add(at: start + .milliseconds(at)) { log.entries.append(id) }
      case 2:
        guard !model.isEmpty else { continue }
        let (_, victim) = model.remove(at: random(model.count))
        timers[victim]?.cancel()
      default:
        now += random(40)
        let due = model.filter { $0.at <= now }
          .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
        model.removeAll { $0.at <= now }
        #expect(fired(by: now, log) == due.map(\.id))
      }
      #expect(state.timers.next() == model.map(\.at).min().map { start + .milliseconds($0) })
    }
  }
}
