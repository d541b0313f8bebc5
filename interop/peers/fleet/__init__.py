"""A simulated fleet: a Fleet Engine server on grpcio with the types of google-maps-fleetengine and
google-maps-fleetengine-delivery.

In a test:  with Fleet() as fleet: trip = fleet.add_trip("t1"); trip.go("ARRIVED_AT_PICKUP"); …
By hand:    python -m peers.fleet --trips 3 --deliveries 1 --speed 10     (from interop/)

It serves every method of TripService, VehicleService and DeliveryService. It maintains version stamps,
checks tokens, injects faults and keeps a journal of its requests.
"""

from peers.fleet.fleet import Fleet
from peers.fleet.serving.tokens import ServiceAccount

__all__ = ["Fleet", "ServiceAccount"]
