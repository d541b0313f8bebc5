"""Writes the calls of a fleet in the form of Google's logs, by hand: not with tripwire's own writer."""

import json
from datetime import datetime, timezone

from google.protobuf import json_format
from grpc import StatusCode

from peers.fleet.methods import snake_case

TYPE = "type.googleapis.com/maps.fleetengine."
CODES = {code.value[0]: code.name for code in StatusCode}
RENAMED = {"tripStatus": ("status", "TRIP_STATUS_"), "vehicleState": ("state", "VEHICLE_STATE_")}
"""Fields whose names and values differ in the logs, with the prefix of the values."""


class ServerLog:
    """Collects the log entries of a provider's calls."""

    def __init__(self, project):
        self.project = project
        self.entries = []

    def call(self, at, method, ids, request, response=None, status=None):
        """Adds a call: `method` is GetTrip, `ids` the labels, `status` the google.rpc.Status of a failure."""
        is_delivery = "Task" in method or "Delivery" in method
        payload = {"@type": f"{TYPE}{'delivery.' if is_delivery else ''}v1.{method}Log",
                   "request": as_log(request)}
        if status:
            payload["errorResponse"] = {"code": CODES[status.code], "message": status.message}
        else:
            payload["response"] = as_log(response)
        stamp = datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        container = f"projects/{self.project}"
        self.entries.append({
            "insertId": f"{len(self.entries)}", "jsonPayload": payload, "labels": ids,
            "logName": f"{container}/logs/fleetengine.googleapis.com%2F{snake_case(method)}",
            "resource": {"type": f"fleetengine.googleapis.com/{'Delivery' * is_delivery}Fleet",
                         "labels": {"location": "global", "resource_container": container}},
            "timestamp": stamp, "receiveTimestamp": stamp})

    def write(self, path):
        path.write_text(json.dumps(self.entries))
        return path


def as_log(message):
    """Returns the JSON of a message as the logs have it."""
    def renamed(value):
        if isinstance(value, list):
            return [renamed(each) for each in value]
        if not isinstance(value, dict):
            return value
        fields = {}
        for name, each in value.items():
            new, prefix = RENAMED.get(name, (name, ""))
            fields[new] = prefix + each if prefix else renamed(each)
        return fields

    return renamed(json_format.MessageToDict(message))
