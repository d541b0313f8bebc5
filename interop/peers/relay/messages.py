"""The messages of our relay, compiled by grpcio-tools."""

from google.maps.fleetengine_v1 import types
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from peers.servers.protosets import compiled
from support.paths import PROTOS

NAME = "providers/p/trips/t1"
URL = "nats://127.0.0.1:4222"


def _classes():
    pool = descriptor_pool.DescriptorPool()
    protoset = compiled(PROTOS, "tripwire/relay/v1/trip_state.proto")
    for file in descriptor_pb2.FileDescriptorSet.FromString(protoset).file:
        pool.AddSerializedFile(file.SerializeToString())
    return (message_factory.GetMessageClass(pool.FindMessageTypeByName(f"tripwire.relay.v1.{name}"))
            for name in ("TripState", "PollError"))


TripState, PollError = _classes()


def varint(number):
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data) + bytes([number])


def delimited(*states):
    """Returns messages, each after its length."""
    parts = [state.SerializeToString() for state in states]
    return b"".join(varint(len(part)) + part for part in parts)


def state(status=None, name=NAME, **fields):
    """Returns a state with a trip."""
    message = TripState(name=name, **fields)
    if status:
        message.trip.name = name
        message.trip.trip_status = types.TripStatus[status].value
        message.refresh_time.seconds = message.poll_time.seconds = 1_700_000_000
    message.refresh_interval.seconds = message.refresh_interval.seconds or 60
    return message


def failing(code, message="scripted", origin="SERVER", is_client_error=True, count=1, **fields):
    error = PollError(origin=origin, is_client_error=is_client_error, count=count)
    error.status.code, error.status.message = code, message
    error.since.seconds = 1_700_000_000
    result = state(error=error, **fields)
    result.poll_time.seconds = 1_700_000_000
    return result
