import Testing

@testable import TripRelay

@Suite struct OwnershipTests {
  private let start = ContinuousClock.now

  @Test func singleWorkerTakesEveryWantedTrip() {
    var worker = made("w1")
    #expect(worker.settle() == [])
    worker.addRequest("p.t1", until: nil)
    #expect(worker.settle() == [.take("p.t1")])
    #expect(worker.settle() == [])
    worker.removeRequest("p.t1")
    #expect(worker.settle() == [.drop("p.t1")])
    #expect(worker.ownedCount == 0)
  }

  @Test func workerThatHasNotStartedTakesNothing() {
    var worker = Ownership(worker: "w1", capacity: 10, lease: .seconds(6))
    worker.addRequest("p.t1", until: nil)
    #expect(worker.settle() == [])
    worker.start()
    #expect(worker.settle() == [.take("p.t1")])
    worker.stop()
    #expect(worker.settle() == [.drop("p.t1")])
  }

  @Test func wantsEnd() {
    var worker = made("w1")
    worker.addRequest("p.t1", until: start + .seconds(60))
    worker.addRequest("p.t2", until: nil)
    _ = worker.settle()
    worker.advance(to: start + .seconds(59))
    #expect(worker.settle() == [])
    worker.addRequest("p.t1", until: start + .seconds(90))
    worker.advance(to: start + .seconds(60))
    #expect(worker.settle() == [])
    worker.advance(to: start + .seconds(90))
    #expect(worker.settle() == [.drop("p.t1"), .expire("p.t1")])
    worker.advance(to: start + .seconds(90_000))
    #expect(worker.settle() == [])
    #expect(worker.ownedCount == 1)
  }

  @Test func wantsMissingAfterAReloadEnd() {
    var worker = made("w1")
    for trip in ["p.t1", "p.t2"] { worker.addRequest(trip, until: nil) }
    _ = worker.settle()
    worker.keepRequests(["p.t2"])
    #expect(worker.settle() == [.drop("p.t1")])
  }

  @Test func everyTripHasOneOwner() {
    var fleet = Simulation(workers: 5, capacity: 1_000, trips: 400, at: start)
    fleet.exchange()
    #expect(fleet.owners.count == 400)
    #expect(fleet.owners.values.allSatisfy { $0.count == 1 })
  }

