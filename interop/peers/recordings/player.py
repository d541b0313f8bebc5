"""A grpcio server that answers calls as those of a recording, in their order."""

import threading
from concurrent import futures

import grpc

from peers.proxies.fault_proxy import FaultProxy
from peers.recordings import binary_log
from support.paths import RECORDINGS

DOWN = 0.5
"""How long it refuses connections where no server answered the recorded calls, in seconds."""
CODES = {code.value[0]: code for code in grpc.StatusCode}


class Player(grpc.GenericRpcHandler):
    """Listens while it is entered. A call that got no answer breaks the connection, and later ones find no server."""

    def __init__(self, name):
        """`name` is that of the recording, without .binlog."""
        calls = {}
        for entry in binary_log.read(RECORDINGS / f"{name}.binlog"):
            calls.setdefault(entry.call_id, []).append(entry)
        self._calls, self._lock = list(calls.values()), threading.Lock()
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
        self._server.add_generic_rpc_handlers((self,))
        self._proxy = FaultProxy(self._server.add_insecure_port("127.0.0.1:0"))

    @property
    def address(self):
        return f"127.0.0.1:{self._proxy.port}"

    def __enter__(self):
        self._server.start()
        self._proxy.__enter__()
        return self

    def __exit__(self, *_):
        self._proxy.__exit__()
        self._server.stop(grace=None).wait()

    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(self._answer)

    def _answer(self, request, context):
        with self._lock:
            call = self._calls.pop(0)
            if not any(entry.HasField("peer") for entry in call):
                self._break_off()
                return b""
        trailer = call[-1].trailer
        if trailer.status_code:
            if trailer.status_details:
                context.set_trailing_metadata([("grpc-status-details-bin", trailer.status_details)])
            context.abort(CODES[trailer.status_code], trailer.status_message)
        return next(entry.message.data for entry in call if entry.type == entry.EVENT_TYPE_SERVER_MESSAGE)

    def _break_off(self):
        while not any(entry.HasField("peer") for entry in self._calls[0]):
            self._calls.pop(0)
        self._proxy.refuse()
        threading.Timer(DOWN, self._proxy.listen).start()
