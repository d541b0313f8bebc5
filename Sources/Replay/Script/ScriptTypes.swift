import FleetEngineAPI
import WireGRPC
import WireProtobuf

/// The types of the messages that a script may have as JSON.
enum ScriptTypes {
  static let all = TypeRegistry(fleetEngine + statusDetails)

  private static let fleetEngine: [any Message.Type] = [
    Trip.self, CreateTripRequest.self, GetTripRequest.self, DeleteTripRequest.self,
    ReportBillableTripRequest.self, UpdateTripRequest.self, SearchTripsRequest.self,
    SearchTripsResponse.self,
    Vehicle.self, CreateVehicleRequest.self, GetVehicleRequest.self, DeleteVehicleRequest.self,
    UpdateVehicleRequest.self, UpdateVehicleAttributesRequest.self,
    UpdateVehicleAttributesResponse.self, SearchVehiclesRequest.self, SearchVehiclesResponse.self,
    ListVehiclesRequest.self, ListVehiclesResponse.self,
  ]

  private static let statusDetails: [any Message.Type] = [
    ErrorInfo.self, RetryInfo.self, DebugInfo.self, QuotaFailure.self, PreconditionFailure.self,
    BadRequest.self, RequestInfo.self, ResourceInfo.self, Help.self, LocalizedMessage.self,
  ]
}
