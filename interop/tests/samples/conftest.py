"""The servers that the samples of the documentation call."""

import contextlib
import json
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from peers.fleet import Fleet, ServiceAccount
from peers.proxies.http_proxies import ScriptedProxy
from peers.servers.notes import serving_notes
from support.command import environment
from support.samples import articles, samples

PROJECT = "my-project"


@contextlib.contextmanager
def backend(account):
    """Runs an endpoint for tokens; yields its URL."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            token = account.mint(self.path.split("/")[-1])
            body = json.dumps({"jwt": token, "expirationTimestamp": int((time.time() + 3600) * 1000)}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def proxy(ports):
    """Runs an HTTP proxy that connects to loopback ports in place of hosts; yields its address."""
    def script(proxy, connection):
        host = proxy.head(connection).decode().split()[1].removesuffix(":443")
        if host not in ports:
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            return
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        proxy.relay(connection, ports[host])

    with ScriptedProxy(script) as running:
        yield running.address


@pytest.fixture(scope="session")
def account():
    return ServiceAccount.make(PROJECT)


@pytest.fixture
def world(certificates, account, tmp_path):
    """All servers, with the environment and the folder in which a sample finds them."""
    folder = tmp_path
    account.save(folder / "key.json")
    (folder / "token.jwt").write_text(account.mint(authorization={"tripid": "*", "vehicleid": "*"}))
    (notes_proto,) = samples(articles()["TalkingToAnyService"], "protobuf")
    (folder / "notes.proto").write_text(notes_proto.code)
    subprocess.run(["protoc", "-I", folder, f"--descriptor_set_out={folder / 'notes.binpb'}", "notes.proto"],
                   check=True)
    with contextlib.ExitStack() as stack:
        tls = stack.enter_context(Fleet(
            provider=PROJECT, account=account, certificate=certificates.fleet_engine))
        plaintext = stack.enter_context(Fleet(provider=PROJECT))
        notes, notes_port = stack.enter_context(serving_notes(
            (folder / "notes.binpb").read_bytes(), certificates.notes))
        https_proxy = stack.enter_context(proxy({
            "fleetengine.googleapis.com": int(tls.address.split(":")[1]),
            "notes.example.com": notes_port}))
        variables = environment(
            https_proxy=f"http://{https_proxy}", SSL_CERT_FILE=str(certificates.authority),
            SAMPLE_ENDPOINT=plaintext.address, SAMPLE_BACKEND=stack.enter_context(backend(account)))

        yield SimpleNamespace(
            folder=folder, notes=notes, trips=[fleet.add_trip("t1") for fleet in (tls, plaintext)],
            start=lambda program, command: subprocess.Popen(
                ["stdbuf", "-oL", program, command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                cwd=folder, env=variables))
