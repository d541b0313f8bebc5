"""Writes Sources/runtime.order: what `tripwire get` calls of the Swift runtime.

A release is linked with these functions side by side. Where they lie in the runtime's archives,
they are spread over megabytes, of which the system then maps nearly all: it maps 64 KiB around each
page that is touched. The list changes with the toolchain; what is not there any more is passed over.
TRIPWIRE_BIN names the release, not stripped.
"""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from get import NAME, FleetServer, make_certificates
from host import ROOT, output

FILE = ROOT / "Sources/runtime.order"
HEADER = """\
# What `tripwire get` calls of the Swift runtime, for the linker to lay side by side: a process then
# maps some 1.3 MiB less of the program. Written by `make runtime-order`.
"""


def functions_called(words):
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile"
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}",
             *map(str, words)], check=True, capture_output=True)
        names = re.findall(r"^c?fn=\(\d+\) ([^'\n]+)", profile.read_text(), re.MULTILINE)
    return set(names)


def functions_of_the_runtime():
    target = json.loads(output("swift", "-print-target-info", "-static-stdlib"))
    [folder] = target["paths"]["runtimeLibraryPaths"]
    archives = [Path(folder) / f"libswift{name}.a" for name in ("Core", "_Concurrency")]
    symbols = output("nm", "--defined-only", "--format=posix", *archives)
    return {line.split()[0] for line in symbols.splitlines() if re.search(r" [tTwW] ", line)}


def main():
    with tempfile.TemporaryDirectory() as name:
        certificates = make_certificates(Path(name))
        with FleetServer(certificate=certificates.good) as server:
            called = functions_called(
                [os.environ["TRIPWIRE_BIN"], "get", NAME, "--endpoint", server.address,
                 "--cacert", certificates.authority])
    names = sorted(called & functions_of_the_runtime())
    FILE.write_text(HEADER + "\n".join(names) + "\n")
    print(f"wrote {FILE}: {len(names)} functions")


main()
