"""The folders of the repository that tests use."""

from pathlib import Path

INTEROP = Path(__file__).resolve().parents[1]
ROOT = INTEROP.parent
PROTOS = ROOT / "protos"
RECORDINGS = INTEROP / "recordings"
