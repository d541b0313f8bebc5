import Testing

@testable import TripRelay

/// Do readers see each trip in order and to its end, whatever happens to NATS and the workers? Runs in virtual time.
@Suite struct RelaySimulationTests {
  private static let keys = (1...4).map { "p.t\($0)" }

  private final class Run {
    let time: VirtualTime
    let fleet: SimulatedFleet
    let nats: SimulatedNATS
    var workers: [SimulatedWorker] = []
    var readers: [SimulatedReader] = []

    init(seed: UInt64, _ fence: SimulatedNATS.Fence, workers: Int = 3, readers: Int = 4) {
      time = VirtualTime(seed: seed)
      fleet = SimulatedFleet(time, RelaySimulationTests.keys)
      nats = SimulatedNATS(time, fence, RelaySimulationTests.keys)
      for number in 1...workers { addWorker("w\(number)") }
      for _ in 0..<readers { addReader() }
    }

    /// The events that did not happen refer to what refers to the time.
    deinit { time.clear() }

    func addWorker(_ name: String) {
      workers.append(SimulatedWorker(name, time, nats, fleet))
    }

    func addReader() {
      readers.append(SimulatedReader(time, nats, RelaySimulationTests.keys))
    }

    func run(for duration: Duration) { time.run(until: time.now + duration) }

    /// What readers do not show as it is.
    var missing: [String] {
      readers.indices.flatMap { number in
        RelaySimulationTests.keys.compactMap { key in
          let (shown, version) = (readers[number].shown[key], fleet.version(of: key))
          return shown == version
            ? nil : "reader \(number) shows \(shown ?? 0) of \(version) of \(key)"
        }
      }
    }
  }

