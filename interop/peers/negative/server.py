"""A server on loopback whose first connections follow scripts; all further ones are good.

In a test:  with ScriptedServer(script, …) as server: ... server.port
"""

import contextlib
import socket
import threading

from peers.negative.peer import Gone, Peer


class ScriptedServer:
    """Listens while it is entered. Each script is a list of steps, functions of a `Peer`; what
    comes after its last is served well."""

    def __init__(self, *scripts):
        self._scripts = scripts
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.peers = []
        # Errors in the server itself, and complaints of h2 about the client.
        self.faults = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        # A listener that is shut down wakes who accepts.
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
        except Exception as error:  # whatever it is, it belongs into the report of the case
            self.faults.append(f"{type(error).__name__}: {error}")
        finally:
            peer.sock.close()

    @property
    def heard(self):
        """The error frames of clients on all connections."""
        return [item for peer in self.peers for item in peer.heard]


def hello(peer):
    """The server's SETTINGS."""
    peer.politely(lambda conn: conn.initiate_connection())


GOOD = [hello]
