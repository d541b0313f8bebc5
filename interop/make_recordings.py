"""Makes recordings/demo.binlog: what a grpcio client and a grpcio server said to each other.

    python make_recordings.py [PORT]

The server listens on PORT of the loopback, 50051 if not given; the port stands in the recording.
"""

import sys

from google.maps.fleetengine_v1 import types

from peers import binary_log, demo
from peers.fleet_server import FleetServer
from peers.recorder import Recorder
from places import RECORDINGS

GET_TRIP = "/maps.fleetengine.v1.TripService/GetTrip", types.GetTripRequest.pb()
GET_VEHICLE = "/maps.fleetengine.v1.VehicleService/GetVehicle", types.GetVehicleRequest.pb()

CALLS = [
    (GET_TRIP, "providers/demo/trips/t1"),
    (GET_VEHICLE, "providers/demo/vehicles/v1"),
    (GET_TRIP, "providers/demo/trips/missing"),
]
METADATA = (
    ("x-goog-request-params", "provider_id=providers%2Fdemo"),
    ("google-cloud-resource-prefix", "providers/demo"),
    ("authorization", "Bearer never-recorded"),
)


def demo_entries(port=0):
    with FleetServer(port=port) as server:
        with Recorder(server.address, "fleetengine.googleapis.com", demo.NOW) as recorder:
            for (method, request), name in CALLS:
                recorder.call(method, request(name=name).SerializeToString(), METADATA)
    return recorder.entries


if __name__ == "__main__":
    binary_log.write(
        RECORDINGS / "demo.binlog", demo_entries(int(sys.argv[1]) if len(sys.argv) > 1 else 50051))