  @Test func tripsOfADeadWorkerMoveAfterItsLease() {
    var fleet = Simulation(workers: 3, capacity: 1_000, trips: 300, at: start)
    fleet.exchange()
    let before = fleet.owners
    let orphans = before.filter { $0.value == [0] }.count
    fleet.kill(0)
    for _ in 0..<3 {
      fleet.now += .seconds(2)
      fleet.exchange()
    }
    #expect(fleet.owners.count == 300 - orphans)
    fleet.now += .seconds(1)
    fleet.exchange()
    #expect(fleet.owners.count == 300)
    for (trip, owner) in fleet.owners where before[trip] != [0] { #expect(owner == before[trip]) }
  }

  @Test func nextLeaseEndIsThatOfTheOldestHeartbeat() throws {
    var worker = made("w1")
    #expect(worker.nextLeaseEnd == nil)
    for second in [0, 1, 2] {
      for peer in ["w2", "w3"].dropFirst(second / 2) {
        worker.heartbeat(of: peer, threshold: 0, at: start + .seconds(second))
      }
    }
    let end = try #require(worker.nextLeaseEnd)
    #expect(end == start + .seconds(7))
    worker.endLeases(at: start + .seconds(5))
    worker.endLeases(at: end)
    #expect(worker.peerCount == 2)
    worker.endLeases(at: end + .nanoseconds(1))
    #expect(worker.peerCount == 1)
    #expect(worker.nextLeaseEnd == start + .seconds(8))
  }

  @Test func oneLostHeartbeatMovesNothing() {
    let options = RelayWorkerOptions()
    #expect(options.lease >= options.heartbeat * 2 + .seconds(1))
    #expect(options.lease < options.heartbeat * 3)
  }

  @Test func tripsThatDisplaceOthersOfAFullWorkerAreTaken() {
    var worker = Ownership(worker: "w1", capacity: 10, lease: .seconds(6))
    worker.start()
    var owned: Set<String> = []
    for trip in 0..<200 {
      worker.addRequest("p.t\(trip)", until: nil)
      for change in worker.settle() {
        switch change {
        case .take(let trip): owned.insert(trip)
        case .drop(let trip): owned.remove(trip)
        case .expire: break
        }
      }
    }
    let hash = RendezvousHash("w1")
    let best = (0..<200).map { "p.t\($0)" }
      .sorted { RendezvousHash($0).score(of: hash) > RendezvousHash($1).score(of: hash) }
    #expect(owned == Set(best.prefix(10)))
    worker.removeRequest(best[0])
    #expect(worker.settle() == [.drop(best[0]), .take(best[10])])
  }

  @Test func workerThatWasStoppedReadsHeartbeatsFirst() {
    var worker = made("w1")
    for trip in 0..<100 { worker.addRequest("p.t\(trip)", until: nil) }
    worker.heartbeat(of: "w2", threshold: 0, at: start)
    worker.advance(to: start)
    let taken = worker.settle().count
    #expect(taken < 100)
    worker.advance(to: start + .seconds(60))
    #expect(worker.settle() == [])
    for second in 61...66 { worker.advance(to: start + .seconds(second)) }
    #expect(worker.settle() == [])
    worker.advance(to: start + .seconds(67))
    #expect(worker.settle().count == 100 - taken)
  }

  @Test func handOverMovesTripsAtOnce() {
    var fleet = Simulation(workers: 3, capacity: 1_000, trips: 300, at: start)
    fleet.exchange()
    fleet.leave(0)
    fleet.exchange()
    #expect(fleet.owners.count == 300)
    #expect(!fleet.owners.values.contains([0]))
  }

  @Test func capacityIsRespectedAndTripsMoveToWorkersWithRoom() {
    var fleet = Simulation(workers: 4, capacity: 100, trips: 390, at: start)
    for _ in 0..<20 { fleet.exchange() }
    #expect(fleet.owners.count == 390)
    #expect(fleet.owners.values.allSatisfy { $0.count == 1 })
    #expect(fleet.workers.allSatisfy { $0.ownedCount <= 100 })
  }

  @Test func tripsWithoutRoomHaveNoOwner() {
    var fleet = Simulation(workers: 2, capacity: 10, trips: 50, at: start)
    for _ in 0..<10 { fleet.exchange() }
    #expect(fleet.owners.count == 20)
    #expect(fleet.workers.allSatisfy { $0.ownedCount == 10 })
    #expect(fleet.workers.map(\.unownedCount) == [30, 30])
  }

  @Test func requestsAreUnownedIfNoWorkerTakesThem() {
    for (workers, capacity) in [(1, 7), (3, 20), (4, 100), (3, 0)] {
      for trips in [0, 1, 50, 60, 61, 200] {
        var fleet = Simulation(workers: workers, capacity: capacity, trips: trips, at: start)
        for _ in 0..<10 { fleet.exchange() }
        let unowned = max(0, trips - workers * capacity)
        #expect(fleet.owners.count == trips - unowned)
        #expect(fleet.workers.map(\.unownedCount) == Array(repeating: unowned, count: workers))
      }
    }
  }

  @Test func requestsWithoutAWorkerThatTakesResourcesAreUnowned() {
    var worker = made("w1")
    worker.addRequest("p.t1", until: nil)
    #expect(worker.settle() == [.take("p.t1")])
    #expect(worker.unownedCount == 0)
    // It is drained, and the only one.
    worker.stop()
    _ = worker.settle()
    #expect(worker.unownedCount == 1)
    worker.heartbeat(of: "w2", threshold: 0, at: start)
    #expect(worker.unownedCount == 0)
    worker.remove("w2")
    #expect(worker.unownedCount == 1)
    worker.removeRequest("p.t1")
    #expect(worker.unownedCount == 0)
  }

  private func made(_ name: String) -> Ownership {
    var worker = Ownership(worker: name, capacity: 1_000, lease: .seconds(6))
    worker.start()
    return worker
  }
}

/// Workers that exchange heartbeats in virtual time.
private struct Simulation {
  var workers: [Ownership]
  var now: ContinuousClock.Instant
  private var isRunning: [Bool]
  private var owned: [Set<String>]

  init(workers count: Int, capacity: Int, trips: Int, at now: ContinuousClock.Instant) {
    self.now = now
    isRunning = Array(repeating: true, count: count)
    owned = Array(repeating: [], count: count)
    workers = (0..<count).map {
      Ownership(worker: "w\($0)", capacity: capacity, lease: .seconds(6))
    }
    for index in workers.indices {
      workers[index].start()
      for trip in 0..<trips { workers[index].addRequest("p.t\(trip)", until: nil) }
    }
  }

  mutating func kill(_ worker: Int) {
    isRunning[worker] = false
    owned[worker] = []
  }

  mutating func leave(_ worker: Int) {
    kill(worker)
    for index in workers.indices { workers[index].remove("w\(worker)") }
  }

  /// Each running worker sends a heartbeat, and all take it in.
  mutating func exchange() {
    for sender in workers.indices where isRunning[sender] {
      for index in workers.indices where index != sender {
        workers[index].heartbeat(
          of: "w\(sender)", threshold: workers[sender].threshold, at: now)
      }
    }
    for index in workers.indices where isRunning[index] {
      workers[index].advance(to: now)
      for change in workers[index].settle() {
        switch change {
        case .take(let trip): owned[index].insert(trip)
        case .drop(let trip): owned[index].remove(trip)
        case .expire: break
        }
      }
    }
  }

  /// The workers that poll each trip.
  var owners: [String: [Int]] {
    var owners: [String: [Int]] = [:]
    for (index, trips) in owned.enumerated() {
      for trip in trips { owners[trip, default: []].append(index) }
    }
    return owners
  }
}
