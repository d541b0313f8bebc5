"""Controls an emulator: its time, and the vehicles that it drives."""

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from peers.servers.protosets import compiled
from support.paths import PROTOS

FILE = "tripwire/emulator/v1/emulator.proto"
SERVICE = "tripwire.emulator.v1.EmulatorService"


class Control:
    def __init__(self, channel):
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(compiled(PROTOS, FILE)).file:
            pool.Add(file)
        self._channel, self._service = channel, pool.FindServiceByName(SERVICE)

    def call(self, method, **request):
        method = self._service.FindMethodByName(method)
        kinds = [message_factory.GetMessageClass(each) for each in (method.input_type, method.output_type)]
        call = self._channel.unary_unary(
            f"/{SERVICE}/{method.name}", request_serializer=kinds[0].SerializeToString,
            response_deserializer=kinds[1].FromString)
        return call(kinds[0](**request))

    def advance(self, seconds):
        """Advances the time; returns it in seconds since 1970."""
        now = self.call("AdvanceTime", duration=duration(seconds)).time
        return now.seconds + now.nanos / 1e9

    def drive(self, name, points, speed, wait):
        """Drives a vehicle to its stops along these points, in meters per second, with a wait in seconds at each."""
        self.call("DriveVehicle", name=name, speed=speed, wait=duration(wait), points=[
            {"latitude": latitude, "longitude": longitude} for latitude, longitude in points])

    def stick(self, name):
        """Discards the locations that are reported for a vehicle; returns the fault."""
        return self.call("CreateFault", fault={"resource": name, "stuck_location": {}})


def duration(seconds):
    whole, nanos = divmod(round(seconds * 1e9), 1_000_000_000)
    return {"seconds": whole, "nanos": nanos}
