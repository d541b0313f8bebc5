"""Writes requests of clients to the replay server, as inputs of the target `server`.

    requests.py FOLDER
"""

import hashlib
import pathlib
import struct
import sys

import h2.connection
import h2.settings
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

# The modes: in one piece; in pieces of 17 bytes, with one second per piece, with recorded times, with
# a token.
HOWS = [0x0d, 0x07, 0x27, 0x67, 0xe7]
HEALTH, REFLECTION = "/grpc.health.v1.Health/", "/grpc.reflection.v1.ServerReflection/"


def frame(data, flag=0):
    return struct.pack(">BI", flag, len(data)) + data


def question(**of):
    return frame(reflection_pb2.ServerReflectionRequest(**of).SerializeToString())


def health(service):
    return frame(health_pb2.HealthCheckRequest(service=service).SerializeToString())


def say(client, stream, path, *parts, end=True, **fields):
    headers = {
        ":method": "POST", ":scheme": "http", ":path": path, ":authority": "a", "te": "trailers",
        "content-type": "application/grpc", "authorization": "Bearer x",
    } | {name.replace("_", "-"): value for name, value in fields.items()}
    client.send_headers(stream, headers.items())
    for part in parts:
        client.send_data(stream, part)
    if end:
        client.end_stream(stream)


def unary(client):
    say(client, 1, "/S/Say", frame(b"\1"))
    say(client, 3, "/S/Say", frame(b"\1"))
    say(client, 5, "/S/Say", frame(b"\2"))
    say(client, 7, "/S/Absent", frame(b""))
    say(client, 9, "/S/Say", frame(b"\1"), frame(b"\1"))


def unfinished(client):
    say(client, 1, "/S/Say", b"\0\0\0\0", end=False)
    say(client, 3, "/S/Say", b"\0\0\0\0\5\1")
    say(client, 5, "/S/Say", b"\2\0\0\0\0")
    say(client, 7, "/S/Say", b"\0\xff\xff\xff\xff")
    client.reset_stream(1)


def streams(client):
    say(client, 1, "/S/Watch", frame(b"\1"), grpc_timeout="3S")
    say(client, 3, "/S/Chat", frame(b"\1"), frame(b"\2"))
    say(client, 5, "/S/Chat", frame(b"\1"), frame(b"\3"), end=False)
    say(client, 7, "/S/First", end=False)
    say(client, 9, "/S/First", frame(b"\1"))
    client.increment_flow_control_window(1 << 20)
    client.increment_flow_control_window(1 << 20, stream_id=1)
    client.ping(b"12345678")


def own(client):
    say(client, 1, HEALTH + "Check", health("S"))
    say(client, 3, HEALTH + "Watch", health("other"))
    say(client, 5, HEALTH + "Check", health("nobody"))
    say(client, 7, REFLECTION + "ServerReflectionInfo", question(list_services="*"),
        question(file_containing_symbol="S"), question(file_by_filename="b"),
        question(all_extension_numbers_of_type="S"), end=False)
    say(client, 9, REFLECTION + "ServerReflectionInfo", frame(b"\xff"))


def heads(client):
    say(client, 1, "/S/Say", grpc_timeout="0n")
    say(client, 3, "/S/Say", grpc_timeout="999999999H")
    say(client, 5, "/S/Say", grpc_encoding="snappy")
    say(client, 7, "/S/Say", frame(b"\x1f\x8b\x08", 1), grpc_encoding="gzip")
    say(client, 9, "//", content_type="application/grpc+proto;x")
    say(client, 11, "/S/Say", content_type="text/html")
    say(client, 13, "/S/Say", authorization="Basic x")
    client.close_connection()


def settings(client):
    client.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    say(client, 1, "/S/Watch", frame(b"\1"))
    say(client, 3, REFLECTION + "ServerReflectionInfo", question(list_services="*") * 20)
    client.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 100})
    client.increment_flow_control_window(50, stream_id=1)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for talk in (unary, unfinished, streams, own, heads, settings):
    client = h2.connection.H2Connection()
    client.initiate_connection()
    talk(client)
    said = client.data_to_send()
    for how in HOWS:
        name = hashlib.sha1(bytes([how]) + said).hexdigest()[:16]
        (folder / name).write_bytes(bytes([how]) + said)
