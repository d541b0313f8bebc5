"""Writes the calls of a recording as Google's logs have them: Cloud Logging, tables of BigQuery, and Fleet Archive."""

import re

from google.protobuf import empty_pb2
from google.protobuf.json_format import MessageToDict

from peers.fleet.methods import METHODS, snake_case

# What the values of an enum have before their names, or after them.
PREFIXES = {
    "Task.State": "TASK_STATE_LOG_", "Task.Type": "TASK_TYPE_LOG_", "Task.TaskOutcome": "TASK_OUTCOME_LOG_",
    "Task.TaskOutcomeLocationSource": "TASK_OUTCOME_LOCATION_SOURCE_LOG_",
    "VehicleStop.State": "VEHICLE_STOP_STATE_LOG_", "TripStatus": "TRIP_STATUS_", "VehicleState": "VEHICLE_STATE_",
    "DeliveryVehicleLocationSensor": "LOCATION_SENSOR_", "LocationSensor": "LOCATION_SENSOR_",
    "DeliveryVehicleNavigationStatus": "NAVIGATION_STATUS_", "NavigationStatus": "NAVIGATION_STATUS_",
}
SUFFIXES = {"TripType": "_TRIP"}
RENAMED = {"tripStatus": "status", "vehicleState": "state", "locationSensor": "locSensor",
           "supportedTripTypes": "supportedTrips"}
# The fields that the API does not have.
HANDLES = {"lastLocation": "locationHandle", "remainingVehicleJourneySegments": "pathHandle"}


def calls(entries):
    """The calls of a recording: the time, the method, the request, the response and the status, as messages."""
    found = {}
    for entry in entries:
        call = found.setdefault(entry.call_id, {"response": None})
        if entry.HasField("client_header"):
            call["method"] = METHODS[entry.client_header.method_name.rpartition("/")[2]]
        elif entry.type == entry.EVENT_TYPE_CLIENT_MESSAGE:
            call["time"] = entry.timestamp.ToJsonString()
            call["request"] = call["method"].request.FromString(entry.message.data)
        elif entry.type == entry.EVENT_TYPE_SERVER_MESSAGE:
            kind = call["method"].response
            call["response"] = None if kind is empty_pb2.Empty else kind.FromString(entry.message.data)
        elif entry.HasField("trailer"):
            call["status"] = entry.trailer
    return list(found.values())


def translated(value, descriptor):
    """The JSON of a message with the names that the logs have."""
    new = {}
    for key, item in value.items():
        field = next(each for each in descriptor.fields if each.json_name == key)
        items = item if isinstance(item, list) else [item]
        if kind := field.enum_type:
            name = kind.full_name.split("v1.", 1)[1]
            items = [PREFIXES.get(name, "") + each + SUFFIXES.get(name, "") for each in items]
        elif field.message_type and isinstance(items[0], dict):
            items = [translated(each, field.message_type) for each in items]
            for each in items:
                each |= {HANDLES[key]: "AdSiwAwC"} if key in HANDLES else {}
        new[RENAMED.get(key, key)] = items if isinstance(item, list) else items[0]
    return new


def lowered(value):
    """The keys of BigQuery."""
    if isinstance(value, dict):
        return {key.lower().replace("_", ""): lowered(item) for key, item in value.items()}
    return [lowered(item) for item in value] if isinstance(value, list) else value


def payload(call):
    """The messages of a call with the names of the API."""
    parts = {"request": MessageToDict(call["request"])}
    if call["status"].status_code:
        parts["errorResponse"] = {
            "code": call["status"].status_code, "message": call["status"].status_message}
    elif call["response"] is not None:
        parts["response"] = MessageToDict(call["response"])
    return parts


def cloud_logging(call, number):
    """A log entry as `gcloud logging read --format=json` prints it."""
    name, parts = call["method"].name, payload(call)
    service = call["method"].path.split("/")[1]
    ids = {}
    request = translated(parts["request"], call["request"].DESCRIPTOR)
    for key in "name", "parent":
        _, project, *rest = request.pop(key, "providers/p").split("/")
        if rest:
            noun = {"taskTrackingInfo": "tracking"}.get(rest[0], rest[0][:-1])
            ids[noun] = request[f"{noun}Id"] = rest[1]
    parts["request"] = request
    if "response" in parts:
        parts["response"] = translated(parts["response"], call["response"].DESCRIPTOR)
    is_delivery = ".delivery." in service
    return {
        "insertId": f"id{number}",
        "jsonPayload": {"@type": f"type.googleapis.com/{service.rsplit('.', 1)[0]}.{name}Log", **parts},
        "labels": {re.sub("(?=[A-Z])", "_", noun).lower() + "_id": text for noun, text in ids.items()},
        "logName": f"projects/demo/logs/fleetengine.googleapis.com%2F{snake_case(name)}",
        "receiveTimestamp": call["time"],
        "resource": {"type": "fleetengine.googleapis.com/" + ("DeliveryFleet" if is_delivery else "Fleet"),
                     "labels": {"location": "global", "resource_container": "projects/demo"}},
        "timestamp": call["time"],
    }


def big_query(call, number):
    """A log entry in a data set that fleet-debugger made from BigQuery. Its types are all of maps.fleetengine.v1."""
    entry = cloud_logging(call, number)
    parts = lowered(entry.pop("jsonPayload"))
    parts["@type"] = parts["@type"].replace(".delivery.", ".")
    for part in "request", "response":
        if part in parts:
            parts[part] = {"journeysharinginfo": None, "header": None} | parts[part]
    return entry | {"jsonpayload": {"errorresponse": None} | parts}


def fleet_archive(call, _):
    name = call["method"].name
    request = {"projectNumber": "183720254657"}
    parts = payload(call)
    return {"serverTime": call["time"], name[0].lower() + name[1:]: parts | {"request": parts["request"] | request}}
