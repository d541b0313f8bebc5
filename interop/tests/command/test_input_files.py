"""Are endless, late, missing and unsuitable input files reported?"""

import gzip
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from support.command import LONGEST, assert_failed, binary, environment, start, tripwire
from support.paths import RECORDINGS

TRIP = "providers/p/trips/t1"
# The hint for a file that is not read before the deadline.
LATE = "check the program that writes the file, if it is a pipe, or raise --timeout"
# An address without a listener: a command that connects in spite of an unusable file fails with
# UNAVAILABLE.
NOWHERE = ["--endpoint", "127.0.0.1:1"]
DEMO = RECORDINGS / "demo.binlog"


@pytest.fixture(scope="module")
def client(certificates):
    return ["--cert", certificates.client.chain, "--key", certificates.client.key]


def get(*arguments):
    return ["get", TRIP, *NOWHERE, *arguments]


# Commands whose last argument is an option that takes a file, and the size limit of the file.
GET = [
    (get("--cacert"), "8 MiB"),
    (get("--cert"), "1 MiB"),
    (get("--crlfile"), "64 MiB"),
    (get("--token-file"), "64 KiB"),
    (get("--credentials"), "64 KiB"),
    (["call", "a.B/C", *NOWHERE, "--plaintext", "--protoset"], "128 MiB"),
    (["list", *NOWHERE, "--plaintext", "--protoset"], "128 MiB"),
]
LOCAL = [
    (["token", "mint", "--trip", "t1", "--credentials"], "64 KiB"),
    (["log", DEMO, "--protoset"], "128 MiB"),
    (["replay", DEMO, "--tls-cert"], "1 MiB"),
    (["replay", DEMO, "--protoset"], "128 MiB"),
]


def case_id(case):
    arguments, _ = case
    return f"{arguments[0]} {arguments[-1]}"


@pytest.mark.parametrize("arguments, limit", GET + LOCAL, ids=map(case_id, GET + LOCAL))
def test_endless_file_is_rejected_at_its_limit(arguments, limit):
    result = tripwire(*arguments, "/dev/zero")
    assert_failed(result, 1, error=f"{arguments[-1]}: /dev/zero: larger than {limit}", hint="check ")
    assert result.stderr.count("\n") == 2


