import Testing

@testable import Tripwire

private final class Listener: TripModelSubscriber, Sendable {}

@Suite(.timeLimit(.minutes(20))) final class RefreshTicksTests {
  private let server = ScriptedTrips()
  private let clock = VirtualClock()

  deinit {
    clock.end()
    Task { [server] in await server.end() }
  }

  @Test func theFirstPollsOfVeryManyAreSpreadOverTicks() async {
    let ticks = RefreshTicks(clock: clock, executor: globalConcurrentExecutor)
    let places = (0..<66).map { _ in ticks.placeForFirst(clock.now) - clock.now }
    #expect(places[..<32].allSatisfy { $0 == .zero })
    #expect(places[32..<64].allSatisfy { $0 == .milliseconds(20) })
    #expect(places[64...].allSatisfy { $0 == .milliseconds(40) })
    clock.advance(by: .seconds(1))
    #expect(ticks.placeForFirst(clock.now) == clock.now)
  }

  @Test func modelsOfOneTickAreWokenTogether() async {
    let ticks = RefreshTicks(clock: clock, executor: globalConcurrentExecutor)
    let listener = Listener()
    let models = (0..<30).map { number in
      TripModel(tripName: "providers/p/trips/\(number)", ticks: ticks) { [server] request, _ in
        await server.fetch(request)
      }
    }
    for model in models { model.register(listener, on: .main) }
    for _ in models { await server.next().answer() }
    await waitUntil { models.allSatisfy { $0.refreshed != nil } }
    // One waits for them all.
    await waitUntil { clock.sleeperCount == 1 }
    // Spread over the 5 seconds, in ticks of 20 ms.
    let end = clock.now + .milliseconds(5_270)
    var wakes = 0
    while case let wake = await clock.nextWake(), clock.now + wake <= end {
      clock.advance(by: wake)
      wakes += 1
    }
    #expect((16...30).contains(wakes))
    for _ in models { await server.next().answer() }
    #expect(await server.asked == 60)
    for model in models { model.unregister(listener) }
    await waitUntil { clock.sleeperCount == 0 }
  }
}
