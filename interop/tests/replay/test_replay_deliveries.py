"""Do replayed deliveries match requests as trips do?"""

import json

import grpc
import pytest
from google.maps.fleetengine_delivery_v1 import DeliveryServiceClient
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import (
    DeliveryServiceGrpcTransport)

from support.command import assert_failed, replaying, tripwire
from support.paths import RECORDINGS

RECORDING = RECORDINGS / "delivery.binlog"
SERVICE = "maps.fleetengine.delivery.v1.DeliveryService"
TASK = "providers/demo/tasks/d1-1"


def test_header_of_a_request_is_ignored():
    request = json.dumps({"header": {"languageCode": "de"}, "name": TASK})
    result = tripwire("call", f"{SERVICE}/GetTask", "-d", request, "--replay", RECORDING)
    assert (result.code, result.json["name"]) == (0, TASK)


def test_unknown_task_is_refused_with_the_recorded_ones():
    assert_failed(
        tripwire("get", "providers/demo/tasks/other", "--replay", RECORDING), 64 + 5,
        "providers/demo/tasks/other is not in this recording, which has providers/demo/tasks/d1-1",
        hint="use a name that is in the file of --replay")


def test_different_fields_are_named():
    result = tripwire("search", "tasks", "providers/demo", "--filter", "state=OPEN",
                      "--replay", RECORDING)
    assert_failed(result, 64 + 5, "this request for providers/demo is not in this recording: filter")


@pytest.mark.parametrize("selector", [
    {"resource": TASK},
    {"request": {"@type": "type.googleapis.com/maps.fleetengine.delivery.v1.GetTaskRequest",
                 "name": TASK}},
], ids=["resource", "request"])
def test_script_answers_a_task(tmp_path, selector):
    task = {"@type": "type.googleapis.com/maps.fleetengine.delivery.v1.Task",
            "name": TASK, "state": "CLOSED"}
    script = tmp_path / "task.json"
    script.write_text(json.dumps({"calls": [
        {"method": f"/{SERVICE}/GetTask", **selector,
         "steps": [{"message": {"json": task}}, {"trailers": {}}]}]}))
    with replaying(script) as (_, address), grpc.insecure_channel(address) as channel:
        client = DeliveryServiceClient(transport=DeliveryServiceGrpcTransport(channel=channel))
        assert client.get_task(name=TASK).state.name == "CLOSED"
