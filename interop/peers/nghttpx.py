"""nghttpx, the proxy of nghttp2: TLS outside, HTTP/2 without TLS inside."""

import os
import shutil
import socket
import subprocess


# Debian puts it where only root looks.
COMMAND = shutil.which("nghttpx", path=os.environ["PATH"] + os.pathsep + "/usr/sbin")


class Nghttpx:
    """Listens on a free port of the loopback while it is entered, in front of `backend`.

    What it saw of each request stands in `requests()`: a line each, of what `FORMAT` names.
    """

    FORMAT = ("$method $path te=$http_te content-type=$http_content_type timeout=$http_grpc_timeout"
              " agent=$http_user_agent alpn=$alpn")

    def __init__(self, certificate, backend, folder):
        self._certificate = certificate
        self._backend = backend.replace(":", ",")
        self._log = folder / "nghttpx-access.log"
        self._errors = folder / "nghttpx-errors.log"

    def __enter__(self):
        # It takes no port 0. But it takes over a socket that listens already, as when it replaces
        # itself, and then clients can connect before it is ready.
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        with listener:
            self._process = subprocess.Popen(
                [COMMAND, "--conf=/dev/null", "--single-process", "--workers=1",
                 f"--frontend=127.0.0.1,{port}", f"--backend={self._backend};;proto=h2",
                 f"--accesslog-file={self._log}", f"--accesslog-format={self.FORMAT}",
                 f"--errorlog-file={self._errors}", self._certificate.key, self._certificate.chain],
                env=os.environ | {"NGHTTPX_ACCEPT_1": f"tcp,{listener.fileno()}"},
                pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)
        self.address = f"127.0.0.1:{port}"
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()

    def requests(self):
        return self._log.read_text().splitlines()
