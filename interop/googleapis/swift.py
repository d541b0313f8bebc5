"""Generates Swift code from .proto files, builds it, and reads and writes messages with it."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from google.protobuf import json_format

from support.command import binary
from googleapis.protos import FILES, compiled
from support.paths import INTEROP

HERE = INTEROP / "googleapis"
SCRATCH = INTEROP.parent / ".build" / "googleapis" / "package"
# In seconds. Only a faulty machine needs longer.
LONGEST_BUILD = 900
LONGEST_RUN = 300


def build(folder):
    """Generates and builds the program to run. Unchanged files are not rebuilt."""
    generated = folder / "Generated"
    generated.mkdir()
    protos = folder / "all"
    protos.write_bytes(compiled(folder).SerializeToString())
    plugin = Path(binary()).parent / "protoc-gen-tripwire"
    subprocess.run(
        ["protoc", f"--plugin=protoc-gen-tripwire={plugin}", f"--descriptor_set_in={protos}",
         f"--tripwire_out={generated}", *FILES], check=True)
    types = swift_types(generated)
    (generated / "GeneratedTypes.swift").write_text(
        "import WireProtobuf\n\nlet generatedTypes: [any Message.Type] = [\n"
        + "".join(f"  {name}.self,\n" for name in types.values()) + "]\n")
    # The copy has a new date, so that SwiftPM checks for new files of the runtime.
    SCRATCH.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(HERE / "Package.swift", SCRATCH / "Package.swift")
    sync(HERE / "RoundTrip" / "main.swift", SCRATCH / "RoundTrip" / "main.swift")
    for old in (SCRATCH / "RoundTrip" / "Generated").glob("*"):
        if not (generated / old.name).exists():
            old.unlink()
    for file in generated.iterdir():
        sync(file, SCRATCH / "RoundTrip" / "Generated" / file.name)
    swift_build = ["swift", "build", "--package-path", SCRATCH]
    built = subprocess.run(swift_build, capture_output=True, text=True, timeout=LONGEST_BUILD)
    if built.returncode:
        pytest.fail(f"the generated code does not compile:\n{built.stdout}{built.stderr}")
    where = subprocess.run([*swift_build, "--show-bin-path"], capture_output=True, check=True)
    return Program(Path(where.stdout.decode().strip()) / "RoundTrip", types)


def sync(source, target):
    if not target.exists() or source.read_bytes() != target.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def swift_types(generated):
    """Returns the names of the generated types by message name."""
    found = re.findall(
        r'^(?:nonisolated )?extension (\S+): \w*Message \{\n'
        r'  (?:\w+ )?static var messageName: String \{\s+"([^"]+)"\s+\}$',
        "".join(file.read_text() for file in sorted(generated.glob("*.pb.swift"))), re.MULTILINE)
    return {message: swift for swift, message in found}


@dataclass
class Result:
    error: str
    bytes: bytes = b""
    json: bytes = b""
    from_own_json: bytes = b""
    from_their_json: bytes = b""


@dataclass
class Program:
    path: Path
    # The names of the Swift types by message name.
    types: dict

    def round_trips(self, samples, json=json_format.MessageToJson):
        """Yields the result for each message, see main.swift; `json` makes the JSON to read."""
        parts = []
        for sample in samples:
            parts += [
                sample.DESCRIPTOR.full_name.encode(), sample.SerializeToString(),
                json(sample).encode()]
        done = subprocess.run(
            [self.path], input=b"".join(map(framed, parts)), capture_output=True,
            timeout=LONGEST_RUN)
        if done.returncode:
            pytest.fail(f"{self.path} ended with {done.returncode}: {done.stderr.decode()}")
        parts = unframed(done.stdout)
        for error in parts:
            yield Result(error.decode(), *([] if error else [next(parts) for _ in range(4)]))


def framed(part):
    return len(part).to_bytes(4, "little") + part


def unframed(data):
    start = 0
    while start < len(data):
        end = start + 4 + int.from_bytes(data[start:start + 4], "little")
        yield data[start + 4:end]
        start = end
