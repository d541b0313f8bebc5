"""Records what a grpcio client gets that polls a delivery vehicle, its tasks, a shipment, and a vehicle with a
trip, until the last task is closed."""

from datetime import datetime, timezone

from google.maps.fleetengine_delivery_v1 import types as delivery
from google.maps.fleetengine_v1 import types

from peers.fleet import Fleet
from peers.fleet.deliveries import plan
from peers.fleet.deliveries.vehicle import DeliveryVehicle
from peers.recordings.recorder import Recorder
from peers.servers import demo

AUTHORITY = "fleetengine.googleapis.com"
PARENT = "providers/demo"
INTERVAL = 15.0
"""The time between polls, in seconds."""
DEPOT = (37.765200, -122.419600)
STOPS = [(37.766900, -122.421700), (37.764400, -122.423600), (37.762500, -122.421000), (37.764200, -122.417900)]
"""The stops of the tasks d1-1 to d1-4. The second fails. Then the plan changes: d1-urgent comes first."""
FAILED = "d1-2"
SHIPMENT = "track-d1-3"
POINTS = 4
"""The number of points of each leg. More would be in each response."""
PICKUP, DROPOFF = (37.767800, -122.415900), (37.762900, -122.413200)
"""The stops of the trip of the vehicle v1."""
PLACE = (37.769300, -122.417600)
"""The place where the vehicle v1 begins."""

SERVICE = "/maps.fleetengine.delivery.v1.DeliveryService/"
VEHICLES = "/maps.fleetengine.v1.VehicleService/"
Vehicle, Task = types.Vehicle.pb(), delivery.Task.pb()
Category = types.Vehicle.VehicleType.Category
OPEN = delivery.Task.State.OPEN


class DeliveryRoute(Fleet):
    """A fleet with the delivery vehicle d1 and the vehicle v1, whose time stands still."""

    def __init__(self, port=0):
        super().__init__(provider="demo", start=demo.NOW.timestamp(), port=port)
        vehicle = self.delivery_vehicles["d1"] = DeliveryVehicle(self, "d1", DEPOT, 1.0, POINTS)
        plan.add_route(self, vehicle, STOPS, self.now, failures=None)
        self.tasks[FAILED].will_fail = True
        self.vehicle("v1", POINTS).point = PLACE
        self.add_trip("t1", stops=[PICKUP, DROPOFF]).go("ENROUTE_TO_PICKUP")


class Client:
    """Calls a fleet and records the calls at the time of the fleet."""

    def __init__(self, fleet, recorder, metadata):
        self._fleet, self._recorder, self._metadata = fleet, recorder, metadata

    def call(self, path, request):
        """Returns the response in bytes."""
        self._recorder.now = max(self._recorder.now, datetime.fromtimestamp(self._fleet.now, timezone.utc))
        return self._recorder.call(path, request.SerializeToString(), self._metadata(request))

    def get(self, collection, resource_id, message, **fields):
        request = getattr(delivery, f"Get{message}Request").pb()(
            name=f"{PARENT}/{collection}/{resource_id}", **fields)
        return self.call(f"{SERVICE}Get{message}", request)

    def list(self):
        """Lists everything, as `tripwire search` does."""
        self.call(f"{SERVICE}ListTasks", delivery.ListTasksRequest.pb()(parent=PARENT))
        self.call(f"{SERVICE}ListDeliveryVehicles", delivery.ListDeliveryVehiclesRequest.pb()(parent=PARENT))
        self.call(f"{VEHICLES}ListVehicles", types.ListVehiclesRequest.pb()(
            parent=PARENT, vehicle_type_categories=[each for each in Category if each]))


def entries(metadata, port=0):
    """Returns the entries of the recording. `metadata` returns the metadata of a request."""
    with DeliveryRoute(port) as fleet, Recorder(fleet.address, AUTHORITY, demo.NOW) as recorder:
        client = Client(fleet, recorder, metadata)
        is_open = dict.fromkeys(fleet.tasks, True)
        stamps = {}
        while any(is_open.values()):
            client.get("deliveryVehicles", "d1", "DeliveryVehicle")
            for task_id in list(is_open):
                if is_open[task_id]:
                    task = Task.FromString(client.get("tasks", task_id, "Task"))
                    is_open[task_id] = task.state == OPEN
                    if task_id == SHIPMENT.removeprefix("track-"):
                        client.get("taskTrackingInfo", SHIPMENT, "TaskTrackingInfo")
                    if task_id == FAILED and not is_open[task_id]:
                        client.list()
            stamps = poll_vehicle(client, stamps)
            fleet.advance(INTERVAL)
            fleet.catch_up()
            for task_id in fleet.tasks:
                is_open.setdefault(task_id, True)
        client.get("deliveryVehicles", "d1", "DeliveryVehicle")
    return recorder.entries


def poll_vehicle(client, stamps):
    """Gets what has changed of the vehicle since these stamps; returns the new stamps."""
    request = types.GetVehicleRequest.pb()(name=f"{PARENT}/vehicles/v1", **stamps)
    vehicle = Vehicle.FromString(client.call(f"{VEHICLES}GetVehicle", request))
    return {name: getattr(vehicle, name)
            for name in ("current_route_segment_version", "waypoints_version") if vehicle.HasField(name)}
