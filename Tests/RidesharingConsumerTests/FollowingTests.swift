import Foundation
import Testing
import Tripwire

@testable import RidesharingConsumer

/// Runs apps like those of the SDK's guides against a server. Serialized, because there is one
/// `GMTCServices`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FollowingTests {
  private func serving(
    _ answers: [ScriptedFleet.Answer],
    tokens: GMTCAuthorization = ClosureTokenProvider { $1("token", nil) },
    _ body: () async throws -> Void
  ) async throws {
    try await ScriptedFleet.serving(answers) { endpoint in
      GMTCServices.setAccessTokenProvider(tokens, providerID: "p")
      // Leaves no services behind.
      defer { GMTCServices.setAccessTokenProvider(tokens, providerID: "p") }
      try GMTCServices.setEndpoint(
        endpoint, configuration: ChannelConfiguration(security: .plaintext))
      try await body()
    }
  }

  /// A trip with all properties.
  private var completeTrip: Trip {
    var trip = Trip(
      name: ScriptedFleet.tripName, tripStatus: .enrouteToPickup,
      pickupPoint: TerminalLocation(point: LatLng(latitude: 1, longitude: 2)))
    trip.dropoffPoint = TerminalLocation(point: LatLng(latitude: 3, longitude: 4))
    trip.pickupTime = Timestamp(seconds: 1000, nanos: 500_000_000)
    trip.dropoffTime = Timestamp(seconds: 2000)
    trip.lastLocation = VehicleLocation(
      location: LatLng(latitude: 0, longitude: 2), heading: 90, speed: 9.6,
      updateTime: Timestamp(seconds: 900))
    trip.lastLocationSnappable = true
    trip.etaToFirstWaypoint = Timestamp(seconds: 1001)
    trip.remainingDistanceMeters = 77
    trip.route = [LatLng(latitude: 0, longitude: 2), LatLng(latitude: 1, longitude: 2)]
    trip.intermediateDestinations = [TerminalLocation()]
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline()
    let slow = SpeedReadingInterval(endPolylinePointIndex: 2, speed: .slow)
    trip.currentRouteSegmentTraffic?.speedReadingInterval = [slow]
    let pickup = TripWaypoint(tripId: "t1", waypointType: .pickup, distanceMeters: 77)
    let dropoff = TripWaypoint(
      tripId: "t1", waypointType: .dropOff,
      pathToWaypoint: [LatLng(latitude: 1, longitude: 2), LatLng(latitude: 3, longitude: 4)],
      trafficToWaypoint: trip.currentRouteSegmentTraffic, distanceMeters: 300)
    trip.remainingWaypoints = [pickup, dropoff]
    return trip
  }

  @Test func tripIsFollowedToItsEnd() async throws {
    let statuses: [TripStatus] = [
      .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
      .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete,
    ]
    try await serving(statuses.map(ScriptedFleet.Answer.status)) {
      let screen = RideScreen()
      screen.follow(ScriptedFleet.tripName)
      var statusesReceived: [GMTSTripStatus] = []
      var first: RideScreen.Event?
      events: for await event in screen.events {
        first = first ?? event
        switch event {
        case .status(let status): statusesReceived.append(status)
        case .trip(let trip, let fields):
          #expect(trip?.tripID() == "t1")
          #expect(fields.contains(.tripStatus))
        case .state(.inactive): break events
        case .failure(let error): Issue.record("\(String(describing: error))")
        default: break
        }
      }
      // A subscriber that is slow may get the end in its first update, in which the state comes
      // last.
      #expect(first?.name == "state" || statusesReceived == [.complete])
      // Intermediate states may be skipped, but none is repeated or late.
      var rest = statusesReceived[...]
      for status in statuses where rest.first == GMTSTripStatus(status) { rest.removeFirst() }
      #expect(rest.isEmpty, "\(statusesReceived)")
      #expect(statusesReceived.last == .complete)
      #expect(!screen.ranOffTheMainQueue)
      #expect(screen.currentTripModel.state == .inactive)
      #expect(screen.currentTripModel.currentTrip?.tripStatus == .complete)
    }
  }

  @Test func eachPropertyIsReported() async throws {
    try await serving([.trip(completeTrip)]) {
      let screen = RideScreen()
      screen.follow(ScriptedFleet.tripName)
      var names: [String] = []
      for await event in screen.events {
        names.append(event.name)
        switch event {
        case .trip(_, let fields): #expect(fields.rawValue < 1 << 19)
        case .vehicle(let location):
          #expect(location?.heading == 90)
          #expect(location?.speed == 10)
          #expect(location?.updateTime == 900_000)
          #expect(location?.isSnappableToRoute == true)
        case .pickup(let location): #expect(location?.point?.longitude == 2)
        case .dropoff(let location): #expect(location?.point?.latitude == 3)
        case .eta(let eta): #expect(eta == 1001)
        case .pickupETA(let eta): #expect(eta == 1000.5)
        case .dropoffETA(let eta): #expect(eta == 2000)
        case .distance(let distance): #expect(distance == 77)
        case .route(let route): #expect(route?.map(\.latitude) == [0, 1])
        case .remainingRoute(let route): #expect(route?.map(\.latitude) == [1, 3])
        case .remainingDistance(let distance): #expect(distance == 300)
        case .waypoints(let waypoints):
          #expect(waypoints?.map(\.waypointType) == [.pickUp, .dropOff])
        case .destinations(let destinations): #expect(destinations?.count == 1)
        case .traffic(let traffic):
          #expect(traffic?.speedReadingSpans.map(\.speedType) == [.slow])
          #expect(traffic?.speedReadingSpans.first?.endIndex == 2)
          #expect(traffic?.routePath.map(\.latitude) == [0, 1])
        case .remainingTraffic(let traffic):
          #expect(traffic?.routePath.map(\.latitude) == [1, 3])
        default: break
        }
        if event.name == "remainingTraffic" { break }
      }
      #expect(
        names == [
          "state", "trip", "status", "vehicle", "pickup", "dropoff", "eta", "pickupETA",
          "dropoffETA", "distance", "route", "remainingRoute", "remainingDistance", "waypoints",
          "destinations", "traffic", "remainingTraffic",
        ])
    }
  }

  /// Errors of the server, the network and the app. The trip is followed through all of them.
  @Test func errorsHaveTheDomainOfGRPC() async throws {
    let answers: [ScriptedFleet.Answer] = [
      .status(.new), .error(.notFound, "no such trip"), .error(.notFound, "no such trip"),
      .error(.aborted, "try again"), .status(.canceled),
    ]
    try await serving(answers) {
      // Refreshes the trip after the screen has received the last response, because a slow
      // subscriber receives only the newest state.
      let screen = RideScreen()
      screen.follow(ScriptedFleet.tripName, refreshInterval: 3600)
      let model = screen.currentTripModel.model
      func refresh() {
        model.suspend()
        model.resume()
      }
      var errors: [NSError] = []
      events: for await event in screen.events {
        switch event {
        case .failure(let error):
          if let error = error as NSError?, error.domain == "io.grpc" { errors.append(error) }
          // The implementation that many apps have.
          #expect((error as? NSError)?.domain == "io.grpc")
          let callError = (error as? NSError)?.userInfo[CallError.callErrorKey] as? CallError
          #expect(callError?.code.rawValue == (error as NSError?)?.code)
          refresh()
          if callError?.code == .notFound {
            // The second error is not reported.
            while model.failure?.count != 2 { try await Task.sleep(for: .milliseconds(1)) }
            refresh()
          }
        case .status(.canceled): break events
        case .status: refresh()
        default: break
        }
      }
      #expect(errors.map(\.code) == [5, 10])
      #expect(errors.map { $0.userInfo["message"] as? String } == ["no such trip", "try again"])
      #expect(errors.map { $0.userInfo["kind"] as? String } == ["client", "serverOrNetwork"])
      #expect(errors.first?.localizedDescription.contains("NOT_FOUND: no such trip") == true)
    }
  }

  /// So that an app can remove a message about the error.
  @Test func endOfAnErrorIsATripUpdate() async throws {
    try await serving([.status(.new), .error(.notFound, "no such trip"), .status(.new)]) {
      let screen = RideScreen()
      screen.follow(ScriptedFleet.tripName)
      var hasFailed = false
      for await event in screen.events {
        if hasFailed {
          guard case .trip(let trip, let changed) = event else {
            Issue.record("\(event.name)")
            break
          }
          #expect(trip?.tripStatus == .new && changed == [])
          break
        }
        if case .failure = event { hasFailed = true }
      }
      #expect(hasFailed)
    }
  }

  @Test func malformedNameIsAnError() async throws {
    try await serving([.status(.new)]) {
      let screen = RideScreen()
      screen.follow("trips/t1")
      let error = try await firstError(screen)
      #expect(error.code == 3)
    }
  }

  @Test func modelsFailWithoutAProvider() async throws {
    let error = CallError(code: .failedPrecondition, message: "set it", origin: .local)
    let service = GMTCTripService(FleetServices(failing: error))
    let model = service.tripModel(forTripName: ScriptedFleet.tripName)
    let screen = RideScreen()
    screen.currentTripModel = model
    model.register(screen)
    #expect(try await firstError(screen).code == 9)
  }

  private func firstError(_ screen: RideScreen) async throws -> NSError {
    for await event in screen.events {
      if case .failure(let error) = event { return try #require(error as NSError?) }
    }
    throw CancellationError()
  }

  // MARK: Tokens

  @Test func providerReceivesTheTripID() async throws {
    let asked = AsyncStream.makeStream(of: String?.self)
    let tokens = ClosureTokenProvider { context, completion in
      asked.continuation.yield(context?.tripID)
      completion("token", nil)
    }
    try await serving([.status(.complete)], tokens: tokens) {
      let screen = RideScreen()
      screen.follow(ScriptedFleet.tripName)
      for await event in screen.events { if event.name == "status" { break } }
      let tripID = await asked.stream.first { _ in true }
      #expect(tripID == "t1")
    }
  }

  @Test func failedTokenIsUnauthenticated() async throws {
    enum Refusal: Error { case signedOut }
    struct Closed: LocalizedError {
      var errorDescription: String? { "the shop is closed" }
    }
    let providers: [(GMTCAuthorization, String)] = [
      (ClosureTokenProvider { $1(nil, URLError(.badURL)) }, "(NSURLErrorDomain -1000)"),
      (ClosureTokenProvider { $1(nil, Refusal.signedOut) }, "signedOut"),
      (ClosureTokenProvider { $1("token", Closed()) }, "the shop is closed"),
      (
        ClosureTokenProvider { $1(nil, nil) },
        "the token provider returned neither a token nor an error"
      ),
      (
        ClosureTokenProvider { _, completion in
          DispatchQueue.global().async { completion(nil, Refusal.signedOut) }
        }, "signedOut"
      ),
      // Releases the completion.
      (
        ClosureTokenProvider { _, _ in }, "the token provider returned neither a token nor an error"
      ),
    ]
    for (provider, cause) in providers {
      try await serving([.status(.new)], tokens: provider) {
        let screen = RideScreen()
        screen.follow(ScriptedFleet.tripName)
        let error = try await firstError(screen)
        #expect(error.domain == "io.grpc")
        #expect(error.code == 16)
        let message = error.userInfo["message"] as? String
        #expect(message?.contains(cause) == true, "\(String(describing: message))")
        #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
      }
    }
  }

  @Test func networkErrorOfTheProviderIsUnavailable() async throws {
    let providers: [(GMTCAuthorization, String)] = [
      (WebTokenProvider(url: "http://127.0.0.1:1/token"), "(NSURLErrorDomain -1004)"),
      (ClosureTokenProvider { $1(nil, URLError(.timedOut)) }, "(NSURLErrorDomain -1001)"),
      (ClosureTokenProvider { $1(nil, POSIXError(.ENETUNREACH)) }, "(NSPOSIXErrorDomain 101)"),
    ]
    for (provider, cause) in providers {
      try await serving([.status(.new)], tokens: provider) {
        let screen = RideScreen()
        screen.follow(ScriptedFleet.tripName)
        let error = try await firstError(screen)
        #expect(error.code == 14 && error.userInfo["kind"] as? String == "serverOrNetwork")
        let message = error.userInfo["message"] as? String
        #expect(message?.contains(cause) == true, "\(String(describing: message))")
        #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
      }
    }
  }

  @Test func completionMayBeCalledTwiceAndLate() async throws {
    let tokens = ClosureTokenProvider { _, completion in
      DispatchQueue.global().async {
        completion("token", nil)
        completion("another", nil)
        DispatchQueue.global().async { completion(nil, nil) }
      }
    }
    try await serving([.status(.new), .status(.complete)], tokens: tokens) {
      let screen = RideScreen()
      screen.follow(ScriptedFleet.tripName)
      for await event in screen.events {
        #expect(event.name != "failure")
        if case .state(.inactive) = event { break }
      }
    }
  }

  // MARK: Lifetimes

  @Test func replacedServicesAreReleased() async throws {
    weak var service: GMTCTripService?
    weak var provider: ClosureTokenProvider?
    do {
      let tokens = ClosureTokenProvider { $1("token", nil) }
      provider = tokens
      GMTCServices.setAccessTokenProvider(tokens, providerID: "p")
      service = GMTCServices.shared().tripService
      #expect(service === GMTCServices.shared().tripService)
    }
    #expect(service != nil)
    #expect(provider != nil)
    GMTCServices.setAccessTokenProvider(AsyncTokenProvider(), providerID: "p")
    #expect(service == nil)
    #expect(provider == nil)
  }

  /// On the main thread, so that no callback runs meanwhile.
  @MainActor @Test func releasedSubscriberEndsPollingAtOnce() async throws {
    try await serving([.status(.new)]) {
      var screen: RideScreen? = RideScreen()
      screen?.follow(ScriptedFleet.tripName)
      let model = try #require(screen?.currentTripModel)
      let events = try #require(screen?.events)
      for await event in events { if event.name == "status" { break } }
      #expect(model.state == .active)
      screen = nil
      #expect(model.state == .inactive)
    }
  }

  /// A model, and a sequence that ends when the model is released.
  private func model() -> (GMTCTripModel, gone: AsyncStream<Void>) {
    let (gone, go) = AsyncStream.makeStream(of: Void.self)
    let fleet = GMTCServices.shared().tripService.fleet
    let model = GMTCTripModel(
      fleet.tripService.tripModel(forTripName: ScriptedFleet.tripName)
    ) {
      _ in go.finish()
    }
    model.options.autoRefreshTimeInterval = 0.1
    return (model, gone)
  }

  private final class EmptySubscriber: GMTCTripModelSubscriber {}

  @Test func releasedSubscriberIsDetected() async throws {
    try await serving([.status(.new)]) {
      let gone = try register(EmptySubscriber())
      for await _ in gone {}
    }
  }

  @Test func unheldModelLivesForItsSubscriber() async throws {
    let subscriber = EmptySubscriber()
    try await serving([.status(.new), .status(.new), .status(.complete)]) {
      let gone = try register(subscriber)
      // Until the trip is over, without an unregister.
      for await _ in gone {}
    }
    withExtendedLifetime(subscriber) {}
  }

  private func register(_ subscriber: EmptySubscriber) throws -> AsyncStream<Void> {
    let (model, gone) = model()
    model.register(subscriber)
    return gone
  }
}
