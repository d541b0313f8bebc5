"""Where things lie."""

from pathlib import Path

INTEROP = Path(__file__).resolve().parents[1]
PROTOS = INTEROP.parent / "protos"
RECORDINGS = INTEROP / "recordings"
