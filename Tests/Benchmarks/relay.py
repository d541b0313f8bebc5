"""Measures the relay on loopback: calls, the time until another worker takes over, CPU, fan-out, bytes of NATS.

Prints Markdown. Trips come from the responder of calls.py; each response has another position of the vehicle. PARTS, if
set, contains the names of the parts to run: calls takeover cpu memory fanout bytes partitions ownership. TRIPWIRE_BIN
names tripwire, with tripwire-relay and ownership-benchmark beside it.
"""

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import nats as nats_client
from calls import CLIENT_CORE, SERVER_CORE, build_responder, pinned, responder
from follow import answers
from host import ROOT, machine, output

sys.path.insert(0, str(ROOT / "interop"))

from peers.fleet import Fleet  # noqa: E402
from support.nats.cluster import Cluster  # noqa: E402
from support.nats.server import NATSServer, free_port, until  # noqa: E402
from support.relay import TripState, Worker, program, relay, working  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", 5))
KILLS = int(os.environ.get("KILLS", 20))
LIVE = "tripwire.v1.live.>"
LEASE = 6


def names(count):
    return [f"providers/demo/trips/t{number}" for number in range(1, count + 1)]


@contextmanager
def server(configuration=""):
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with NATSServer(Path(folder), f"http: 127.0.0.1:{port}\n{configuration}") as nats:
            nats.monitor = f"http://127.0.0.1:{port}"
            yield nats


def monitored(nats, page="varz"):
    with urllib.request.urlopen(f"{nats.monitor}/{page}") as reply:
        return json.load(reply)


def want(nats, trips):
    for start in range(0, len(trips), 500):
        result = relay(nats, "want", "--pin", *trips[start:start + 500])
        assert result.code == 0, result.stderr


def workers(nats):
    result = relay(nats, "status", "-o", "json")
    if result.code != 0:
        return []
    return [each for each in json.loads(result.stdout)["workers"]
            if each["phase"] == "working" and each["ageMs"] < 4000]


def sharing(nats, count, trips):
    """Waits until this many workers poll all trips, each at least one."""
    def found():
        present = workers(nats)
        shares = [each["resources"] for each in present]
        return present if len(shares) == count and sum(shares) == trips and all(shares) else None
    return until(found, f"{count} workers share {trips} trips", pause=0.2)


class Listener:
    """Receives messages on a thread of its own; `take` is called for each one."""

    def __init__(self, nats, subjects, take):
        self.nats, self.subjects, self.take = nats, subjects, take
        self.ready, self.stopped = threading.Event(), None
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()), daemon=True)

    async def run(self):
        self.loop, self.stopped = asyncio.get_running_loop(), asyncio.Event()
        connection = await nats_client.connect(self.nats.url, max_reconnect_attempts=-1)

        async def take(message):
            self.take(message)
        for subject in self.subjects:
            await connection.subscribe(subject, cb=take)
        await connection.flush()
        self.ready.set()
        await self.stopped.wait()
        await connection.close()

    def __enter__(self):
        self.thread.start()
        assert self.ready.wait(60)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(60)


# MARK: Calls


def calls():
    """Calls at the server for each trip and interval."""
    trips, interval, seconds = 10, 1, 30
    print(f"Calls that reach the server for each trip and interval: {trips} trips every {interval} s for {seconds} s, two"
          " workers. 1 and 10 readers are processes of `tripwire-relay read`, each with all trips; 1,000 readers are 10 such"
          " processes and 990 subscriptions of one nats-py process, each to all trips.\n")
    print("| readers | calls for each trip and interval | readers that got updates of every trip |\n|---:|---:|---:|")
    for readers in 1, 10, 1000:
        with server() as nats, Fleet(trips=trips, speed=10, provider="demo") as fleet, \
                Worker(nats, fleet, interval=f"{interval}s"), Worker(nats, fleet, interval=f"{interval}s"):
            until(lambda: len(workers(nats)) == 2, "the workers")
            outputs = [tempfile.TemporaryFile() for _ in range(min(readers, 10))]
            processes = [
                subprocess.Popen([program(), "read", *names(trips)], stdout=file, stderr=subprocess.DEVNULL,
                                 env=os.environ | {"NATS_URL": nats.url}) for file in outputs]
            received = [set() for _ in range(max(0, readers - 10))]
            try:
                with Subscribers(nats, received) if received else Nothing():
                    sharing(nats, 2, trips)
                    time.sleep(3)
                    before, start = len(fleet.journal.of()), time.monotonic()
                    time.sleep(seconds)
                    count, took = len(fleet.journal.of()) - before, time.monotonic() - start
            finally:
                for process in processes:
                    process.kill()
                    process.wait()
            complete = sum(len(each) == trips for each in received) + sum(
                all(f"trips/t{number}".encode() in text for number in range(1, trips + 1))
                for text in map(contents, outputs))
            print(f"| {readers:,} | {count * interval / trips / took:.3f} | {complete:,} |", flush=True)


