import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireGRPC
import WireSystem

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) struct ResourceSourceTests {
  private final class Recorded: Sendable {
    let names = Locked<[String]>([])
  }

  /// Reports one resource of each kind at once, and counts the followed names.
  private final class Source: ResourceSource {
    let resources: [any FollowedResource]
    let followed = Locked<[String]>([])
    let stopped = Recorded()

    init(_ resources: [any FollowedResource]) {
      self.resources = resources
    }

    func follow<Resource: FollowedResource>(
      _ name: ResourceName, report: @escaping @Sendable (ResourceReport<Resource>) -> Void
    ) -> @Sendable () -> Void {
      followed.withLock { $0.append(name.description) }
      let known = resources.compactMap { $0 as? Resource }.first { $0.name == name.description }
      report(ResourceReport(resource: known))
      return { [stopped] in stopped.names.withLock { $0.append(name.description) } }
    }
  }

  private let source = Source([
    Trip(name: "providers/p/trips/t"), Vehicle(name: "providers/p/vehicles/v"),
    DeliveryVehicle(name: "providers/p/deliveryVehicles/v"),
    DeliveryTask(name: "providers/p/tasks/t", state: .closed),
    TaskTrackingInfo(name: "providers/p/taskTrackingInfo/i", state: .closed),
  ])

  @Test func modelsOfEachKindReceiveTheirResource() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let trip = fleet.tripService.tripModel(forTripName: "providers/p/trips/t")
    for await update in trip.updates where update.trip != nil {
      #expect(update.trip?.name == trip.tripName)
      break
    }
    try await expectFirst(
      of: fleet.vehicleService.vehicleModel(forVehicleName: "providers/p/vehicles/v"))
    try await expectFirst(
      of: fleet.deliveryService.deliveryVehicleModel(
        forDeliveryVehicleName: "providers/p/deliveryVehicles/v"))
    try await expectFirst(of: fleet.deliveryService.taskModel(forTaskName: "providers/p/tasks/t"))
    try await expectFirst(
      of: fleet.deliveryService.taskTrackingModel(
        forTaskTrackingInfoName: "providers/p/taskTrackingInfo/i"))
    #expect(source.followed.withLock { $0.count } == 5)
    await waitUntil { source.stopped.names.withLock { $0.count } == 5 }
  }

  private func expectFirst<Resource>(of model: ResourceModel<Resource>) async throws {
    // On a busy machine, the update may be read long after the report.
    model.options.refreshInterval = .seconds(3_600)
    for await update in model.updates {
      guard let resource = update.resource else { continue }
      #expect(resource.name == model.name && update.failure == nil && !update.isStale)
      return
    }
    Issue.record("\(model.name) has no update")
  }

  @Test func closedTaskEndsItsUpdatesAndTheSource() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.deliveryService.taskModel(forTaskName: "providers/p/tasks/t")
    var last: TaskUpdate?
    for await update in model.updates { last = update }
    #expect(last?.task?.state == .closed && last?.state == .inactive)
    await waitUntil { source.stopped.names.withLock { $0 } == ["providers/p/tasks/t"] }
  }

  @Test func malformedNameFailsWithoutTheSource() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.vehicleService.vehicleModel(forVehicleName: "vehicles/v")
    for await update in model.updates {
      guard let failure = update.failure else { continue }
      #expect(failure.error.code == .invalidArgument)
      break
    }
    #expect(source.followed.withLock { $0.isEmpty })
  }

  @Test func sourceOfTripsServesNoOtherModels() async throws {
    let fleet = try FleetServices(providerID: "p", source: ScriptedSource())
    let model = fleet.vehicleService.vehicleModel(forVehicleName: "providers/p/vehicles/v")
    for await update in model.updates {
      guard let failure = update.failure else { continue }
      #expect(failure.error.code == .failedPrecondition)
      break
    }
  }

  @Test func closedServicesStopTheSource() async throws {
    let fleet = try FleetServices(providerID: "p", source: source)
    let model = fleet.vehicleService.vehicleModel(forVehicleName: "providers/p/vehicles/v")
    var updates = model.updates.makeAsyncIterator()
    _ = await updates.next()
    await waitUntil { model.current != nil }
    await fleet.close()
    #expect(source.stopped.names.withLock { $0 } == ["providers/p/vehicles/v"])
    while let update = await updates.next() { #expect(update.vehicle != nil) }
  }
}
