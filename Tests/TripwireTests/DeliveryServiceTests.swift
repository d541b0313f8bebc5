import FleetEngineAPI
import FleetEngineDeliveryAPI
import Synchronization
import Testing
import WireGRPC
import WireGRPCClient
import WireProtobuf

@testable import Tripwire

@Suite struct DeliveryServiceTests {
  /// A token provider that records the contexts of calls, which are not sent.
  private final class Recorder: AuthTokenProvider {
    private struct Unsent: Error {}
    let contexts = Mutex<[AuthorizationContext]>([])

    func token(for context: AuthorizationContext) async throws -> AuthToken {
      contexts.withLock { $0.append(context) }
      throw Unsent()
    }
  }

  private typealias Call = @Sendable (FleetServices) async throws -> Void

  /// Returns the claims that the token for a call has.
  private func claims(of call: Call) async throws -> [String: Value] {
    let recorder = Recorder()
    let fleet = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1", tokenProvider: recorder,
      configuration: ChannelConfiguration(security: .plaintext, failFast: true))
    await #expect(throws: CallError.self) { try await call(fleet) }
    let context = try #require(recorder.contexts.withLock { $0.first })
    return AuthorizationClaims(for: context).values
  }

  private static func request<Request: Message>(_ json: String) throws -> Request {
    try Request(jsonString: json)
  }

  private static let deliveries: [(Call, [String: Value])] = [
    (
      { _ = try await $0.deliveryService.getTask(TaskName("providers/p/tasks/t")) }, ["taskid": "t"]
    ),
    (
      {
        _ = try await $0.deliveryService.getDeliveryVehicle(
          DeliveryVehicleName("providers/p/deliveryVehicles/v"))
      }, ["deliveryvehicleid": "v"]
    ),
    (
      {
        _ = try await $0.deliveryService.getTaskTrackingInfo(
          TaskTrackingInfoName("providers/p/taskTrackingInfo/S"))
      }, ["trackingid": "S"]
    ),
    (
      { _ = try await $0.deliveryService.listTasks(request(#"{"parent":"providers/p"}"#)) },
      ["taskid": "*"]
    ),
    (
      {
        _ = try await $0.deliveryService.listDeliveryVehicles(request(#"{"parent":"providers/p"}"#))
      },
      ["deliveryvehicleid": "*"]
    ),
    (
      {
        _ = try await $0.deliveryService.createTask(
          request(#"{"parent":"providers/p","taskId":"t"}"#))
      }, ["taskid": "t"]
    ),
    (
      {
        _ = try await $0.deliveryService.batchCreateTasks(
          request(#"{"parent":"providers/p","requests":[{"taskId":"a"},{"taskId":"b"}]}"#))
      }, ["taskids": ["a", "b"]]
    ),
    (
      {
        let request = BatchCreateTasksRequest(
          requests: [CreateTaskRequest](repeating: CreateTaskRequest(), count: 21))
        _ = try await $0.deliveryService.batchCreateTasks(request)
      }, ["taskids": ["*"]]
    ),
    (
      {
        _ = try await $0.deliveryService.updateTask(
          request(#"{"task":{"name":"providers/p/tasks/t"}}"#))
      }, ["taskid": "t"]
    ),
    (
      {
        _ = try await $0.deliveryService.deleteTask(request(#"{"name":"providers/p/tasks/t"}"#))
      }, ["taskid": "t"]
    ),
    (
      {
        _ = try await $0.deliveryService.createDeliveryVehicle(
          request(#"{"parent":"providers/p","deliveryVehicleId":"v"}"#))
      }, ["deliveryvehicleid": "v"]
    ),
    (
      {
        _ = try await $0.deliveryService.updateDeliveryVehicle(
          request(#"{"deliveryVehicle":{"name":"providers/p/deliveryVehicles/v"}}"#))
      }, ["deliveryvehicleid": "v"]
    ),
    (
      {
        _ = try await $0.deliveryService.updateDeliveryVehicle(
          request(
            #"{"deliveryVehicle":{"name":"providers/p/deliveryVehicles/v"},"#
              + #""updateMask":"remainingVehicleJourneySegments"}"#))
      }, ["deliveryvehicleid": "v", "taskid": "*"]
    ),
    (
      {
        _ = try await $0.deliveryService.deleteDeliveryVehicle(
          request(#"{"name":"providers/p/deliveryVehicles/v"}"#))
      }, ["deliveryvehicleid": "v"]
    ),
  ]

  @Test(arguments: deliveries.indices)
  func callGetsATokenForItsResources(index: Int) async throws {
    let (call, expected) = Self.deliveries[index]
    #expect(try await claims(of: call) == expected)
  }

  private static let onDemand: [(Call, [String: Value])] = [
    (
      {
        _ = try await $0.tripService.createTrip(
          request(#"{"parent":"providers/p","tripId":"t","trip":{"vehicleId":"v"}}"#))
      }, ["tripid": "t", "vehicleid": "v"]
    ),
    (
      { _ = try await $0.tripService.updateTrip(request(#"{"name":"providers/p/trips/t"}"#)) },
      ["tripid": "t"]
    ),
    (
      { _ = try await $0.tripService.deleteTrip(request(#"{"name":"providers/p/trips/t"}"#)) },
      ["tripid": "t"]
    ),
    (
      {
        _ = try await $0.tripService.reportBillableTrip(
          request(#"{"name":"providers/p/billableTrips/b"}"#))
      }, ["tripid": "*", "vehicleid": "*"]
    ),
    (
      {
        _ = try await $0.vehicleService.createVehicle(
          request(#"{"parent":"providers/p","vehicleId":"v"}"#))
      }, ["vehicleid": "v"]
    ),
    (
      {
        _ = try await $0.vehicleService.updateVehicle(
          request(#"{"name":"providers/p/vehicles/v"}"#))
      },
      ["vehicleid": "v"]
    ),
    (
      {
        _ = try await $0.vehicleService.updateVehicleAttributes(
          request(#"{"name":"providers/p/vehicles/v"}"#))
      }, ["vehicleid": "v"]
    ),
    (
      {
        _ = try await $0.vehicleService.deleteVehicle(
          request(#"{"name":"providers/p/vehicles/v"}"#))
      },
      ["vehicleid": "v"]
    ),
  ]

  @Test(arguments: onDemand.indices)
  func callOfTripsAndVehiclesGetsATokenForItsResources(index: Int) async throws {
    let (call, expected) = Self.onDemand[index]
    #expect(try await claims(of: call) == expected)
  }

  @Test func onlyDeletionsAreNotRetried() {
    #expect(DeliveryServiceMethods.getTask.timeout == .seconds(60))
    #expect(DeliveryServiceMethods.getTask.retryPolicy?.maxAttempts == 5)
    #expect(
      DeliveryServiceMethods.batchCreateTasks.retryPolicy?.retryableStatusCodes == [.unavailable])
    #expect(DeliveryServiceMethods.deleteTask.retryPolicy == nil)
    #expect(DeliveryServiceMethods.deleteDeliveryVehicle.timeout == nil)
  }

  @Test func updateIsRoutedByTheResource() throws {
    let request: UpdateTaskRequest = try Self.request(#"{"task":{"name":"providers/p/tasks/t"}}"#)
    let rule = try #require(DeliveryServiceMethods.updateTask.routing)
    #expect(rule.parameter(for: request) == "provider_id=providers%2Fp")
  }

  /// The messages have the same fields, so that the text and the map of one fit the other.
  @Test func locationIsConverted() throws {
    let json =
      #"{"location":{"latitude":1,"longitude":2},"heading":90,"updateTime":"2026-01-01T00:00:00Z","#
      + #""locationSensor":"GPS","latlngAccuracy":5,"rawLocation":{"latitude":3},"speed":7.5}"#
    let location: DeliveryVehicleLocation = try Self.request(json)
    let expected: VehicleLocation = try Self.request(json)
    #expect(VehicleLocation(location) == expected)
  }
}
