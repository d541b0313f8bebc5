"""Relays bytes between a client and a server, with faults on demand."""

import asyncio
import contextlib
import socket
import struct
import threading

RESET = struct.pack("ii", 1, 0)


class FaultProxy:
    """Listens on loopback, on a free port by default, in front of the port `backend` while entered."""

    def __init__(self, backend, port=0):
        self._backend = backend
        self.port = port
        self._delay = 0
        self._rate = 0
        self._clients = set()
        self._closed = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self):
        self._thread.start()
        self._flows = asyncio.Event()
        self._flows.set()
        self.listen()
        return self

    def __exit__(self, *_):
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # The faults.

    def delay(self, seconds):
        """Delays all bytes from now on."""
        self._delay = seconds

    def limit(self, rate):
        """Limits each direction of each connection to a number of bytes per second from now on."""
        self._rate = rate

    def stall(self):
        """Holds back all bytes until `flow`."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def flow(self):
        self._loop.call_soon_threadsafe(self._flows.set)

    def cut(self):
        """Aborts all connections with a RST."""
        self._each(lambda writer: (
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET),
            writer.transport.abort()))

    def close(self):
        """Closes all connections with a FIN."""
        self._each(lambda writer: writer.close())

    def close_half(self):
        """Ends sending on all connections, and continues to read and discard."""
        self._each(lambda writer: (writer.write_eof(), self._closed.add(writer)))

    def refuse(self):
        """Aborts all connections like `cut`, and accepts none until `listen`."""
        self._loop.call_soon_threadsafe(self._server.close)
        self.cut()

    def listen(self):
        """Listens again on the same port."""
        self._server = self._do(asyncio.start_server(self._serve, "127.0.0.1", self.port))
        self.port = self._server.sockets[0].getsockname()[1]

    # The implementation.

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def _each(self, action):
        async def act():
            for writer in list(self._clients):
                with contextlib.suppress(OSError, RuntimeError):
                    action(writer)

        self._do(act())

    async def _end(self):
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        # asyncio would log the cancellation as an error.
        with contextlib.suppress(asyncio.CancelledError):
            await self._connect(reader, writer)

    async def _connect(self, reader, writer):
        try:
            back_reader, back_writer = await asyncio.open_connection("127.0.0.1", self._backend)
        except OSError:
            writer.transport.abort()
            return
        self._clients.add(writer)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass(reader, back_writer))
                both.create_task(self._pass(back_reader, writer))
        except* OSError:
            pass
        finally:
            self._clients.discard(writer)
            self._closed.discard(writer)
            for end in (writer, back_writer):
                end.transport.abort()

    async def _pass(self, reader, writer):
        while data := await reader.read(1 << 10 if self._rate else 1 << 16):
            await self._flows.wait()
            if self._rate:
                await asyncio.sleep(len(data) / self._rate)
            if self._delay:
                await asyncio.sleep(self._delay)
            if writer in self._closed:
                continue
            writer.write(data)
            await writer.drain()
        # This ends the other direction, too.
        raise ConnectionResetError
