"""Do memory and descriptors stay constant under random faults, for MINUTES (10)?

SEED repeats the order of the faults.
"""

import os
import pathlib
import random
import statistics
import subprocess
import time

import pytest

from support.interop_client import Load
from peers.proxies.fault_proxy import FaultProxy
from support.memory import resident_memory
from support.paths import INTEROP

pytestmark = [pytest.mark.interop("soak"), pytest.mark.soak, pytest.mark.long]

RATE = 100


@pytest.fixture
def heap(tmp_path):
    """The file for the client's heap statistics, and the environment that enables them."""
    library, path = tmp_path / "heap.so", tmp_path / "heap"
    subprocess.run(
        ["g++", "-shared", "-fPIC", "-O1", "-o", library, INTEROP / "peers" / "system" / "heap.cc"],
        check=True)
    return path, ["env", f"LD_PRELOAD={library}", f"HEAP={path}"]


def test_memory_and_descriptors_stay_constant(servers, certificates, tmp_path, heap, note):
    path, prefix = heap
    minutes = float(os.environ.get("MINUTES", 10))
    seed = int(os.environ.get("SEED", random.randrange(1000)))
    print(f"SEED={seed}")
    with (servers("grpcio", certificate=certificates.good, log=tmp_path / "nonces") as server,
          FaultProxy(server.port) as proxy):
        load = Load(
            f"--server_port={proxy.port}", "--use_tls", f"--ca_file={certificates.authority}",
            "--mixed", "--attempts=5", rate=RATE, calls=round(60 * minutes * RATE),
            timeout_ms=2000, size=1000, prefix=prefix)
        samples = inject_faults(random.Random(seed), server, proxy, load.process)
        report = load.result()
    codes = " ".join(f"{code}={count}" for code, count in sorted(report["codes"].items()))
    memory, files = zip(*samples)
    heaps = [int(line) // 1024 for line in path.read_text().splitlines()]
    floor = quarters(heaps, min)
    note(f"{codes} connections={report['connections']} slowest={report['slowest']:.2f}s"
         f" heap KiB={floor} of {max(heaps)} resident KiB={quarters(memory)}"
         f" files={quarters(files)} SEED={seed}")
    print(report["errors"])
    taken = server.answered()
    assert max(taken.values()) == 1, taken.most_common(3)
    # A server that ends answers unfinished calls with CANCELLED.
    assert report["codes"].keys() <= {"OK", "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"}
    # Memory that is needed is allocated at first; growth after that is a leak. Between faults the heap
    # shrinks to its minimum, to which each further thread of libdispatch may add 72 KiB. In ten minutes
    # the limit is four bytes per call.
    _, second, _, last = floor
    assert last <= second + 256
    # The allocator keeps the largest amount of memory that was ever needed.
    _, second, _, last = quarters(memory)
    assert last < second + 4096
    _, second, _, last = quarters(files)
    assert last <= second + 1


def inject_faults(dice, server, proxy, process):
    """Injects faults until the process ends; returns samples of its memory in KiB and open files."""
    def restart(end):
        end()
        server.start()

    def for_a_while(begin, end):
        begin()
        time.sleep(dice.uniform(0.1, 3))
        end()

    faults = [
        proxy.cut, proxy.close, proxy.close_half,
        lambda: restart(server.kill), lambda: restart(server.end),
        lambda: for_a_while(server.pause, server.resume),
        lambda: for_a_while(proxy.stall, proxy.flow),
        lambda: for_a_while(lambda: proxy.delay(0.05), lambda: proxy.delay(0)),
    ]
    samples = []
    while process.poll() is None:
        time.sleep(dice.uniform(0, 2))
        if sample := resources(process.pid):
            samples.append(sample)
        dice.choice(faults)()
    return samples


def resources(pid):
    """Returns the memory in KiB and the number of open files, or None if the process has ended."""
    try:
        return resident_memory(pid) // 1024, len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
    except (OSError, ValueError):
        return None


def quarters(values, of=statistics.median):
    """Returns the median of each quarter of the values, or another statistic."""
    length = len(values) // 4
    return [of(values[index * length:(index + 1) * length]) for index in range(4)]
