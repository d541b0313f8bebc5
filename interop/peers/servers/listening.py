"""What servers on grpcio share."""

from concurrent import futures

import grpc


class Listening:
    """A server on a loopback port, by default a free one. It listens while it is entered."""

    def __init__(self, *handlers, workers, port=0, certificate=None, client_authority=None):
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=workers))
        self._server.add_generic_rpc_handlers(handlers)
        if certificate:
            credentials = grpc.ssl_server_credentials(
                [(certificate.key.read_bytes(), certificate.chain.read_bytes())],
                client_authority and client_authority.read_bytes(), bool(client_authority))
            self.port = self._server.add_secure_port(f"127.0.0.1:{port}", credentials)
        else:
            self.port = self._server.add_insecure_port(f"127.0.0.1:{port}")
        self.address = f"127.0.0.1:{self.port}"

    def __enter__(self):
        self._server.start()
        return self

    def __exit__(self, *_):
        self._server.stop(grace=None).wait()
