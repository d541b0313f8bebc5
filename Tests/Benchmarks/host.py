"""Shared by the benchmarks: a description of the machine, and the protos of a Trip."""

import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_V1 = "google/maps/fleetengine/v1"
TRIP_PROTOS = [
    "google/api/annotations", "google/api/http", "google/api/routing", "google/type/latlng", "google/geo/type/viewport",
    *(f"{_V1}/{file}" for file in ("fleetengine", "header", "traffic", "trip_api", "trips"))]


def output(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def compile_protos(folder, *flags):
    """Writes the C++ code of TRIP_PROTOS into the folder."""
    subprocess.run(
        ["protoc", "-I", "protos", f"--cpp_out={folder}", *flags,
         *(f"{file}.proto" for file in TRIP_PROTOS)],
        cwd=ROOT, check=True)


def machine():
    """The machine, the compilers and the commit, as a Markdown list."""
    release = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    swift, gcc = (output(compiler, "--version").splitlines()[0] for compiler in ("swift", "g++"))
    commit = output("git", "describe", "--always", "--dirty")
    return (f"- {processor()}, {os.cpu_count()} cores, {release['PRETTY_NAME'].strip(chr(34))}\n"
            f"- {swift}; {gcc}\n- commit {commit}, load {os.getloadavg()[0]:.1f}\n")


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(": ")[2]
    return platform.machine()
