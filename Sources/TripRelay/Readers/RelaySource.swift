import FleetEngineAPI
import RelayAPI
public import Tripwire
public import WireGRPC
import WireIO
import WireProtobuf
import WireSystem

/// A source of the trips that the workers of `tripwire relay` publish in NATS.
///
///     let source = try RelaySource(NATSOptions(url: "nats://127.0.0.1:4222"))
///     let fleet = try FleetServices(providerID: "my-project", source: source)
///
/// The source connects when the first trip is followed, and requests that the workers poll the followed trips.
/// While NATS is not reachable, the trips are stale and have a failure, and the source tries again. It closes
/// its connection when the last reference to it is released. ``/Tripwire/FleetServices`` holds a reference.
public final class RelaySource: TripSource {
  private let connection: RelaySourceConnection
  private let trips: RelayedTrips

  /// Creates a source without connecting.
  ///
  /// - Throws: ``/WireGRPCClient/CallError``, RESOURCE_EXHAUSTED if no thread can be started.
  public init(_ options: NATSOptions = NATSOptions()) throws(CallError) {
    guard let loop = EventLoop.ofRelays else {
      throw CallError(
        code: .resourceExhausted, message: "cannot start a thread to read from the relay",
        origin: .local)
    }
    let connection = RelaySourceConnection(options, loop)
    self.connection = connection
    trips = RelayedTrips(
      willFollow: { [weak connection] in connection?.followersChanged($0) },
      didStop: { [weak connection] in connection?.followersChanged($0) })
    connection.start(trips)
  }

  deinit {
    connection.close()
  }

  public func follow(
    _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
  ) -> @Sendable () -> Void {
    trips.follow(tripName, report: report)
  }
}

extension EventLoop {
  fileprivate static let ofRelays = try? EventLoop.start(name: "relays")
}

/// The connection of a source, from its first trip on.
private final class RelaySourceConnection: Sendable {
  private struct State {
    var trips: RelayedTrips?
    var reader: RelayReader?
    var task: Task<Void, Never>?
    var isClosed = false
  }

  private static let longestPause = Duration.seconds(30)

  private let options: NATSOptions
  private let loop: EventLoop
  private let state = Locked(State())

  init(_ options: NATSOptions, _ loop: EventLoop) {
    self.options = options
    self.loop = loop
  }

  func start(_ trips: RelayedTrips) {
    state.withLock { $0.trips = trips }
  }

  func close() {
    let task = state.withLock { state in
      state.isClosed = true
      state.trips = nil
      return state.task.take()
    }
    task?.cancel()
  }

  /// The calls for one trip may come in any order, so this looks at the present followers.
  func followersChanged(_ name: TripName) {
    let (trips, reader) = state.withLock { state in
      if state.task == nil, !state.isClosed, let trips = state.trips {
        state.task = Task { [self] in await run(trips) }
      }
      return (state.trips, state.reader)
    }
    guard let trips, let reader else { return }
    update(reader, name, trips)
  }

  private func update(_ reader: RelayReader, _ name: TripName, _ trips: RelayedTrips) {
    loop.execute {
      reader.assumeIsolated { reader in
        if trips.isFollowed(name) { reader.add(name) } else { reader.remove(name) }
      }
    }
  }

  private func run(_ trips: RelayedTrips) async {
    var pause = Duration.seconds(1)
    while !Task.isCancelled {
      do throws(NATSError) {
        let client = try await RelayClient.connect(options, on: loop)
        pause = .seconds(1)
        defer { client.close() }
        let reader = RelayReader(client, [], to: TripsReceiver(trips: trips)) { _ in }
        state.withLock { $0.reader = reader }
        defer { state.withLock { $0.reader = nil } }
        for name in trips.followed { update(reader, name, trips) }
        try await reader.run()
      } catch {
        var state = TripState()
        state.relayError = RPCStatus(
          code: Int32(StatusCode.unavailable.rawValue), message: error.message)
        trips.take(state)
        _ = await loop.sleep(until: .now + pause * Double.random(in: 0.8..<1))
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }
}

/// Passes the states of a reader to models.
private struct TripsReceiver: StateReceiver {
  let trips: RelayedTrips
  var isClosed: Bool { false }

  func write(_ state: TripState, age: Duration?) {
    var state = state
    state.age = age.map { WireDuration($0) }
    trips.take(state)
  }
}