  @Test func tripsArePolledOnceAndShownInTime() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let run = Run(seed: seed, .exact)
      run.run(for: .seconds(10))
      run.fleet.resetGaps()
      run.run(for: .seconds(100))
      #expect(run.fleet.calls <= 420, "4 trips once a second, seed \(seed)")
      #expect(run.fleet.longestGap < .milliseconds(1_500), "seed \(seed)")
      for key in Self.keys { run.fleet.end(key) }
      run.run(for: .seconds(3))
      #expect(run.missing == [], "seed \(seed)")
      // A check of the streams follows.
      run.run(for: .seconds(11))
      #expect(run.nats.requests.isEmpty, "seed \(seed)")
      #expect(run.readers.flatMap(\.faults) == [])
    }
  }

  @Test(arguments: [SimulatedNATS.Fence.exact, .weak])
  func noFaultShowsAnOlderStateOrHidesTheEnd(fence: SimulatedNATS.Fence) {
    var steps = 0
    var missedConflicts = 0
    for seed in 1...(fence == .weak ? 100 : 50) as ClosedRange<UInt64> {
      let run = Run(seed: seed, fence)
      run.nats.lossOfReplies = 0.01
      run.nats.lossOfMessages = 0.01
      for round in 0..<15 {
        fault(run, round)
        run.run(for: run.time.milliseconds(0...8_000))
        if run.time.chance(0.1) {
          run.fleet.end(Self.keys.randomElement(using: &run.time.random) ?? "")
        }
      }
      for key in Self.keys { run.fleet.end(key) }
      (run.nats.lossOfReplies, run.nats.lossOfMessages) = (0, 0)
      run.addWorker("last")
      run.run(for: .seconds(120))
      #expect(run.readers.flatMap(\.faults) == [], "seed \(seed)")
      #expect(run.missing == [], "seed \(seed)")
      steps += run.time.steps
      missedConflicts += run.nats.missedConflicts
    }
    #expect(steps > 500_000)
    #expect(fence == .exact || missedConflicts > 30, "conflicts that NATS misses are simulated")
  }

  /// A worker that dies or is cut off, while copies of the stream do not answer, stops the polls of its trips for the
  /// lease and one interval at most.
  @Test func pollsGoOnAfterALeaseAndAnInterval() {
    expectPolls(ofSeeds: 1...100) { run in
      run.nats.loseCopies(Int.random(in: 0...2, using: &run.time.random), for: .seconds(25))
    }
  }

  /// The heartbeats are not stored until another node leads their bucket.
  @Test func pollsGoOnAfterALeaseAlsoWithoutALeader() {
    expectPolls(ofSeeds: 1...50) { run in
      run.nats.loseLeader(for: run.time.milliseconds(4_000...12_000))
      run.run(for: run.time.milliseconds(0...4_000))
    }
  }

  /// Expects that the polls of a worker go on after a lease and an interval, although NATS has a fault.
  private func expectPolls(ofSeeds seeds: ClosedRange<UInt64>, _ fault: (Run) -> Void) {
    for seed in seeds {
      let run = Run(seed: seed, .exact)
      run.run(for: .seconds(15))
      run.fleet.resetGaps()
      fault(run)
      run.workers.removeFirst().kill()
      run.run(for: .seconds(30))
      let limit = RelayWorkerOptions().lease + SimulatedWorker.interval + .milliseconds(1_500)
      #expect(run.fleet.longestGap < limit, "seed \(seed)")
    }
  }

  @Test func lostConsumersCauseNoFurtherPolls() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let run = Run(seed: seed, .exact)
      run.run(for: .seconds(15))
      run.fleet.resetGaps()
      run.nats.loseConsumers()
      run.run(for: .seconds(30))
      #expect(run.fleet.calls <= 126, "4 trips once a second, seed \(seed)")
    }
  }

  @Test func drainedWorkerHandsItsTripsOverAndTakesThemAgain() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let run = Run(seed: seed, .exact)
      run.run(for: .seconds(15))
      for isDrained in [true, false] {
        run.fleet.resetGaps()
        run.nats.drain("w1", isDrained)
        run.run(for: .seconds(1))
        if isDrained { #expect(run.workers[0].pollsNothing, "seed \(seed)") }
        run.run(for: .seconds(29))
        // A state that NATS stores slowly stops the next owner for an interval.
        #expect(run.fleet.longestGap < .seconds(3), "seed \(seed)")
        #expect(run.fleet.calls <= 4 * 30 + 12, "seed \(seed)")
      }
      for key in Self.keys { run.fleet.end(key) }
      run.run(for: .seconds(5))
      #expect(run.missing == [], "seed \(seed)")
      #expect(run.readers.flatMap(\.faults) == [])
    }
  }

  private func fault(_ run: Run, _ round: Int) {
    let time = run.time
    let worker = run.workers.randomElement(using: &time.random)
    switch Int.random(in: 0..<13, using: &time.random) {
    case 0:
      worker?.kill()
      run.workers.removeAll { !$0.isAlive }
      run.addWorker("n\(round)")
    case 1: worker?.pause(for: time.milliseconds(100...20_000))
    case 2, 3: worker?.cut(for: time.milliseconds(100...20_000))
    case 4:
      run.readers.randomElement(using: &time.random)?.cut(for: time.milliseconds(100...20_000))
    case 5: run.nats.loseLeader(for: time.milliseconds(500...6_000))
    case 6: run.nats.loseCopies(2, for: time.milliseconds(500...10_000))
    case 7: run.addWorker("n\(round)")
    case 8: run.nats.loseConsumers()
    case 9:
      worker?.stall(for: time.milliseconds(100...10_000))
      run.readers.randomElement(using: &time.random)?.stall(for: time.milliseconds(100...10_000))
    case 10:
      let fleet = run.fleet
      (fleet.failures, fleet.latency) = (0.5, 1...3_000)
      time.after(time.milliseconds(100...20_000)) {
        (fleet.failures, fleet.latency) = (0.01, 1...30)
      }
    case 11: if let worker { run.nats.drain(worker.name, time.chance(0.6)) }
    default: if time.chance(0.3) { run.nats.recreateStream() }
    }
  }
}