def contents(file):
    file.seek(0)
    return file.read()


class Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Subscribers(Listener):
    """Many subscriptions of one process."""

    def __init__(self, nats, received):
        super().__init__(nats, [], None)
        self.received = received

    async def run(self):
        self.loop, self.stopped = asyncio.get_running_loop(), asyncio.Event()
        connection = await nats_client.connect(self.nats.url)
        for subjects in self.received:
            async def take(message, subjects=subjects):
                subjects.add(message.subject)
            await connection.subscribe(LIVE, cb=take)
        await connection.flush()
        self.ready.set()
        await self.stopped.wait()
        await connection.close()


# MARK: Time after the death of a worker


def takeover():
    trips, interval = 100, 1
    history = {}

    def take(message):
        state = TripState.FromString(message.data)
        history.setdefault(message.subject, []).append((time.monotonic(), state.worker))

    gaps, delays = [], []
    with moving("small") as port, server() as nats, Listener(nats, [LIVE], take):
        class Endpoint:
            address = f"localhost:{port}"

        def start():
            return Worker(nats, Endpoint, interval=f"{interval}s")
        running = [start(), start()]
        until(lambda: len(workers(nats)) == 2, "two workers")
        want(nats, names(trips))
        try:
            for _ in range(KILLS):
                present = sharing(nats, 2, trips)
                time.sleep(2 * interval + random.random() * 2)
                victim = random.choice(running)
                (name,) = {each["name"] for each in present if f"-{victim.process.pid}-" in each["name"]}
                victim.process.kill()
                killed = time.monotonic()
                orphans = {subject: states for subject, states in list(history.items()) if states[-1][1] == name}
                until(lambda: all(states[-1][1] != name for states in orphans.values()), "a takeover", pause=0.1)
                for states in orphans.values():
                    last = max(at for at, worker in states if worker == name)
                    first = min(at for at, worker in states if worker != name and at > last)
                    gaps.append(first - last)
                    delays.append(first - killed)
                running.remove(victim)
                victim.__exit__()
                running.append(start())
        finally:
            for each in running:
                each.__exit__()
    print(f"Time between the last update of a trip by a worker that ends by SIGKILL and the first one by its successor:"
          f" {KILLS} kills, {len(gaps):,} trips that moved, interval {interval} s. Goal: p99 at most three heartbeats and"
          f" one interval, {LEASE + interval} s.\n")
    print("| from | p50 | p99 | p99.9 | maximum |\n|---|---:|---:|---:|---:|")
    for start_, times in ("the last update", gaps), ("SIGKILL", delays):
        cuts = quantiles(times, n=1000, method="inclusive")
        print(f"| {start_} | {cuts[499]:.2f} s | {cuts[989]:.2f} s | {cuts[998]:.2f} s | {max(times):.2f} s |", flush=True)
    print()


