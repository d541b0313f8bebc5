"""Does the comparison report every kind of difference between descriptors?"""

import copy

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool

from descriptors.compare import differences, shape_of_files, shape_of_services

Field = descriptor_pb2.FieldDescriptorProto
TRIPS = "google/maps/fleetengine/v1/trips.proto"
API = "google/maps/fleetengine/v1/trip_api.proto"
ERRORS = "google/rpc/error_details.proto"


def named(items, name):
    return next(item for item in items if item.name == name)


def trip(files):
    return named(named(files, TRIPS).message_type, "Trip")


def renumber(files):
    named(trip(files).field, "vehicle_id").number = 99


def rename(files):
    named(trip(files).field, "vehicle_id").name = "vehicle"


def retype(files):
    named(trip(files).field, "vehicle_id").type = Field.TYPE_BYTES


def point_at_another_message(files):
    named(trip(files).field, "pickup_time").type_name = ".google.protobuf.Duration"


def make_repeated(files):
    named(trip(files).field, "name").label = Field.LABEL_REPEATED


def move_out_of_oneof(files):
    attribute = named(named(files, "google/maps/fleetengine/v1/fleetengine.proto").message_type,
                      "TripAttribute")
    named(attribute.field, "bool_value").ClearField("oneof_index")


def rename_in_json(files):
    named(trip(files).field, "vehicle_id").json_name = "vehicle"


def deprecate_field(files):
    named(trip(files).field, "vehicle_id").options.deprecated = True


def deprecate_message(files):
    trip(files).options.deprecated = True


def lose_presence(files):
    quota = named(named(files, ERRORS).message_type, "QuotaFailure").nested_type[0]
    field = named(quota.field, "future_quota_value")
    field.ClearField("proto3_optional")
    field.ClearField("oneof_index")
    quota.ClearField("oneof_decl")


def drop_field(files):
    trip(files).field.remove(named(trip(files).field, "vehicle_id"))


def add_field(files):
    trip(files).field.add(
        name="more", number=99, type=Field.TYPE_INT32, label=Field.LABEL_OPTIONAL)


def drop_message(files):
    messages = named(files, API).message_type
    named(named(files, API).service, "TripService").ClearField("method")
    messages.remove(named(messages, "DeleteTripRequest"))


def renumber_enum_value(files):
    named(named(named(files, TRIPS).enum_type, "TripStatus").value, "NEW").number = 99


def drop_enum_value(files):
    values = named(named(files, TRIPS).enum_type, "TripStatus").value
    values.remove(named(values, "NEW"))


def answer_with_another_message(files):
    method = named(named(named(files, API).service, "TripService").method, "GetTrip")
    method.output_type = ".google.protobuf.Empty"


def drop_method(files):
    service = named(named(files, API).service, "TripService")
    service.method.remove(named(service.method, "GetTrip"))


def shape(files):
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    found = [pool.FindFileByName(file.name) for file in files if file.name in (TRIPS, API, ERRORS)
             or file.name.endswith("fleetengine.proto")]
    return shape_of_files(found) | shape_of_services(found)


@pytest.mark.parametrize("change, expected", [
    (renumber, ["Trip.vehicle_id: number is 99 with us and 2 with them"]),
    (rename, ["Trip.vehicle: only ours", "Trip.vehicle_id: only theirs"]),
    (retype, ["Trip.vehicle_id: type is 'bytes' with us and 'string' with them"]),
    (point_at_another_message, [
        "Trip.pickup_time: type_name is 'google.protobuf.Duration' with us and "
        "'google.protobuf.Timestamp' with them"]),
    (make_repeated, [
        "Trip.name: label is 'repeated' with us and 'singular' with them"]),
    (move_out_of_oneof, [
        "TripAttribute.bool_value: oneof is None with us and 'trip_attribute_value' with them",
        "TripAttribute.bool_value: presence is False with us and True with them"]),
    (rename_in_json, ["Trip.vehicle_id: json_name is 'vehicle' with us and 'vehicleId' with them"]),
    (deprecate_field, ["Trip.vehicle_id: deprecated is True with us and False with them"]),
    (deprecate_message, ["Trip: deprecated is True with us and False with them"]),
    (lose_presence, [
        "QuotaFailure.Violation.future_quota_value: oneof is None with us and "
        "'_future_quota_value' with them",
        "QuotaFailure.Violation.future_quota_value: presence is False with us and True with them",
        "QuotaFailure.Violation: oneofs is [] with us and ['_future_quota_value'] with them"]),
    (drop_field, ["Trip.vehicle_id: only theirs"]),
    (add_field, ["Trip.more: only ours"]),
    (drop_message, [
        "DeleteTripRequest.header: only theirs", "DeleteTripRequest.name: only theirs",
        "DeleteTripRequest: only theirs"]),
    (renumber_enum_value, ["TripStatus.NEW: number is 99 with us and 1 with them"]),
    (drop_enum_value, ["TripStatus.NEW: only theirs"]),
    (answer_with_another_message, [
        "/maps.fleetengine.v1.TripService/GetTrip: response is 'google.protobuf.Empty' with us and "
        "'maps.fleetengine.v1.Trip' with them"]),
    (drop_method, ["/maps.fleetengine.v1.TripService/GetTrip: only theirs"]),
])
def test_difference_is_reported(our_files, change, expected):
    changed = [copy.deepcopy(file) for file in our_files]
    change(changed)
    found = differences(shape(changed), shape(our_files))
    found = [d.removeprefix("maps.fleetengine.v1.").removeprefix("google.rpc.") for d in found]
    assert [d for d in found if not (change is drop_message and d.startswith("/"))] == expected


def test_equal_descriptors_have_no_differences(our_files):
    assert differences(shape(our_files), shape(our_files)) == []
