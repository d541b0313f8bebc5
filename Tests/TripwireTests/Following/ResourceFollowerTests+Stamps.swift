import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

extension ResourceFollowerTests {
  private mutating func respondWithStamp() {
    respond {
      $0.route = [LatLng(latitude: 1, longitude: 1)]
      $0.currentRouteSegmentVersion = .init(seconds: 7)
    }
    advance(5)
  }

  @Test mutating func stampsAreSent() {
    follow()
    respondWithStamp()
    #expect(follower.poll?.request.currentRouteSegmentVersion?.seconds == 7)
  }

  @Test(arguments: [StatusCode.notFound, .internal, .dataLoss])
  mutating func completeTripIsRequestedAfterSomeErrors(code: StatusCode) {
    follow()
    respondWithStamp()
    fail(code)
    advance(20)
    #expect(follower.poll?.request.currentRouteSegmentVersion == nil)
    #expect(follower.snapshot.held != nil)
  }

  @Test mutating func olderResponseIsIgnored() {
    follow()
    respondWithStamp()
    let before = follower.snapshot
    respond { $0.currentRouteSegmentVersion = .init(seconds: 6) }
    #expect(!follower.snapshot.isNews(since: before))
    #expect(follower.snapshot.refreshed == before.refreshed)
    advance(5)
    // If the server repeats it, it is accepted.
    #expect(follower.poll?.request.currentRouteSegmentVersion == nil)
    respond { $0.currentRouteSegmentVersion = .init(seconds: 6) }
    #expect(follower.snapshot.held?.resource.currentRouteSegmentVersion?.seconds == 6)
  }

  @Test mutating func missingPartsAreRequestedAtOnce() {
    follow()
    respondWithStamp()
    let id = follower.poll?.id
    respond { $0.vehicleId = "another" }
    #expect(follower.poll != nil && follower.poll?.id != id)
    #expect(follower.poll?.request.currentRouteSegmentVersion == nil)
    #expect(follower.snapshot.held?.resource.vehicleId == "")
    respond { $0.vehicleId = "another" }
    #expect(follower.snapshot.held?.resource.vehicleId == "another")
    #expect(follower.snapshot.held?.resource.route == [])
  }

  private mutating func respond(_ exchange: ExchangeFingerprint, trip status: TripStatus) {
    let trip = Trip(tripStatus: status)
    follower.answered(
      follower.poll?.id ?? 0, trip, exchange: { exchange }, now: now, random: 0.5)
  }

  @Test mutating func equalResponseConfirmsTheTrip() {
    let exchange = ExchangeFingerprint(of: [1], [2])
    for other in [ExchangeFingerprint(of: [1], [3]), ExchangeFingerprint(of: [1, 2], [])] {
      #expect(other != exchange)
    }
    follow()
    respond(exchange, trip: .enrouteToPickup)
    // The response changed the trip, and the next one probably does, too.
    #expect(follower.lastExchange == nil)
    advance(5)
    respond(exchange, trip: .enrouteToPickup)
    #expect(follower.lastExchange == exchange)
    let held = follower.snapshot.held
    advance(5)
    fail(.unavailable)
    #expect(follower.lastExchange == exchange)
    advance(5)
    follower.confirmed(follower.poll?.id ?? 0, now: now, random: 0.5)
    #expect(follower.snapshot.held === held)
    #expect(follower.snapshot.refreshed == now)
    #expect(follower.snapshot.failure == nil)
    #expect(untilWake == .seconds(5))
  }

  @Test mutating func responseOfAnotherPollConfirmsNothing() {
    let exchange = ExchangeFingerprint(of: [1], [2])
    follow()
    respond(exchange, trip: .enrouteToPickup)
    let refreshed = follower.snapshot.refreshed
    advance(5)
    follower.confirmed((follower.poll?.id ?? 0) - 1, now: now, random: 0.5)
    #expect(follower.snapshot.refreshed == refreshed)
    #expect(follower.poll != nil)
  }

  @Test(arguments: [StatusCode.notFound, .internal, .dataLoss])
  mutating func responseIsDecodedAfterAnErrorThatEndsTheTrip(code: StatusCode) {
    let exchange = ExchangeFingerprint(of: [1], [2])
    follow()
    respond(exchange, trip: .enrouteToPickup)
    advance(5)
    respond(exchange, trip: .enrouteToPickup)
    #expect(follower.lastExchange != nil)
    advance(5)
    fail(code)
    #expect(follower.lastExchange == nil)
  }
}
