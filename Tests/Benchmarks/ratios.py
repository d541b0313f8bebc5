"""Ratios of the costs of two programs that took turns, and the goals for them.

    python ratios.py    prints the goals, and the ratios that the benchmarks have measured last
"""

import json
from dataclasses import asdict, dataclass
from statistics import median, quantiles

from host import ROOT

FILE = ROOT / ".build/benchmarks.json"
LARGEST_SPREAD = 0.15
# The largest ratio of CPU, or of time where it says so, by the name under which a benchmark keeps it.
GOALS = {
    "call, 100 in flight, plaintext, small": 1.4,
    "call, 100 in flight, plaintext, medium": 1.2,
    "call, 100 in flight, TLS, small": 1.4,
    "call, 100 in flight, TLS, medium": 1.2,
    "call, 2,000 calls/s, TLS, medium, decoded": 1.2,
    "median time of a call, 1 in flight, TLS, medium": 1.12,
    "recorded call to call, 2,000 calls/s, TLS, medium, decoded": 1.12,
    "recorded call to call, 100 in flight, TLS, medium": 1.5,
    "follow 10,000 trips, medium": 1.4,
    "follow 10,000 trips, medium, moving": 2.2,
}


@dataclass(frozen=True)
class Ratio:
    """The median of the ratios of all rounds, and the distance of their quartiles in relation to it."""

    median: float
    spread: float

    @classmethod
    def of(cls, ours, floor):
        """The costs of both in the same rounds."""
        ratios = [own / least for own, least in zip(ours, floor, strict=True)]
        low, _, high = quantiles(ratios, method="inclusive") if len(ratios) > 1 else (0, 0, float("inf"))
        return cls(median(ratios), (high - low) / median(ratios))

    @property
    def is_usable(self):
        return self.spread <= LARGEST_SPREAD

    def __str__(self):
        return f"{self.median:.2f} ±{self.spread / 2:.0%}" + ("" if self.is_usable else ", not usable")


def keep(ratios):
    """Keeps ratios for the summary, by name."""
    table = read() | ratios
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps({name: asdict(ratio) for name, ratio in table.items()}, indent=1))


def read():
    if not FILE.exists():
        return {}
    return {name: Ratio(**fields) for name, fields in json.loads(FILE.read_text()).items()}


def verdict(ratio, goal):
    if ratio is None:
        return "not measured"
    if not ratio.is_usable:
        return "not usable"
    return "met" if ratio.median <= goal else "not met"


def main():
    table = read()
    print(f"{'ours to the floor':60} {'ratio':>12} {'goal':>5}")
    for name, goal in GOALS.items():
        ratio = table.get(name)
        shown = f"{ratio.median:.2f} ±{ratio.spread / 2:.0%}" if ratio else ""
        print(f"{name:60} {shown:>12} {goal:5.2f}  {verdict(ratio, goal)}")


if __name__ == "__main__":
    main()
