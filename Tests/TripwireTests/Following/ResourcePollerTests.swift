import Testing
import WireSystem

@testable import Tripwire

private final class EmptySubscriber: TripModelSubscriber, Sendable {}

@Suite(.timeLimit(.minutes(20))) final class ResourcePollerTests {
  private let server = ScriptedServer<Trip>()
  private let clock = VirtualClock()
  private let poller: ResourcePoller<Trip>

  init() {
    poller = ResourcePoller(clock: clock)
  }

  deinit {
    Task { [clock, server] in
      await server.end()
      clock.end()
    }
  }

  private func models(_ count: Int) -> [TripModel] {
    (0..<count).map { number in
      TripModel(
        PolledResource(
          name: "providers/p/trips/\(number)", poller: poller,
          .server(ResourceFetch { [server] request, _ in await server.fetch(request) })))
    }
  }

  @Test func firstPollsOfManyTripsAreSpreadOverTicks() async {
    var places: [Duration] = []
    for _ in 0..<66 { places.append(await poller.placeOfFirstPoll(clock.now) - clock.now) }
    #expect(places[..<32].allSatisfy { $0 == .zero })
    #expect(places[32..<64].allSatisfy { $0 == .milliseconds(20) })
    #expect(places[64...].allSatisfy { $0 == .milliseconds(40) })
    await clock.advance(by: .seconds(1))
    #expect(await poller.placeOfFirstPoll(clock.now) == clock.now)
  }

  @Test func delayedFirstPollsBeginInTheirTick() async {
    let subscriber = EmptySubscriber()
    let models = models(40)
    for model in models { model.register(subscriber, on: .main) }
    for _ in 0..<32 { _ = await server.next() }
    #expect(await clock.nextWake() == .milliseconds(20))
    #expect(await server.requestCount == 32)
    #expect(models.filter { $0.nextRefresh == clock.now + .milliseconds(20) }.count == 8)
    await clock.advance(by: .milliseconds(20))
    for _ in 32..<40 { _ = await server.next() }
    for model in models { model.unregister(subscriber) }
    await waitUntil { await clock.hasNoTimer }
  }

  @Test func pollsOfOneTickBeginTogether() async {
    let subscriber = EmptySubscriber()
    let models = models(30)
    for model in models { model.register(subscriber, on: .main) }
    for _ in models { await server.next().respond() }
    await waitUntil { models.allSatisfy { $0.refreshed != nil } }
    // The trips are spread over the interval of 5 seconds, in ticks of 20 ms.
    let end = clock.now + .milliseconds(5_270)
    var wakes = 0
    while case let wake = await clock.nextWake(), clock.now + wake <= end {
      #expect(wake % .milliseconds(20) == .zero)
      await clock.advance(by: wake)
      wakes += 1
    }
    #expect((16...30).contains(wakes))
    // Before the responses: a late one may make the next poll due at once.
    await waitUntil { await server.requestCount == 60 }
    for _ in models { await server.next().respond() }
    for model in models { model.unregister(subscriber) }
    await waitUntil { await clock.hasNoTimer }
  }

  /// Decoding is skipped only if the request and the response are the same as those before, and these changed
  /// nothing.
  @Test func responsesAreNotDecodedWhileNothingChanges() async {
    let decoded = Locked(0)
    let response = Locked([UInt8]([1]))
    let fetch = ResourceFetch<Trip> { _, _, _ in
      let bytes = response.withLock { $0 }
      return .task {
        .init(exchange: { ExchangeFingerprint(of: [], bytes) }) {
          decoded.withLock { $0 += 1 }
          return Trip(numberOfPassengers: Int32(bytes.count))
        }
      }
    }
    let model = TripModel(
      PolledResource(name: "providers/p/trips/t", poller: poller, .server(fetch)))
    let subscriber = EmptySubscriber()
    model.register(subscriber, on: .main)
    await waitUntil { model.refreshed == clock.now }
    for _ in 0..<3 {
      await clock.advance(by: .seconds(6))
      await waitUntil { model.refreshed == clock.now }
    }
    #expect(decoded.withLock { $0 } == 2)
    response.withLock { $0 = [1, 2] }
    await clock.advance(by: .seconds(6))
    await waitUntil { model.refreshed == clock.now }
    #expect(model.currentTrip?.numberOfPassengers == 2)
    #expect(decoded.withLock { $0 } == 3)
    model.unregister(subscriber)
  }
}

private func % (time: Duration, unit: Duration) -> Duration {
  time - unit * (time / unit).rounded(.down)
}
