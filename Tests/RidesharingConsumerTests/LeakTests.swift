import Foundation
import TestSupport
import Testing

@testable import RidesharingConsumer
@testable import Tripwire

#if os(Linux)
  /// Runs in separate processes, so that other tests do not affect the counts.
  @Suite(.timeLimit(.minutes(20))) struct LeakTests {
    /// Counts the objects and descriptors that still exist.
    private final class ObjectTracker {
      private var objects: [(kind: String, exists: () -> Bool)] = []

      func watch(_ object: AnyObject?) {
        guard let object else {
          Issue.record("there is nothing to watch")
          return
        }
        objects.append(("\(type(of: object))", { [weak object] in object != nil }))
      }

      var kinds: [String] { objects.filter { $0.exists() }.map(\.kind) }
    }

    private final class Listener: TripModelSubscriber, Sendable {}

    /// Follows a trip in every possible way. Returns what still exists afterwards.
    ///
    /// - Parameter isClosed: whether the connection is closed, and not only released.
    private static func follow(isClosed: Bool = false) async throws -> [String] {
      let tracker = ObjectTracker()
      try await ScriptedFleet.serving([.status(.new), .status(.enrouteToPickup)]) { endpoint in
        try await follow(endpoint, isClosed, tracker)
        // Work in progress ends by itself.
        for _ in 0..<1_000_000 {
          if tracker.kinds.isEmpty { break }
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      return tracker.kinds
    }

    @MainActor private static func follow(
      _ endpoint: String, _ isClosed: Bool, _ tracker: ObjectTracker
    ) async throws {
      let tokens = ClosureTokenProvider { $1("token", nil) }
      let fleet = try FleetServices(
        providerID: "p", endpoint: endpoint, tokenProvider: TokenProvider(tokens),
        configuration: ChannelConfiguration(security: .plaintext))
      let service = GMTCTripService(fleet)
      let model = service.tripModel(forTripName: ScriptedFleet.tripName)
      model.options.autoRefreshTimeInterval = 0.1
      let session = GMTCJourneySharingSession(tripModel: model)
      let map = GMTCMapView(frame: .zero)
      map.show(session)
      let screen = RideScreen()
      screen.currentTripModel = model
      model.register(screen)
      let listener = Listener()
      model.model.register(listener, on: .queue(DispatchQueue(label: "listener")))
      let client = fleet.tripService.client
      let objects: [AnyObject?] = [
        tokens, service, model, model.model, model.options, session, map, screen, listener,
        client.channel, client.tokens,
      ]
      for object in objects { tracker.watch(object) }

      for await event in screen.events { if event.name == "status" { break } }
      for await update in model.model.updates {
        if update.trip?.tripStatus == .enrouteToPickup { break }
      }
      model.model.unregister(listener)
      if isClosed { await fleet.close() }
    }

    @Test func followingATripLeaksNothing() async {
      await #expect(processExitsWith: .success) {
        // Objects that are created once per process do not count.
        #expect(try await LeakTests.follow() == [])
        let descriptors = try Process.count("fd")
        let threads = try Process.count("task")
        for round in 0..<20 {
          #expect(try await LeakTests.follow(isClosed: round.isMultiple(of: 2)) == [])
        }
        // Swift's thread pool may have grown.
        #expect(try await Process.waitForCount(of: "fd", below: descriptors + 10))
        #expect(try await Process.waitForCount(of: "task", below: threads + 10))
      }
    }
  }
#endif
