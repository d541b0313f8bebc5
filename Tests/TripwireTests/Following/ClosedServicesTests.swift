import FleetEngineAPI
import TestSupport
import Testing
import WireGRPC
import WireGRPCClient
import WireIO

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) struct ClosedServicesTests {
  /// Services of a server that accepts connections and never answers.
  private final class SilentServer {
    let listener: Listener
    let fleet: FleetServices

    init() throws {
      listener = try Listener(on: try #require(SocketAddress(numericHost: "127.0.0.1", port: 0)))
      fleet = try FleetServices(
        providerID: "p", endpoint: "\(listener.localAddress)",
        configuration: ChannelConfiguration(security: .plaintext))
    }
  }

  private static let tripName = "providers/p/trips/t"

  /// Checks the model of closed services, and that a loop over its updates ends with the failure.
  private func expectClosed<Resource>(_ model: ResourceModel<Resource>) async {
    let (snapshot, next) = (model.resource.snapshot, model.resource.nextPoll)
    #expect(snapshot.state == .inactive && next == nil, "\(model.resource.name)")
    #expect(snapshot.failure?.error.code == .unavailable)
    #expect(snapshot.failure?.error.kind == .client)
    let reader = UpdateReader(model)
    let first = await reader.next()
    #expect(first?.state == .inactive && first?.failure == snapshot.failure)
    #expect(await reader.next() == nil)
  }

  private func expectClosed(_ fleet: FleetServices) async {
    let (vehicles, deliveries) = (fleet.vehicleService, fleet.deliveryService)
    await expectClosed(fleet.tripService.tripModel(forTripName: Self.tripName))
    await expectClosed(vehicles.vehicleModel(forVehicleName: "providers/p/vehicles/v"))
    await expectClosed(
      deliveries.deliveryVehicleModel(forDeliveryVehicleName: "providers/p/deliveryVehicles/v"))
    await expectClosed(deliveries.taskModel(forTaskName: "providers/p/tasks/t"))
    await expectClosed(
      deliveries.taskTrackingModel(forTaskTrackingInfoName: "providers/p/taskTrackingInfo/i"))
  }

  @Test func openLoopsEnd() async throws {
    let server = try SilentServer()
    let fleet = server.fleet
    let trip = fleet.tripService.tripModel(forTripName: Self.tripName)
    let vehicle = fleet.vehicleService.vehicleModel(forVehicleName: "providers/p/vehicles/v")
    let task = fleet.deliveryService.taskModel(forTaskName: "providers/p/tasks/t")
    await withTaskGroup { group in
      group.addTask {
        var last: TripUpdate?
        for await update in trip.updates { last = update }
        #expect(last?.state == .inactive && last?.failure?.error.code == .unavailable)
      }
      group.addTask { for await _ in vehicle.updates {} }
      group.addTask { for await _ in task.updates {} }
      await waitUntil { [trip.state, vehicle.state, task.state] == [.active, .active, .active] }
      // The polls in flight do not delay this: that of the task lasts 60 s.
      let start = ContinuousClock.now
      await fleet.close()
      #expect(.now - start < .seconds(45))
    }
    await expectClosed(trip)
    await expectClosed(fleet)
    await fleet.close()
    await expectClosed(fleet)
    withExtendedLifetime(server.listener) {}
  }

  @Test func modelsOfASourceAreClosed() async throws {
    let source = ScriptedSource()
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.tripService.tripModel(forTripName: Self.tripName)
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await source.send(TripReport(trip: trip()))
    #expect(await updates.next()?.trip != nil)
    await fleet.close()
    #expect(source.stopped == [Self.tripName])
    let last = await updates.next()
    #expect(last?.failureChanged == true && last?.stateChanged == true && last?.trip == trip())
    #expect(await updates.next() == nil)
    await expectClosed(fleet)
    #expect(source.started == [Self.tripName])
  }

  @MainActor @Test func subscribersAreNotified() async throws {
    let fleet = try FleetServices(providerID: "p", source: ScriptedSource())
    let model = fleet.tripService.tripModel(forTripName: Self.tripName)
    let (early, late) = (Recorder(), Recorder())
    model.register(early)
    await early.wait(for: 1)
    await fleet.close()
    await early.wait(for: 3)
    #expect(early.calls == ["active", "error UNAVAILABLE", "inactive"])
    model.register(late)
    await late.wait(for: 2)
    #expect(late.calls == ["error UNAVAILABLE", "inactive"])
  }

  @Test func finishedTripHasNoFailure() async throws {
    let source = ScriptedSource()
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.tripService.tripModel(forTripName: Self.tripName)
    async let statuses = model.updates.reduce(into: []) { $0.append($1.trip?.tripStatus) }
    await source.send(TripReport(trip: trip(.complete)))
    #expect(await statuses.last == .complete)
    await fleet.close()
    #expect(model.failure == nil && model.state == .inactive)
    var updates = model.updates.makeAsyncIterator()
    #expect(await updates.next()?.trip?.tripStatus == .complete)
    #expect(await updates.next() == nil)
  }

  /// Readers may begin while the services are being closed.
  @Test func closingRacesWithReaders() async throws {
    for _ in 0..<20 {
      let server = try SilentServer()
      let fleet = server.fleet
      await withTaskGroup { group in
        for reader in 0..<40 {
          group.addTask { @concurrent in
            if reader % 10 == 9 { return await fleet.close() }
            let name = "providers/p/trips/\(reader % 3)"
            for await _ in fleet.tripService.tripModel(forTripName: name).updates {}
          }
        }
      }
      withExtendedLifetime(server.listener) {}
    }
  }

  /// A provider that never returns, as it is for a call without a deadline.
  @Test func callThatWaitsForATokenEnds() async throws {
    struct Stuck: AuthTokenProvider {
      let uncancellable = UncancellableTask()
      let isAsked = AsyncSemaphore(0)
      func token(for context: AuthorizationContext) async throws -> AuthToken {
        isAsked.signal()
        await uncancellable.wait()
        return ""
      }
    }
    let provider = Stuck()
    defer { provider.uncancellable.finish() }
    let fleet = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1", tokenProvider: provider,
      configuration: ChannelConfiguration(security: .plaintext))
    let deletion = Task {
      try await fleet.tripService.deleteTrip(DeleteTripRequest(name: Self.tripName))
    }
    try await provider.isAsked.wait()
    await fleet.close()
    let error = await #expect(throws: CallError.self) { try await deletion.value }
    #expect(error?.code == .unavailable && error?.kind == .client)
  }
}