@pytest.fixture(scope="module")
def large_recording(tmp_path_factory):
    """A small compressed recording that takes many seconds to load."""
    path = tmp_path_factory.mktemp("large") / "large.binlog.gz"
    entries = DEMO.read_bytes()
    path.write_bytes(gzip.compress(entries * (100_000_000 // len(entries)), 1))
    return path


@pytest.mark.parametrize("file", ["/dev/zero", "/dev/urandom", "large"])
def test_loading_a_recording_is_limited_by_the_timeout(file, request):
    path = request.getfixturevalue("large_recording") if file == "large" else file
    begin = time.monotonic()
    result = tripwire("get", TRIP, "--replay", path, "--timeout", "10ms")
    assert_failed(result, 1, error=f"--replay: {path}: not read before the deadline", hint=LATE)
    # Without the limit, loading takes tens of seconds, or several until the file is found invalid.
    assert time.monotonic() - begin < 3


def test_endless_key_is_rejected_at_its_limit(certificates):
    result = tripwire(
        *get("--cert", certificates.client.chain, "--key"), "/dev/zero")
    assert_failed(result, 1, error="--key: /dev/zero: larger than 1 MiB", hint="check ")


def test_endless_root_bundle_is_rejected_at_its_limit():
    result = tripwire(*get(), SSL_CERT_FILE="/dev/zero")
    assert_failed(result, 1, error="SSL_CERT_FILE: /dev/zero: larger than 8 MiB", hint="check ")


def test_endless_token_key_is_rejected_at_its_limit(tmp_path):
    # Only a JWT is verified with the key.
    (tmp_path / "token").write_text("eyJhbGciOiJSUzI1NiJ9.e30.c2ln")
    result = tripwire("token", "inspect", tmp_path / "token", "--key", "/dev/zero")
    assert_failed(result, 1, error="--key: /dev/zero: larger than 1 MiB",
                  hint="check that --key names the right file")


@pytest.fixture
def fifo(tmp_path):
    """A named pipe without a writer."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("arguments, _", GET, ids=map(case_id, GET))
def test_fifo_without_a_writer_times_out(fifo, arguments, _):
    begin = time.monotonic()
    result = tripwire(*arguments, fifo, "--timeout", "400ms")
    assert time.monotonic() - begin >= 0.4
    assert_failed(result, 1, error=f"{arguments[-1]}: {fifo}: not read before the deadline",
                  hint=LATE)


def test_late_headers_time_out(fifo):
    result = tripwire("get", TRIP, "--endpoint", "localhost:1", "-H", f"@{fifo}", "--timeout", "400ms")
    assert_failed(result, 1, error=f"--header: {fifo}: not read before the deadline", hint=LATE)


@pytest.mark.parametrize("start_of_file", [b"", b"{", DEMO.read_bytes()[:100]],
                         ids=["nothing", "script", "log"])
def test_late_recording_times_out(fifo, start_of_file):
    end = os.open(fifo, os.O_RDWR)
    os.write(end, start_of_file)
    result = tripwire("get", TRIP, "--replay", fifo, "--timeout", "400ms")
    os.close(end)
    assert_failed(result, 1, error=f"--replay: {fifo}: not read before the deadline", hint=LATE)


def test_missing_recording_is_reported_with_its_option(tmp_path):
    result = tripwire("get", TRIP, "--replay", tmp_path / "none")
    assert_failed(result, 1, error=f"--replay: {tmp_path / 'none'}: No such file or directory",
                  hint="check the path in --replay")


def test_late_root_bundle_times_out(fifo):
    result = tripwire(*get("--timeout", "100ms"), SSL_CERT_FILE=str(fifo))
    assert_failed(result, 1, error=f"SSL_CERT_FILE: {fifo}: not read before the deadline",
                  hint=LATE)


def test_late_token_file_of_the_variable_times_out(fifo):
    result = tripwire(*get("--timeout", "100ms"), TRIPWIRE_TOKEN=str(fifo))
    assert_failed(result, 1, str(fifo), "TRIPWIRE_TOKEN", "not read before the deadline")


def test_late_request_times_out_without_timeout(fifo):
    """A file has 15 seconds. stdin has no limit, because a person may type."""
    begin = time.monotonic()
    result = tripwire("call", "maps.fleetengine.v1.TripService/GetTrip", "-d", f"@{fifo}",
                      "--endpoint", "127.0.0.1:1", "--plaintext")
    assert time.monotonic() - begin >= 15
    assert_failed(result, 1, str(fifo), "not read before the deadline", hint=LATE)


@pytest.mark.parametrize("arguments", [("log", ""), ("replay", ""), ("token", "inspect", "")],
                         ids=["log", "replay", "inspect"])
def test_empty_name_of_a_file_is_reported(arguments):
    assert_failed(tripwire(*arguments), 2, error="FILE '': expected a file, found an empty name",
                  hint="pass the path of a file")


@pytest.mark.parametrize("arguments, _", GET, ids=map(case_id, GET))
def test_ctrl_c_ends_the_wait_for_a_fifo(fifo, arguments, _):
    # A forced exit takes a second. A busy machine may need as long, but not every time.
    for _ in range(20):
        process = start(*arguments, fifo)
        wait_until_opened(process, fifo)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
        taken = time.monotonic() - begin
        assert (process.returncode, out, err) == (130, b"", b"")
        if taken < 0.9:
            break
    assert taken < 0.9


def wait_until_opened(process, path):
    """Waits until the process has opened the file."""
    end = time.monotonic() + LONGEST
    while not any(is_open(file, path) for file in pathlib.Path(f"/proc/{process.pid}/fd").iterdir()):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)


def is_open(file, path):
    try:
        return os.readlink(file) == str(path)
    except FileNotFoundError:
        return False


def test_fifo_is_read_until_its_writer_closes(tls_server, certificates, fifo):
    """The file is written line by line while the command waits for it."""
    process = start("get", TRIP, "--endpoint", f"localhost:{tls_server.port}", "--cacert", fifo)
    wait_until_opened(process, fifo)
    with open(fifo, "wb", buffering=0) as writer:
        for line in certificates.authority.read_bytes().splitlines(keepends=True):
            writer.write(line)
    out, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, err) == (0, b"") and b'"name"' in out


def test_process_substitution_is_read(tls_server, certificates, tmp_path):
    """One command reads several process substitutions."""
    (tmp_path / "token").write_text("a.b.c")
    binary = os.environ["TRIPWIRE_BIN"]
    line = (f"{binary} get {TRIP} --endpoint localhost:{tls_server.port}"
            f" --cacert <(cat {certificates.authority}; sleep 0.1)"
            f" --cert <(cat {certificates.client.key} {certificates.client.chain})"
            f" --token-file <(sleep 0.1; cat {tmp_path / 'token'})")
    result = subprocess.run(["bash", "-c", line], capture_output=True, timeout=LONGEST, env=environment())
    assert (result.returncode, result.stderr) == (0, b"")


def test_time_to_read_files_counts_as_call_time(server, fifo):
    """Reading the file takes half a second of the timeout."""
    def write():
        with open(fifo, "w") as writer:
            time.sleep(0.5)
            writer.write("a.b.c")
    thread = threading.Thread(target=write)
    thread.start()
    result = tripwire("get", "providers/p/trips/rich", "--endpoint", f"127.0.0.1:{server.port}",
                      "--plaintext", "--token-file", fifo, "--timeout", "30s", "-v")
    thread.join()
    (milliseconds,) = re.findall("grpc-timeout: ([0-9]+)m\n", result.stderr)
    assert int(milliseconds) <= 29_500


def test_late_request_times_out(server, fifo):
    result = tripwire(
        "call", "maps.fleetengine.v1.TripService/GetTrip", "-d", f"@{fifo}", "--endpoint",
        f"127.0.0.1:{server.port}", "--plaintext", "--timeout", "300ms")
    assert_failed(result, 1, error=f"-d: {fifo}: not read before the deadline", hint=LATE)


def test_endless_request_times_out(server):
    result = tripwire(
        "call", "maps.fleetengine.v1.TripService/GetTrip", "-d", "@/dev/zero", "--endpoint",
        f"127.0.0.1:{server.port}", "--plaintext", "--timeout", "300ms")
    assert_failed(result, 1, error="-d: /dev/zero: not read before the deadline", hint=LATE)


# Missing and unsuitable files

@pytest.mark.parametrize("arguments, _", GET + LOCAL, ids=map(case_id, GET + LOCAL))
@pytest.mark.parametrize("kind, words, hint", [
    ("missing", "No such file or directory", "check the path in "),
    ("directory", "Is a directory", "pass a "),
])
def test_unreadable_file_is_reported_with_its_option(
        tmp_path, arguments, _, kind, words, hint):
    path = tmp_path / kind
    if kind == "directory":
        path.mkdir()
    result = tripwire(*arguments, path)
    assert_failed(result, 1, error=f"{arguments[-1]}: {path}: {words}", hint=hint)
    assert result.stderr.count("\n") == 2


def in_file(tmp_path, text):
    path = tmp_path / "file.pem"
    path.write_bytes(text)
    return path


@pytest.mark.parametrize("text", [b"", b"nothing here\n"])
@pytest.mark.parametrize("option, kind", [
    ("--cacert", "certificate (BEGIN CERTIFICATE)"), ("--cert", "certificate (BEGIN CERTIFICATE)"),
    ("--crlfile", "revocation list (BEGIN X509 CRL)"),
])
def test_file_without_the_pem_block_is_reported(tmp_path, text, option, kind):
    path = in_file(tmp_path, text)
    result = tripwire(*get(option), path)
    assert_failed(result, 1, f"{option}: {path} has no PEM {kind}",
                  hint=f"check that {option} names a PEM file with ")
    assert result.stderr.count("--") == 2


def test_root_bundle_without_certificates_is_reported(tmp_path):
    path = in_file(tmp_path, b"")
    result = tripwire(*get(), SSL_CERT_FILE=str(path))
    assert_failed(result, 1, f"SSL_CERT_FILE: {path} has no PEM certificate")


def test_missing_key_is_reported(certificates):
    chain = certificates.client.chain
    result = tripwire(*get("--cert"), chain)
    assert result.stderr == (
        f"error: --cert: {chain} has no PEM private key (BEGIN PRIVATE KEY)\n"
        "hint: pass the private key with --key FILE\n")
    assert result.code == 1


def test_key_of_another_certificate_is_reported(certificates):
    key = certificates.strange_client.key
    result = tripwire(*get("--cert", certificates.client.chain, "--key"), key)
    assert result.stderr == (
        f"error: --key: {key} does not match the first certificate of the certificate file\n"
        "hint: pass the private key of the certificate with --key FILE\n")
    assert result.code == 1


def test_encrypted_key_is_reported(certificates, tmp_path):
    key = tmp_path / "encrypted.key"
    subprocess.run(["openssl", "pkey", "-in", certificates.client.key, "-aes128", "-passout",
                    "pass:secret", "-out", key], check=True)
    result = tripwire(*get("--cert", certificates.client.chain, "--key"), key)
    assert result.stderr == (f"error: --key: {key} is encrypted\n"
                             "hint: decrypt it first: openssl pkey -in … -out …\n")
    assert result.code == 1
    served = tripwire("replay", DEMO, "--tls-cert", certificates.good.chain, "--tls-key", key)
    assert_failed(served, 1, error=f"--tls-key: {key} is encrypted")


@pytest.fixture
def forbidden():
    """A file that another user than root may not read, in a directory that every user may read."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "private")
        path.write_bytes(DEMO.read_bytes())
        path.chmod(0)
        os.chmod(folder, 0o755)
        yield path


@pytest.mark.parametrize("arguments, hint", [
    (["log"], "check the permissions of FILE"),
    (["replay"], "check the permissions of FILE"),
    (get("--token-file"), "check the permissions of the file in --token-file"),
    (get("--credentials"), "check the permissions of the file in --credentials"),
    (["get", TRIP, "--replay"], "check the permissions of the file in --replay"),
    (["get", TRIP, "--replay", DEMO, "--record"],
     "check the type and the permissions of the file in --record"),
    (["token", "inspect"], "check the permissions of FILE"),
    (["log", "--import-cloud-logging"], "check the permissions of the file in --import-cloud-logging"),
], ids=["log", "replay", "--token-file", "--credentials", "--replay", "--record", "token inspect",
        "--import-cloud-logging"])
def test_hint_about_a_forbidden_file_names_the_permissions(arguments, hint, forbidden):
    nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    process = subprocess.run(
        [binary(), *arguments, forbidden], env=environment(), capture_output=True, text=True, timeout=LONGEST,
        **nobody)
    assert process.returncode == 1
    assert "Permission denied" in process.stderr
    assert f"\nhint: {hint}" in process.stderr
