"""Does our proto of the binary log equal gRPC's? PyPI has none, so this file lists its fields."""

from descriptors.compare import shape_of_files

FIELDS = """
Address.type                          1 enum grpc.binarylog.v1.Address.Type
Address.address                       2 string
Address.ip_port                       3 uint32
ClientHeader.metadata                 1 message grpc.binarylog.v1.Metadata
ClientHeader.method_name              2 string
ClientHeader.authority                3 string
ClientHeader.timeout                  4 message google.protobuf.Duration
GrpcLogEntry.timestamp                1 message google.protobuf.Timestamp
GrpcLogEntry.call_id                  2 uint64
GrpcLogEntry.sequence_id_within_call  3 uint64
GrpcLogEntry.type                     4 enum grpc.binarylog.v1.GrpcLogEntry.EventType
GrpcLogEntry.logger                   5 enum grpc.binarylog.v1.GrpcLogEntry.Logger
GrpcLogEntry.client_header            6 message grpc.binarylog.v1.ClientHeader in payload
GrpcLogEntry.server_header            7 message grpc.binarylog.v1.ServerHeader in payload
GrpcLogEntry.message                  8 message grpc.binarylog.v1.Message in payload
GrpcLogEntry.trailer                  9 message grpc.binarylog.v1.Trailer in payload
GrpcLogEntry.payload_truncated       10 bool
GrpcLogEntry.peer                    11 message grpc.binarylog.v1.Address
Message.length                        1 uint32
Message.data                          2 bytes
Metadata.entry                        1 repeated message grpc.binarylog.v1.MetadataEntry
MetadataEntry.key                     1 string
MetadataEntry.value                   2 bytes
ServerHeader.metadata                 1 message grpc.binarylog.v1.Metadata
Trailer.metadata                      1 message grpc.binarylog.v1.Metadata
Trailer.status_code                   2 uint32
Trailer.status_message                3 string
Trailer.status_details                4 bytes
"""

ENUM_VALUES = {
    "Address.Type": ["TYPE_UNKNOWN", "TYPE_IPV4", "TYPE_IPV6", "TYPE_UNIX"],
    "GrpcLogEntry.EventType": [
        "EVENT_TYPE_UNKNOWN", "EVENT_TYPE_CLIENT_HEADER", "EVENT_TYPE_SERVER_HEADER",
        "EVENT_TYPE_CLIENT_MESSAGE", "EVENT_TYPE_SERVER_MESSAGE", "EVENT_TYPE_CLIENT_HALF_CLOSE",
        "EVENT_TYPE_SERVER_TRAILER", "EVENT_TYPE_CANCEL",
    ],
    "GrpcLogEntry.Logger": ["LOGGER_UNKNOWN", "LOGGER_CLIENT", "LOGGER_SERVER"],
}


def line(name, field):
    label = "repeated" if field["label"] == "repeated" else ""
    oneof = f"in {field['oneof']}" if field["oneof"] else ""
    words = [name, str(field["number"]), label, field["type"], field["type_name"] or "", oneof]
    return " ".join(word for word in words if word)


def test_fields_and_enum_values_equal_the_table(ours):
    shape = {
        name.removeprefix("grpc.binarylog.v1."): facts
        for name, facts in shape_of_files(ours("grpc/binlog/v1/binarylog.proto")).items()
    }
    of_kind = lambda kind: {name: facts for name, facts in shape.items() if facts["kind"] == kind}
    assert sorted(line(*item) for item in of_kind("field").items()) == \
        sorted(" ".join(row.split()) for row in FIELDS.strip().splitlines())
    assert {name: facts["number"] for name, facts in of_kind("enum value").items()} == {
        f"{enum}.{value}": number
        for enum, values in ENUM_VALUES.items() for number, value in enumerate(values)
    }
