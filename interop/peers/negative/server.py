"""A server on loopback whose first connections follow scripts; further ones are valid.

In a test:  with ScriptedServer(script, …) as server: ... server.port
"""

import contextlib
import socket
import threading

from peers.negative.peer import Gone, Peer


class ScriptedServer:
    """Listens while it is entered.

    A script is a list of steps, which are functions of a `Peer`. Requests after the last step get valid
    responses.
    """

    def __init__(self, *scripts):
        self._scripts = scripts
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.peers = []
        # Errors of the server itself, and errors of the client that h2 found.
        self.faults = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        # The shutdown wakes the accepting thread.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listener.close()
        for peer in self.peers:
            peer.over.set()
            with contextlib.suppress(OSError):
                peer.sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads[1:]:
            thread.join()

    def _accept(self):
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer = Peer(sock)
            index = len(self.peers)
            self.peers.append(peer)
            script = self._scripts[index] if index < len(self._scripts) else GOOD
            thread = threading.Thread(target=self._serve, args=(peer, script), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, peer, script):
        try:
            for step in script:
                step(peer)
            peer.serve()
        except Gone:
            pass
        except Exception as error:  # every error belongs into the report
            self.faults.append(f"{type(error).__name__}: {error}")
        finally:
            peer.sock.close()

    @property
    def client_errors(self):
        """The error frames of clients on all connections."""
        return [item for peer in self.peers for item in peer.client_errors]


def hello(peer):
    """Sends SETTINGS."""
    peer.send_checked(lambda conn: conn.initiate_connection())


GOOD = [hello]
