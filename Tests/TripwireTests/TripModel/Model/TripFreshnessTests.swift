import Testing

@testable import Tripwire

@MainActor @Suite(.timeLimit(.minutes(20))) final class TripFreshnessTests: TripModelFixture {
  @Test func staleTripIsReportedWithItsAge() async throws {
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await respond()
    _ = await updates.next()
    await pass()
    let poll = await server.next()
    await pass()
    let update = try #require(await updates.next())
    #expect(update.isStale && update.stalenessChanged)
    let age = try clock.now - #require(update.refreshed)
    #expect(age >= .seconds(15) && age < .seconds(16))
    poll.respond()
    #expect(await updates.next()?.isStale == false)
  }

  @Test func suspendedTripBecomesStale() async throws {
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await respond()
    _ = await updates.next()
    model.suspend()
    await pass()
    #expect(await updates.next()?.isStale == true)
    #expect(model.isStale)
    #expect(await server.requestCount == 1)
    model.resume()
    await server.next().respond()
    #expect(await updates.next()?.isStale == false)
  }

  @Test func ageIsKnownWithoutSubscribers() async {
    let recorder = Recorder()
    model.register(recorder)
    await respond()
    model.unregister(recorder)
    await clock.advance(by: .seconds(14))
    #expect(!model.isStale)
    await clock.advance(by: .seconds(1))
    #expect(model.isStale)
    model.options.refreshInterval = .seconds(6)
    #expect(!model.isStale)
  }
}
