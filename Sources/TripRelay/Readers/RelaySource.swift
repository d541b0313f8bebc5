public import FleetEngineAPI
import RelayAPI
public import Tripwire
public import WireGRPC
import WireIO
import WireProtobuf
import WireSystem

/// A source of the trips and other resources that the workers of `tripwire relay` publish in NATS.
///
///     let source = try RelaySource(NATSOptions(url: "nats://127.0.0.1:4222"))
///     let fleet = try FleetServices(providerID: "my-project", source: source)
///
/// The source connects when the first resource is followed, and asks the workers to poll the followed resources.
/// While NATS is not reachable, the resources are stale and have a failure, and the source tries again. It closes
/// its connection when the last reference to it is released. ``/Tripwire/FleetServices`` holds a reference.
public final class RelaySource: ResourceSource {
  private let connection: RelaySourceConnection
  private let resources: RelayedResources

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
    resources = RelayedResources(
      willFollow: { [weak connection] in connection?.followersChanged($0) },
      didStop: { [weak connection] in connection?.followersChanged($0) })
    connection.start(resources)
  }

  deinit {
    connection.close()
  }

  public func follow<Resource: FollowedResource>(
    _ name: ResourceName, report: @escaping @Sendable (ResourceReport<Resource>) -> Void
  ) -> @Sendable () -> Void {
    resources.follow(name, report: report)
  }
}

extension EventLoop {
  fileprivate static let ofRelays = try? EventLoop.start(name: "relays")
}

/// The connection of a source, from its first resource on.
private final class RelaySourceConnection: Sendable {
  private struct State {
    var resources: RelayedResources?
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

  func start(_ resources: RelayedResources) {
    state.withLock { $0.resources = resources }
  }

  func close() {
    let task = state.withLock { state in
      state.isClosed = true
      state.resources = nil
      return state.task.take()
    }
    task?.cancel()
  }

  /// The calls for one resource may come in any order, so this looks at the present followers.
  func followersChanged(_ name: ResourceName) {
    let (resources, reader) = state.withLock { state in
      if state.task == nil, !state.isClosed, let resources = state.resources {
        state.task = Task { [self] in await run(resources) }
      }
      return (state.resources, state.reader)
    }
    guard let resources, let reader else { return }
    update(reader, name, resources)
  }

  private func update(
    _ reader: RelayReader, _ name: ResourceName, _ resources: RelayedResources
  ) {
    loop.execute {
      reader.assumeIsolated { reader in
        if resources.isFollowed(name) { reader.add(name) } else { reader.remove(name) }
      }
    }
  }

  private func run(_ resources: RelayedResources) async {
    var pause = Duration.seconds(1)
    while !Task.isCancelled {
      do throws(NATSError) {
        let client = try await RelayClient.connect(options, on: loop)
        pause = .seconds(1)
        defer { client.close() }
        let reader = RelayReader(client, [], to: ModelReceiver(resources: resources)) { _ in }
        state.withLock { $0.reader = reader }
        defer { state.withLock { $0.reader = nil } }
        for name in resources.followed { update(reader, name, resources) }
        try await reader.run()
      } catch {
        let state = ResourceState(
          relayError: RPCStatus(
            code: Int32(StatusCode.unavailable.rawValue), message: error.message))
        resources.take(state)
        _ = await loop.sleep(until: .now + pause * Double.random(in: 0.8..<1))
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }
}

/// Passes the states of a reader to models.
private struct ModelReceiver: StateReceiver {
  let resources: RelayedResources
  var isClosed: Bool { false }

  func write(_ state: ResourceState, age: Duration?) {
    var state = state
    state.age = age.map { WireDuration($0) }
    resources.take(state)
  }
}
