import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireGRPC
import WireProtobuf

/// The types of the messages that a script may have as JSON.
enum ScriptTypes {
  static let all = TypeRegistry(trips + deliveries + statusDetails)

  private static let trips: [any Message.Type] = [
    Trip.self, CreateTripRequest.self, GetTripRequest.self, DeleteTripRequest.self,
    ReportBillableTripRequest.self, UpdateTripRequest.self, SearchTripsRequest.self,
    SearchTripsResponse.self,
    Vehicle.self, CreateVehicleRequest.self, GetVehicleRequest.self, DeleteVehicleRequest.self,
    UpdateVehicleRequest.self, UpdateVehicleAttributesRequest.self,
    UpdateVehicleAttributesResponse.self, SearchVehiclesRequest.self, SearchVehiclesResponse.self,
    ListVehiclesRequest.self, ListVehiclesResponse.self,
  ]

  private static let deliveries: [any Message.Type] = [
    DeliveryVehicle.self, CreateDeliveryVehicleRequest.self, GetDeliveryVehicleRequest.self,
    DeleteDeliveryVehicleRequest.self, UpdateDeliveryVehicleRequest.self,
    ListDeliveryVehiclesRequest.self, ListDeliveryVehiclesResponse.self,
    DeliveryTask.self, CreateTaskRequest.self, BatchCreateTasksRequest.self,
    BatchCreateTasksResponse.self, GetTaskRequest.self, DeleteTaskRequest.self,
    UpdateTaskRequest.self, ListTasksRequest.self, ListTasksResponse.self,
    TaskTrackingInfo.self, GetTaskTrackingInfoRequest.self,
  ]

  private static let statusDetails: [any Message.Type] = [
    ErrorInfo.self, RetryInfo.self, DebugInfo.self, QuotaFailure.self, PreconditionFailure.self,
    BadRequest.self, RequestInfo.self, ResourceInfo.self, Help.self, LocalizedMessage.self,
  ]
}
