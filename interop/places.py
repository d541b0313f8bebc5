"""Where things lie."""

from pathlib import Path

INTEROP = Path(__file__).resolve().parent
PROTOS = INTEROP.parent / "protos"
RECORDINGS = INTEROP / "recordings"
