"""Do the commands in the articles for users of other tools work? Those of the other tools run, too."""

import re
import shutil
import subprocess
import sys

import grpc
import pytest
from google.maps.fleetengine_v1 import TripServiceClient, VehicleServiceClient
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport

from support.command import LONGEST, TOOLS, binary, environment, replaying
from support.paths import INTEROP, RECORDINGS
from support.samples import articles, samples

ARTICLES = INTEROP.parent / "Sources/Tripwire/Tripwire.docc/ComingFrom"


def rows(article):
    """The rows of the first table with commands: the code in the two columns."""
    text = (ARTICLES / f"{article}.md").read_text()
    table = text.partition("|---|---|\n")[2].partition("\n\n")[0]
    return [re.findall(r"`([^`]+)`", row) for row in table.splitlines()]


@pytest.fixture(scope="module")
def addresses(certificates):
    """The servers of a recorded trip: without TLS, and with it."""
    certificate = certificates.good
    demo = RECORDINGS / "demo.binlog"
    with replaying(demo) as (_, plaintext), replaying(
            demo, "--tls-cert", certificate.chain, "--tls-key", certificate.key) as (_, tls):
        yield plaintext, tls


@pytest.fixture
def run(addresses, certificates, tmp_path):
    """Runs a line of an article in a folder with the files that the articles mention."""
    (tmp_path / "protos/grpc/health/v1").mkdir(parents=True)
    shutil.copy(INTEROP.parent / "protos/grpc/health/v1/health.proto", tmp_path / "protos/grpc/health/v1")
    subprocess.run(["protoc", "-I", "protos", "--include_imports", "--descriptor_set_out=health.binpb",
                    "grpc/health/v1/health.proto"], cwd=tmp_path, check=True)
    (tmp_path / "ca.pem").symlink_to(certificates.authority)
    (tmp_path / "token.jwt").write_text("a.b.c")
    (tmp_path / "request.json").write_text("{}")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tripwire").symlink_to(binary())
    plaintext, tls = addresses
    path = f"{tmp_path}/bin:{TOOLS}:{environment()['PATH']}"

    def run(line):
        uses_tls = not re.search("-plaintext|http://", line)
        line = line.replace("HOST:PORT", tls if uses_tls else plaintext)
        return subprocess.run(["sh", "-ec", line], cwd=tmp_path, text=True, capture_output=True,
                              timeout=LONGEST, env=environment(PATH=path, XDG_CONFIG_HOME=str(tmp_path)))

    return run


@pytest.mark.parametrize("lines", rows("ComingFromGrpcurl") + rows("ComingFromBufCurl"),
                         ids=lambda lines: lines[0])
def test_both_commands_succeed(run, lines):
    assert len(lines) == 2
    for line in lines:
        done = run(line)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout or ">" in line or " -o " in line, line


@pytest.mark.parametrize("lines", rows("ComingFromGrpcurl"), ids=lambda lines: lines[0])
def test_no_command_takes_more_keys_than_grpcurl(lines):
    grpcurl, ours = lines
    assert len(ours) <= len(grpcurl)


def test_google_client_calls_a_replay(addresses):
    (sample,) = samples(articles()["ComingFromGoogleClients"], "python")
    plaintext, _ = addresses
    done = subprocess.run([sys.executable, "-c", sample.code.replace("127.0.0.1:50051", plaintext)],
                          capture_output=True, text=True, timeout=LONGEST, env=environment())
    assert done.stdout.splitlines() == sample.output, done.stderr


class TestGoogleClient:
    @pytest.fixture
    def clients(self, server):
        with grpc.insecure_channel(server.address) as channel:
            yield {
                "trips": TripServiceClient(transport=TripServiceGrpcTransport(channel=channel)),
                "vehicles": VehicleServiceClient(
                    transport=VehicleServiceGrpcTransport(channel=channel)),
            }

    @pytest.mark.parametrize("code, command", [
        row for row in
        re.findall(r"^\| `((?:trips|vehicles)\.\w+\(.*\))` \| `(tripwire [^`]+)` \|$",
                   (ARTICLES / "ComingFromGoogleClients.md").read_text(), re.M)])
    def test_both_calls_succeed(self, run, server, clients, code, command):
        eval(code, clients)
        done = run(f"{command} --endpoint {server.address} --plaintext")
        assert done.returncode == 0, done.stderr
        # A deletion has no output.
        assert bool(done.stdout) == (" delete " not in command)
