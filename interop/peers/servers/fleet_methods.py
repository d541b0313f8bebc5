"""The methods of the Fleet Engine server besides GetTrip and GetVehicle.

They keep no state: they return a created or updated resource as in the request, and fixed results for a
search.
"""

from google.maps.fleetengine_v1 import types
from google.protobuf import empty_pb2

from peers.servers import demo
from peers.recordings.filled import filled

Trip, Vehicle = types.Trip.pb(), types.Vehicle.pb()


def create_trip(request):
    trip = Trip(name=f"{request.parent}/trips/{request.trip_id}")
    trip.MergeFrom(request.trip)
    trip.trip_status = types.TripStatus.NEW
    return trip


def update_trip(request):
    return updated(demo.trip(request.name), request.trip, request.update_mask)


def delete(request):
    return empty_pb2.Empty()


def search_trips(request):
    return types.SearchTripsResponse.pb()(
        trips=[demo.trip(f"{request.parent}/trips/t1"), filled(Trip)], next_page_token="page 2")


def create_vehicle(request):
    vehicle = Vehicle(name=f"{request.parent}/vehicles/{request.vehicle_id}")
    vehicle.MergeFrom(request.vehicle)
    return vehicle


def update_vehicle(request):
    return updated(demo.vehicle(request.name), request.vehicle, request.update_mask)


def update_vehicle_attributes(request):
    return types.UpdateVehicleAttributesResponse.pb()(attributes=request.attributes)


def list_vehicles(request):
    return types.ListVehiclesResponse.pb()(
        vehicles=[demo.vehicle(f"{request.parent}/vehicles/v1"), filled(Vehicle)],
        next_page_token="page 2", total_size=2)


def search_vehicles(request):
    response = filled(types.SearchVehiclesResponse.pb())
    del response.matches[1:]
    return response


def updated(message, changed, mask):
    mask.MergeMessage(changed, message)
    return message


METHODS = {
    ("TripService", "CreateTrip"): (types.CreateTripRequest, create_trip),
    ("TripService", "DeleteTrip"): (types.DeleteTripRequest, delete),
    ("TripService", "ReportBillableTrip"): (types.ReportBillableTripRequest, delete),
    ("TripService", "SearchTrips"): (types.SearchTripsRequest, search_trips),
    ("TripService", "UpdateTrip"): (types.UpdateTripRequest, update_trip),
    ("VehicleService", "CreateVehicle"): (types.CreateVehicleRequest, create_vehicle),
    ("VehicleService", "DeleteVehicle"): (types.DeleteVehicleRequest, delete),
    ("VehicleService", "ListVehicles"): (types.ListVehiclesRequest, list_vehicles),
    ("VehicleService", "SearchVehicles"): (types.SearchVehiclesRequest, search_vehicles),
    ("VehicleService", "UpdateVehicle"): (types.UpdateVehicleRequest, update_vehicle),
    ("VehicleService", "UpdateVehicleAttributes"): (
        types.UpdateVehicleAttributesRequest, update_vehicle_attributes),
}
