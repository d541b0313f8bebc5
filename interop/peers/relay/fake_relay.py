"""Carries out the commands that a test sends over the Unix socket in FAKE_RELAY, in place of tripwire-relay.

Each line from the test is a JSON object: {"out": BASE64}, {"err": TEXT}, {"exit": CODE}, {"kill": true}
or {"ignore": true} for SIGTERM. Lines to the test: the arguments, and later the number of a signal.
"""

import base64
import json
import os
import signal
import socket
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(os.environ["FAKE_RELAY"])


def tell(value):
    connection.sendall(json.dumps(value).encode() + b"\n")


def end(number, _):
    tell({"signal": number})
    os._exit(0)


signal.signal(signal.SIGTERM, end)
tell({"arguments": sys.argv[1:], "pid": os.getpid()})
for line in connection.makefile():
    command = json.loads(line)
    if "out" in command:
        data = base64.b64decode(command["out"])
        while data:
            data = data[os.write(1, data):]
    if "err" in command:
        os.write(2, command["err"].encode())
    if "ignore" in command:
        signal.signal(signal.SIGTERM, lambda number, _: tell({"signal": number}))
        tell({})
    if "kill" in command:
        os.kill(os.getpid(), signal.SIGKILL)
    if "exit" in command:
        os._exit(command["exit"])
