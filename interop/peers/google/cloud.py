"""All peers of a sign-in, at the host names of Google, which options redirect to loopback."""

import contextlib
import shutil

from peers.fleet import Fleet
from peers.google.cloud_logging import CloudLogging
from peers.google.front import front
from peers.google.gcloud import Gcloud
from peers.google.google_auth import google_auth
from peers.google.guard import CloudGuard
from peers.google.metadata_server import MetadataServer
from peers.google.signer import Signer
from peers.google.token_endpoint import TokenEndpoint
from support.command import LONGEST, PATIENT, Result, environment, start

PROGRAMS = ("cat", "dirname", "env", "grep", "sh", "sleep", "sort")
"""The programs that commands find, because the folders of PATH may have the real gcloud."""


class GoogleCloud:
    """The token endpoints, the signer, a metadata server, Cloud Logging, and a simulated fleet with one trip, `t1`.

    `folder` is the home folder of commands. It has no credentials.
    """

    def __init__(self, identities, certificates, folder):
        self.identities, self.authority, self.folder = identities, certificates.authority, folder
        self._programs = folder / "programs"
        self._programs.mkdir()
        for name in PROGRAMS:
            (self._programs / name).symlink_to(shutil.which(name))
        self.tokens = TokenEndpoint(identities, certificates.google)
        self.signer = Signer(identities, certificates.google)
        self.metadata = MetadataServer(identities)
        self.logging = CloudLogging(identities, certificates.google)
        self.front = front(self.signer.port, self.tokens.port)
        self.fleet = Fleet(certificate=certificates.google)
        self.fleet.guard = CloudGuard(identities)
        self.fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        for peer in self.tokens, self.signer, self.metadata, self.front, self.fleet, self.logging:
            self._stack.enter_context(peer)
        return self

    def __exit__(self, *_):
        if hasattr(self.signer.fault, "end"):
            self.signer.fault.end()
        self._stack.close()

    @property
    def guard(self):
        return self.fleet.guard

    @property
    def routes(self):
        """The loopback port of each host, for port 443."""
        return {
            "oauth2.googleapis.com": self.tokens.port, "sts.googleapis.com": self.tokens.port,
            "iamcredentials.googleapis.com": self.front.port,
            "logging.googleapis.com": self.logging.port,
            "fleetengine.googleapis.com": int(self.fleet.address.rpartition(":")[2]),
        }

    @property
    def options(self):
        """The options of the command that redirect its connections."""
        routes = [f"{host}:443:127.0.0.1:{port}" for host, port in self.routes.items()]
        return [*(part for route in routes for part in ("--connect-to", route)), "--cacert", self.authority]

    def environment(self, **variables):
        """Returns the environment of a command that finds no credentials and no program `gcloud`."""
        # google-auth looks for a metadata server otherwise, and for the project of external accounts.
        defaults = {"HOME": self.folder, "PATH": self._programs, "NO_GCE_CHECK": "true", "GOOGLE_CLOUD_PROJECT": "p",
                    "CLOUDSDK_CONFIG": None}
        wanted = environment() | defaults | variables
        return {name: str(value) for name, value in wanted.items() if value is not None}

    def on_a_machine(self, account):
        """Returns the variables with which the metadata server is found; `account` is the machine's."""
        self.metadata.account = account
        address = self.metadata.address
        return {"GCE_METADATA_HOST": address, "GCE_METADATA_IP": address, "NO_GCE_CHECK": None}

    def gcloud(self):
        """Installs a program `gcloud`, which is found with `PATH=gcloud.path`."""
        return Gcloud(self.folder / "gcloud", self._programs, self.folder / ".config" / "gcloud")

    def google_auth(self, **variables):
        return google_auth(self.routes, self.authority, self.environment(**variables))

    def tripwire(self, *arguments, **variables):
        """Runs the command to its end."""
        process = self.start(*arguments, variables=variables)
        stdout, stderr = process.communicate(timeout=LONGEST)
        return Result(process.returncode, stdout.decode(), stderr.decode())

    def get(self, *arguments, trip="t1", **variables):
        return self.tripwire("get", self.fleet.trip_name(trip), "--timeout", PATIENT, *arguments, **variables)

    def start(self, *arguments, variables=(), **streams):
        """Starts the command without waiting for its end."""
        return self.start_alone(*arguments, *self.options, variables=variables, **streams)

    def start_alone(self, *arguments, variables=(), **streams):
        """Starts the command without the options that redirect its connections."""
        return start(*arguments, env=self.environment(**dict(variables)), **streams)
