"""Fleet Engine's log entries of two trips in the last hours, as Cloud Logging has them."""

from datetime import datetime, timedelta, timezone

from peers.fleet.methods import snake_case

TYPE = "type.googleapis.com/maps.fleetengine."
NOW = datetime.now(timezone.utc).replace(microsecond=0)


def at(minutes):
    """The time of so many minutes ago."""
    return (NOW - timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def entry(method, minutes, request, response=None, api="v1.", fleet="Fleet", **labels):
    payload = {"@type": f"{TYPE}{api}{method}Log", "request": request}
    return {
        "insertId": f"{method}-{minutes}-{'-'.join(labels.values())}", "timestamp": at(minutes),
        "receiveTimestamp": at(minutes), "severity": "INFO", "labels": labels,
        "logName": f"projects/p/logs/fleetengine.googleapis.com%2F{snake_case(method)}",
        "resource": {"type": f"fleetengine.googleapis.com/{fleet}", "labels": {"location": "global"}},
        "jsonPayload": payload | ({"response": response} if response is not None else {})}


def trip(trip_id, status, **more):
    return {"name": f"providers/p/trips/{trip_id}", "status": f"TRIP_STATUS_{status}"} | more


def vehicle_update(minutes, vehicle_id):
    vehicle = {"name": f"providers/p/vehicles/{vehicle_id}", "state": "VEHICLE_STATE_ONLINE"}
    return entry("UpdateVehicle", minutes, {"vehicleId": vehicle_id, "vehicle": vehicle}, vehicle,
                 vehicle_id=vehicle_id)


ENTRIES = [
    entry("CreateTrip", 180, {"tripId": "t1"}, trip("t1", "NEW"), trip_id="t1"),
    entry("SearchVehicles", 61, {"parent": "providers/p", "tripId": "t1"}, {}),
    entry("UpdateTrip", 60, {"tripId": "t1", "trip": {"vehicleId": "v1"}},
          trip("t1", "ENROUTE_TO_PICKUP", vehicleId="v1"), trip_id="t1"),
    vehicle_update(59, "v1"), vehicle_update(58, "v2"),
    entry("UpdateTrip", 57, {"tripId": "t2"}, trip("t2", "NEW", vehicleId="v2"), trip_id="t2"),
    entry("GetTrip", 50, {"tripId": "t1"}, trip("t1", "ARRIVED_AT_PICKUP", vehicleId="v1"), trip_id="t1"),
    vehicle_update(40, "v1"),
]


OF_TRIP = [
    ("SearchVehicles", "providers/p"), ("UpdateTrip", "trips/t1"), ("UpdateVehicle", "vehicles/v1"),
    ("GetTrip", "trips/t1"), ("UpdateVehicle", "vehicles/v1")]
"""The calls of the last two hours that are fetched for the trip t1."""


def rows(result):
    """The method and the resource of each listed call."""
    assert result.code == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines() if line[:1].isdigit() and "times in" not in line]
    return [tuple(line[3:5]) for line in lines]


def methods(result):
    return [method for method, _ in rows(result)]
