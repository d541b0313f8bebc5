"""A driver's app that sends the location of its vehicle to a fleet."""

import threading
import time

import grpc
from google.maps.fleetengine_delivery_v1 import types as delivery_types
from google.maps.fleetengine_v1 import types

METERS_PER_DEGREE = 111_195.0
METERS_PER_SECOND = 15.0


class Driver:
    """Drives north from the first place while it is entered, and sends a location in each interval of seconds."""

    def __init__(self, fleet, vehicle, interval):
        """`vehicle` is vehicles/ID or deliveryVehicles/ID."""
        self._fleet, self._interval = fleet, interval
        self._collection, self._id = vehicle.split("/")
        self._begin = time.time()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._drive)
        self.is_silent = False

    def __enter__(self):
        self._channel = grpc.insecure_channel(self._fleet.address)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
        self._channel.close()

    def _drive(self):
        while not self._over.wait(self._interval):
            if not self.is_silent:
                self._send()

    def _send(self):
        name = f"providers/p/{self._collection}/{self._id}"
        if self._collection == "vehicles":
            request = types.UpdateVehicleRequest.pb()(name=name)
            vehicle, claim = request.vehicle, "vehicleid"
            path = "/maps.fleetengine.v1.VehicleService/UpdateVehicle"
        else:
            request = delivery_types.UpdateDeliveryVehicleRequest.pb()()
            vehicle, claim = request.delivery_vehicle, "deliveryvehicleid"
            vehicle.name = name
            path = "/maps.fleetengine.delivery.v1.DeliveryService/UpdateDeliveryVehicle"
        now = time.time()
        location = vehicle.last_location
        location.location.latitude = 37.7 + (now - self._begin) * METERS_PER_SECOND / METERS_PER_DEGREE
        location.location.longitude = -122.4
        location.update_time.FromMicroseconds(round(now * 1e6))
        request.update_mask.paths.append("last_location")
        metadata = []
        if account := self._fleet.account:
            token = account.mint(authorization={claim: self._id})
            metadata.append(("authorization", f"Bearer {token}"))
        call = self._channel.unary_unary(path, request_serializer=type(request).SerializeToString)
        call(request, metadata=metadata, wait_for_ready=True)