@contextmanager
def moving(payload, tls=None):
    """A server whose trips change with each response; yields its port."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_responder(folder)
        # It answers all trips in turn. With few answers, a trip often gets the one that it has, which is no update.
        with responder(folder, [*answers(folder, payload, 1009)]) as port:
            yield port


# MARK: CPU


def ticks(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(pid, seconds):
    """The share of a core in percent."""
    start, before = time.monotonic(), ticks(pid)
    time.sleep(seconds)
    return (ticks(pid) - before) / (time.monotonic() - start) * 100


def cpu():
    trips, interval, seconds = 1000, 1, 10
    print(f"CPU of a worker and of `tripwire follow -o text` with output to /dev/null: the same {trips:,} trips every"
          f" {interval} s, which change with each response; plaintext; alternately, medians of {ROUNDS} rounds of"
          f" {seconds} s, in percent of a core. Goal: at most 1.3x. Publications only: a C program that publishes as many"
          " messages of the same size with libnats, and does nothing else.\n")
    print("| payload | worker | follow | ratio | publications only | follow and publications | nats-server |\n"
          "|---|---:|---:|---:|---:|---:|---:|")
    for payload in "small", "medium":
        rounds = []
        with moving(payload) as port, server() as nats:
            for _ in range(ROUNDS):
                with Worker(nats, type("Endpoint", (), {"address": f"localhost:{port}"}),
                            interval=f"{interval}s") as worker:
                    until(lambda: len(workers(nats)) == 1, "the worker")
                    want(nats, names(trips))
                    sharing(nats, 1, trips)
                    time.sleep(3 * interval)
                    background = ticks(nats.process.pid)
                    ours = share(worker.process.pid, seconds)
                    background = (ticks(nats.process.pid) - background) / seconds * 100
                    size = median_size(nats, len)
                    worker.end()
                follow = subprocess.Popen(
                    [os.environ["TRIPWIRE_BIN"], "follow", *names(trips), "--endpoint", f"localhost:{port}",
                     "--plaintext", "--interval", f"{interval}s", "-o", "text"],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                try:
                    time.sleep(4 * interval)
                    plain = share(follow.pid, seconds)
                finally:
                    follow.kill()
                    follow.wait()
                rounds.append((ours, plain, publications_only(trips / interval, size, seconds), background))
        ours, plain, least, background = (median(column) for column in zip(*rounds))
        print(f"| {payload} | {ours:.1f} | {plain:.1f} | {ours / plain:.2f}x | {least:.1f} |"
              f" {(plain + least) / plain:.2f}x | {background:.1f} |", flush=True)
    print()


def median_size(nats, size):
    """The median of the sizes of states; `size` gets a state in binary form."""
    sizes = []
    with Listener(nats, [LIVE], lambda message: sizes.append(size(message.data))):
        until(lambda: sizes, "a state")
    return round(median(sizes))


def publications_only(rate, size, seconds):
    """The CPU time of a program that only publishes to a stream, in percent of a core."""
    async def make_stream(url):
        connection = await nats_client.connect(url)
        await connection.jetstream().add_stream(name="P", subjects=["p.>"], max_msgs_per_subject=1)
        await connection.close()

    with server() as nats, tempfile.TemporaryDirectory() as name:
        asyncio.run(make_stream(nats.url))
        return float(output(compiled("publications", name), nats.url, "p.trips", str(round(rate)), str(size), str(seconds)))


def compiled(name, folder):
    """Compiles a C program with libnats."""
    path = Path(folder) / name
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", ROOT / f"Tests/Benchmarks/Peers/{name}.c", "-o", path,
                    *output("pkg-config", "--cflags", "--libs", "libnats").split()], check=True)
    return path


# MARK: Memory


def memory():
    """The resident memory and the CPU time of one worker with more and more trips."""
    interval, seconds = 5, 20
    print("Memory and CPU of one worker, whose trips change with each response; polled every"
          f" {interval} s, plaintext; resident memory above that of the worker without trips, and the trip in binary form"
          f" that it keeps, in bytes for each trip; means of {seconds} s. Goal: 6 KB beyond the encoded trip.\n")
    print("| payload | trips | resident | encoded trip | beyond it | polls a second | us of CPU for each poll | late |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|")
    for payload, counts in {"small": [1000, 5000, 25_000], "medium": [1000, 5000, 12_500]}.items():
        port = free_port()
        with moving(payload) as fleet, server() as nats, \
                Worker(nats, type("Endpoint", (), {"address": f"localhost:{fleet}"}), "--metrics", f"127.0.0.1:{port}",
                       interval=f"{interval}s") as worker:
            until(lambda: workers(nats), "the worker")
            empty, known = served(port)["process_resident_memory_bytes"], 0
            for count in counts:
                want(nats, names(count)[known:])
                known = count
                sharing(nats, 1, count)
                time.sleep(3 * interval)
                before, used = served(port), ticks(worker.process.pid)
                time.sleep(seconds)
                after, used = served(port), ticks(worker.process.pid) - used
                polls = after["tripwire_relay_polls_total"] - before["tripwire_relay_polls_total"]
                resident = (after["process_resident_memory_bytes"] - empty) / count
                trip = median_size(nats, lambda data: TripState.FromString(data).trip.ByteSize())
                print(f"| {payload} | {count:,} | {resident:,.0f} | {trip:,} | {resident - trip:,.0f} |"
                      f" {polls / seconds:,.0f} | {used / polls * 1e6:.0f} | {after['tripwire_relay_lag_seconds']:.1f} s |",
                      flush=True)
            worker.end()
    print()


def served(port):
    """The metrics of a worker without labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


