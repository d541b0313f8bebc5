"""Is no secret of a sign-in shown, recorded or passed as an argument?"""

import base64
import contextlib
import json
import threading
import time
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from google.rpc import error_details_pb2

from peers.google.signer import Failed
from support import credentials_kinds
from support.command import LONGEST
from support.credentials_kinds import VARIABLES
from support.sign_in import NOT_SIGNED_IN


def forms(secret):
    """Yields a secret as it may be shown: in plain text, escaped, or in Base64."""
    yield from {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1],
                base64.b64encode(secret.encode()).decode().rstrip("=")}


def assert_hidden(cloud, *texts):
    """Checks that no text has a secret, or the first half of one."""
    issued = [*cloud.identities.secrets(), *cloud.guard.tokens]
    issued += [request.fields["assertion"] for request in cloud.tokens.requests if "assertion" in request.fields]
    issued += [request.headers["authorization"].partition(" ")[2] for request in cloud.tokens.requests
               if "authorization" in request.headers]
    assert issued
    for secret in issued:
        for form in forms(secret):
            for text in texts:
                # A JWT begins with its header, which is not secret.
                part = form[len(form) // 2:] if form.startswith("eyJ") else form[:max(16, len(form) // 2)]
                assert part not in text, f"{part} is shown"


@contextlib.contextmanager
def watched(process):
    """Collects the arguments of a process and its descendants while it runs; yields a set of texts."""
    seen, over = set(), threading.Event()

    def watch():
        while not over.is_set():
            for folder in Path("/proc").iterdir():
                if folder.name.isdigit() and is_descendant(int(folder.name), process.pid):
                    with contextlib.suppress(OSError):
                        seen.add((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("latin-1"))
            time.sleep(0.005)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def is_descendant(pid, ancestor):
    while pid not in (0, 1, ancestor):
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            return False
    return pid == ancestor


def run(cloud, tmp_path, *arguments, **variables):
    """Runs `get` with a trace and a recording; returns exit code, stderr and all texts to check."""
    recording = tmp_path / "out.binlog"
    process = cloud.start(
        "get", cloud.fleet.trip_name("t1"), "-vv", "--record", recording, *arguments, variables=variables)
    with watched(process) as seen:
        stdout, stderr = process.communicate(timeout=LONGEST)
    recorded = recording.read_bytes().decode("latin-1") if recording.exists() else ""
    return process.returncode, stderr.decode(), [stdout.decode(), stderr.decode(), recorded, *seen]


@pytest.mark.parametrize("kind", [
    "user", "service account", "impersonated by user", "external file", "external URL", "external executable",
    "external impersonated", "external with client", "workforce user"])
def test_no_secret_of_a_file_is_shown(cloud, cast, tmp_path, kind):
    path = credentials_kinds.save(kind, cast, cloud, tmp_path)
    # Long enough to read the arguments.
    cloud.tokens.faults.slow(0.3)
    code, stderr, texts = run(
        cloud, tmp_path, "--access-token", path, "--sign-as", cast.delegate.email if kind == "service account"
        else cast.signer.email, **VARIABLES)
    assert_hidden(cloud, *texts)
    assert cloud.tokens.requests, stderr
    # The trace names the endpoint.
    assert "googleapis.com" in stderr


@pytest.mark.parametrize("source", ["adc", "gcloud", "metadata", "command"])
def test_no_secret_of_a_source_is_shown(cloud, cast, user_file, tmp_path, source):
    gcloud = cloud.gcloud()
    token = cloud.identities.issue(cast.user.email)
    gcloud.print(token)
    line = "gcloud auth print-access-token; sleep 0.3"
    code, stderr, texts = run(
        cloud, tmp_path, "--access-token", f"command:{line}" if source == "command" else source, PATH=gcloud.path,
        GOOGLE_APPLICATION_CREDENTIALS=user_file, **cloud.on_a_machine(cast.machine))
    assert code == 0, stderr
    assert_hidden(cloud, *texts)


ECHOES = {
    "description": lambda secret: {"error": "invalid_grant", "error_description": f"not {secret}"},
    "error": lambda secret: {"error": secret},
    "reason": lambda secret: {"error": {"details": [{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": secret, "metadata": {secret: secret}}]}},
    "other shape": lambda secret: {"message": f"for {secret}"},
    "text": lambda secret: f"<p>{secret}</p>".encode(),
}


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("option", ["-v", "json"])
def test_secret_that_the_endpoint_echoes_is_masked(cloud, cast, user_file, echo, option):
    for secret in cast.user.refresh_token, cast.user.client_secret:
        cloud.tokens.faults.withdraw()
        cloud.tokens.faults.answer(400, ECHOES[echo](secret))
        result = cloud.get("--access-token", user_file, *(["-v"] if option == "-v" else ["--error-format", "json"]))
        assert result.code == NOT_SIGNED_IN, result.stderr
        assert_hidden(cloud, result.stderr)


def test_secret_that_the_signer_echoes_is_masked(cloud, cast, user_file):
    def fault(request, call):
        secret = call.metadata["authorization"]
        raise Failed("INTERNAL", f"not {secret}", error_details_pb2.ErrorInfo(
            reason=secret, metadata={"permission": secret}))

    cloud.signer.fault = fault
    result = cloud.get("--access-token", user_file, "--sign-as", cast.signer.email, "-v", "--retries", 0)
    assert result.code != 0 and "***" in result.stderr, result.stderr
    assert_hidden(cloud, result.stderr)


def test_variables_of_other_programs_have_no_secret(cloud, cast, tmp_path):
    """The executable of an external account gets the variables that are documented, but no token."""
    path = credentials_kinds.save("external executable", cast, cloud, tmp_path)
    cloud.get("--access-token", path, **VARIABLES)
    seen = (tmp_path / "executable.env").read_text()
    assert "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE=" in seen
    assert_hidden(cloud, seen)
