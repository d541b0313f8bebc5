import Testing

@testable import TripRelay

/// Balance and movement, with fewer trips in a debug build.
@Suite struct RendezvousHashTests {
  #if DEBUG
    private static let trips = 40_000
    private static let count = 20
  #else
    private static let trips = 1_000_000
    private static let count = 200
  #endif
  private let workers = (0...count).map { RendezvousHash("worker-\($0)") }
  private let names = (0..<trips).map { RendezvousHash("my-project.trip-\($0)") }

  @Test func tripsAreBalanced() {
    let owners = owners(among: Array(workers.dropLast()))
    var loads = [Int](repeating: 0, count: Self.count)
    for owner in owners { loads[owner] += 1 }
    let mean = Double(Self.trips) / Double(Self.count)
    for load in loads { #expect(abs(Double(load) - mean) < mean / 10) }
  }

  @Test func onlyTheTripsOfAChangedWorkerMove() {
    let before = owners(among: Array(workers.dropLast()))
    let joined = owners(among: workers)
    let moved = zip(before, joined).filter { $0 != $1 }
    #expect(moved.allSatisfy { $0.1 == Self.count })
    #expect(Double(moved.count) < 1.2 * Double(Self.trips) / Double(Self.count + 1))
    let left = owners(among: Array(workers.dropFirst().dropLast()))
    let gone = zip(before, left).filter { $0 != $1 + 1 }
    #expect(gone.allSatisfy { $0.0 == 0 })
  }

  private func owners(among workers: [RendezvousHash]) -> [Int] {
    names.map { name in
      var best = (score: UInt64(0), index: 0)
      for (index, worker) in workers.enumerated() {
        let score = name.score(of: worker)
        if score > best.score { best = (score, index) }
      }
      return best.index
    }
  }
}
