import RelayAPI
import Testing
import WireProtobuf

@testable import TripRelay

@Suite struct WorkerCoreTests {
  private let start = ContinuousClock.now

  private func time(_ second: Int) -> StateTime {
    StateTime(
      instant: start + .seconds(second), timestamp: Timestamp(seconds: 1_000 + Int64(second)))
  }

  @Test func aWorkerThatWasLateTakesTheResourcesOfADeadOne() {
    var core = WorkerCore(name: "w1", RelayWorkerOptions(), at: start)
    for bucket in BucketReader.buckets {
      core.beginReading(bucket)
      if bucket == .pollRequests {
        for number in 0..<40 {
          core.take(.request(key: "p.t\(number)", .pinned, time: 1_000), at: time(0))
        }
      }
      core.endReading(bucket)
    }
    var other = Heartbeat()
    other.phase = .working
    core.take(.heartbeat(worker: "w2", other, time: 1_000), at: time(0))
    core.tick(at: start)
    _ = core.takeCommands()
    let share = core.heartbeat(lateness: .zero, at: start).resources
    #expect(share > 0 && share < 40)
    // The worker is late and gives a part away; then the other one dies.
    #expect(core.heartbeat(lateness: .seconds(20), at: start).threshold == 0)
    _ = core.takeCommands()
    #expect(core.heartbeat(lateness: .zero, at: start).resources < share)
    for second in 1...6 {
      core.heartbeatStored(at: start + .seconds(second))
      core.tick(at: start + .seconds(second))
    }
    let taken = core.takeCommands().count { if case .take = $0 { true } else { false } }
    #expect(taken > 0)
    #expect(core.heartbeat(lateness: .zero, at: start + .seconds(6)).resources == 40)
    #expect(core.unownedRequests == 0)
  }
}
