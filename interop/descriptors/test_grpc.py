"""Do our protos of gRPC's health and reflection services equal those of PyPI?"""

from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from descriptors.compare import differences, shape_of_files

HEALTH, REFLECTION = "grpc/health/v1/health.proto", "grpc/reflection/v1/reflection.proto"
# PyPI's version is newer and has a method that lists all services.
SINCE = {
    name for name in shape_of_files([health_pb2.DESCRIPTOR])
    if name.startswith(("grpc.health.v1.HealthList", "grpc.health.v1.Health.List"))}


def test_health_equals_upstream(ours):
    assert differences(shape_of_files(ours(HEALTH)), shape_of_files([health_pb2.DESCRIPTOR])) == \
        sorted(f"{name}: only theirs" for name in SINCE)


def test_reflection_equals_v1alpha(ours):
    """PyPI has v1alpha, which differs from v1 only in its name."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    renamed(file)
    pool = descriptor_pool.DescriptorPool()
    theirs = pool.AddSerializedFile(file.SerializeToString())
    assert differences(shape_of_files(ours(REFLECTION)), shape_of_files([theirs])) == []


def renamed(file):
    def v1(name):
        return name.replace("grpc.reflection.v1alpha", "grpc.reflection.v1")

    file.package = v1(file.package)
    for message in file.message_type:
        for field in message.field:
            if field.type_name:
                field.type_name = v1(field.type_name)
    for service in file.service:
        for method in service.method:
            method.input_type, method.output_type = v1(method.input_type), v1(method.output_type)
