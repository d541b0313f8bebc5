public import Tripwire
import WireGRPCServer
import WireIO
import WireProtobuf
import WireTransport

/// An emulated Fleet Engine in this process, for tests, previews and demos without an account.
///
///     let fleet = FleetEmulator(provider: "p")
///     fleet.trips["t1"] = Trip(pickup: home, dropoff: station, vehicle: "v1")
///     let services = FleetServices(emulator: fleet)
///     let trip = try await services.tripService.getTrip(services.tripName("t1"))
///
/// It follows the documented rules of Fleet Engine, as `tripwire emulate` does. Calls go through the client and a
/// server, without a socket.
public final class FleetEmulator: Sendable {
  /// The Cloud project in the names of the resources.
  public let providerID: String
  let fleet: EmulatedFleet
  /// Nil if the system has no thread left.
  private let serving: (server: GRPCServer, loop: EventLoop, owned: Bool)?
  /// Retained, because its loop serves the calls.
  private let clock: VirtualClock?

  /// Creates an emulator without resources.
  ///
  /// - Parameters:
  ///   - provider: the Cloud project in the names of the resources.
  ///   - clock: the time of the emulator and of its services; nil for that of the system.
  public init(provider: String, clock: VirtualClock? = nil) {
    providerID = provider
    self.clock = clock
    fleet = EmulatedFleet(
      time: .following { clock?.timestamp ?? .now })
    let loop = clock.map { $0.loop } ?? (try? EventLoop.start(name: "fleet emulator"))
    serving = loop.map { [fleet] loop in
      let server = GRPCServer(
        EmulatorService(fleet, descriptors: { [] }), ServerConfiguration(), loop: loop,
        sweepInterval: .seconds(10))
      return (server, loop, clock == nil)
    }
  }

  deinit {
    guard let serving, serving.owned else { return }
    // The ends of connections retain each other until they are closed.
    Task { [server = serving.server, loop = serving.loop] in
      await server.drain()
      loop.stop()
    }
  }

  /// Returns the configuration of a channel to the server.
  func channelConfiguration() throws(CallError) -> ChannelConfiguration {
    guard let serving else {
      throw .local(.resourceExhausted, "the system has no thread left for an emulator")
    }
    var configuration = ChannelConfiguration(security: .plaintext, proxy: .none)
    configuration.loop = serving.loop
    // Retains the emulator as long as there is a channel.
    configuration.connect = { withExtendedLifetime(self) { serving.server.connect() } }
    return configuration
  }
}

extension FleetServices {
  /// Creates services that call an emulator in this process.
  ///
  /// Their calls fail with RESOURCE_EXHAUSTED if the system has no thread left.
  public init(emulator: FleetEmulator) {
    do throws(CallError) {
      try self.init(
        providerID: emulator.providerID, endpoint: "unix:fleet-emulator",
        configuration: emulator.channelConfiguration())
    } catch {
      self.init(failing: error)
    }
  }
}