# MARK: Fan-out


def fanout():
    readers, seconds = 1000, 10
    with tempfile.TemporaryDirectory() as name:
        program_ = compiled("fan_out", name)
        plain, shared, states = [], [], []
        # A slow subscriber must not fill the memory of the server.
        limit = "max_pending: 4MB\n"
        # The size of a state; of the last round from the second one on.
        size = 400
        for _ in range(min(ROUNDS, 3)):
            # First, because it shows how many updates to offer.
            with server(limit) as nats:
                with subscribers(program_, nats, readers, seconds, "plain") as process:
                    subprocess.run([program_, "publish", nats.url, "plain", str(round(size)), str(seconds + 4)],
                                   check=True, stdout=subprocess.DEVNULL)
                    plain.append(result(process)[0] / readers)
            with moving("small") as port, server(limit) as nats:
                with subscribers(program_, nats, readers, seconds) as process:
                    with Worker(nats, type("Endpoint", (), {"address": f"localhost:{port}"}), interval="100ms"):
                        until(lambda: len(workers(nats)) == 1, "the worker")
                        want(nats, names(max(10, round(median(plain) * 1.5) // 10)))
                        rate, size = result(process)
                        slow = monitored(nats)["slow_consumers"]
                shared.append(rate / readers)
                states.append(slow)
    ours, theirs = median(shared), median(plain)
    print(f"Updates a second that reach each of {readers:,} readers: one process of libnats with {readers:,} connections"
          f" reads all trips that a worker polls every 100 ms, and the messages of a publisher without JetStream,"
          f" {size:.0f} bytes each; {len(plain)} rounds. Goal: 0.7x.\n")
    print("| relay, median | relay, all rounds | plain publisher, median | plain, all rounds | ratio | slow consumers |"
          "\n|---:|---|---:|---|---:|---|")
    print(f"| {ours:.0f} | {listed(shared)} | {theirs:.0f} | {listed(plain)} | {ours / theirs:.2f}x | {listed(states)} |\n",
          flush=True)


def listed(values):
    return ", ".join(f"{value:.0f}" for value in values)


@contextmanager
def subscribers(program_, nats, readers, seconds, subject=LIVE):
    process = subprocess.Popen([program_, "subscribe", nats.url, subject, str(readers), str(seconds)],
                               stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait()


def result(process):
    rate, size = process.stdout.readline().split()
    return float(rate), float(size)


# MARK: Bytes


def transferred():
    trips, interval, seconds = 500, 5, 60
    print(f"Bytes of NATS for each trip and hour: {trips} trips that change with each poll, every {interval} s, for"
          f" {seconds} s; one node; from the counters of nats-server, which leave out the protocol.\n")
    print("| payload | from the worker | to the worker | to one reader | stored for each trip |\n|---|---:|---:|---:|---:|")
    for payload in "small", "medium":
        with moving(payload) as port, server() as nats:
            with Worker(nats, type("Endpoint", (), {"address": f"localhost:{port}"}), interval=f"{interval}s"):
                until(lambda: len(workers(nats)) == 1, "the worker")
                want(nats, names(trips))
                sharing(nats, 1, trips)
                time.sleep(2 * interval)
                alone = count(nats, seconds)
                with Listener(nats, [LIVE], lambda message: None):
                    read = count(nats, seconds)
                stream = monitored(nats, "jsz?streams=1")["account_details"][0]["stream_detail"]
                (stored,) = (each["state"]["bytes"] for each in stream if each["name"] == "TRIPWIRE_TRIPS")
        hour = 3600 / seconds / trips
        columns = [alone["in_bytes"] * hour, alone["out_bytes"] * hour,
                   (read["out_bytes"] - alone["out_bytes"]) * hour, stored / trips]
        print(f"| {payload} | " + " | ".join(f"{column:,.0f}" for column in columns) + " |", flush=True)
    print()


def count(nats, seconds):
    before = monitored(nats)
    time.sleep(seconds)
    after = monitored(nats)
    return {name: after[name] - before[name] for name in ("in_bytes", "out_bytes")}


# MARK: Partitions


def partitions():
    """How many states a second a cluster stores, and the CPU time of its nodes for each."""
    trips, size, most_open, seconds = 100_000, 400, 3000, 10
    version = os.environ.get("NATS_VERSION", "newest")
    print(f"States a second that three nodes of nats-server ({version}) on this machine store, from a program that does"
          f" nothing else: {trips:,} trips, {size} bytes each, {most_open:,} publications at a time, three connections;"
          f" {ROUNDS} rounds of {seconds} s, alternately; medians, and all rounds in parentheses. CPU in us for each state:"
          " of all nodes, and of the busiest one.\n")
    print("| copies | partitions | states a second | CPU of all nodes | CPU of the busiest |\n|---:|---:|---|---|---|")
    results = {(copies, count): [] for copies in (3, 1) for count in (1, 4, 16)}
    with tempfile.TemporaryDirectory() as folder:
        program_ = compiled("states", folder)
        for number in range(ROUNDS):
            for copies, count in results:
                part = Path(folder) / f"{number}-{copies}-{count}"
                part.mkdir()
                with Cluster(part, version) as cluster:
                    results[copies, count].append(stored_states(
                        cluster, program_, copies, count, map(str, (count, trips, size, most_open, seconds))))
                shutil.rmtree(part)
    for (copies, count), rounds in results.items():
        print(f"| {copies} | {count} | " + " | ".join(
            f"{median(column):,.{digits}f} ({', '.join(f'{each:,.{digits}f}' for each in column)})"
            for column, digits in zip(zip(*rounds), (0, 1, 1))) + " |")
    print(flush=True)


def stored_states(cluster, program_, copies, count, arguments):
    """The states a second, and the CPU time for each state of all nodes and of the busiest one."""
    fleet = type("Endpoint", (), {"address": "localhost:1"})
    with Worker(cluster, fleet, "--partitions", count, "--replicas", copies) as worker:
        working(cluster, 1)
        worker.end()
    process = subprocess.Popen([program_, *arguments, *(str(node.port) for node in cluster.nodes)],
                               stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "counting\n"
    before, start = [ticks(node.process.pid) for node in cluster.nodes], time.monotonic()
    rate, refused = map(float, process.stdout.readline().split())
    count = rate * (time.monotonic() - start)
    used = [(ticks(node.process.pid) - ticks_) / count * 1e6 for node, ticks_ in zip(cluster.nodes, before)]
    process.wait()
    assert refused == 0
    return rate, sum(used), max(used)


# MARK: Ownership


def ownership():
    program_ = Path(os.environ["TRIPWIRE_BIN"]).with_name("ownership-benchmark")
    print("Simulation in virtual time of 200 workers and 1,000,000 trips: `ownership-benchmark`.\n")
    print(output(program_), "\n", flush=True)


PARTS = {"calls": calls, "takeover": takeover, "cpu": cpu, "memory": memory, "fanout": fanout, "bytes": transferred,
         "partitions": partitions, "ownership": ownership}


def main():
    print(f"# Relay\n\nOutput of `make bench-relay`.\n\n{machine()}")
    for name in os.environ.get("PARTS", " ".join(PARTS)).split():
        PARTS[name]()


main()
