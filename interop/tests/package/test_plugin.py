"""Does protoc-gen-tripwire work with protoc as its documentation says?"""

import os
import pathlib
import subprocess
import sys

import pytest

from support.paths import INTEROP

FOREST = INTEROP.parent / "Tests" / "GeneratedCodeTests"
DEBIAN = ["protoc"]
# Debian's protoc does not support editions.
NEWEST = [sys.executable, "-m", "grpc_tools.protoc"]


def generate(protoc, folder, source, path, *options):
    plugin = pathlib.Path(os.environ["TRIPWIRE_BIN"]).with_name("protoc-gen-tripwire")
    return subprocess.run(
        [*protoc, f"--plugin=protoc-gen-tripwire={plugin}", f"-I{source}", f"--tripwire_out={folder}",
         *options, path], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("options", [[], ["--experimental_editions"]])
def test_edition_is_refused_in_one_line(tmp_path, options):
    done = generate(NEWEST, tmp_path, INTEROP / "dynamic", "edition.proto", *options)
    assert done.returncode == 1
    assert done.stderr == (
        '--tripwire_out: edition.proto: editions are not supported; replace the edition with'
        ' syntax = "proto3"\n')
    assert not list(tmp_path.iterdir())


def test_prefix_is_used_in_type_names(tmp_path):
    done = generate(DEBIAN, tmp_path, FOREST, "forest.proto", "--tripwire_opt=prefix=Acme")
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "forest.pb.swift").read_text()
    assert "struct AcmeTree: Hashable" in text
    assert "static var acmeForestProto: TypeRegistry" in text
    assert "Forest_" not in text


def test_invalid_prefix_is_refused(tmp_path):
    done = generate(DEBIAN, tmp_path, FOREST, "forest.proto", "--tripwire_opt=prefix=a-b")
    assert done.returncode == 1
    assert done.stderr == (
        "--tripwire_out: prefix=a-b: expected a Swift identifier, such as Acme, or nothing\n")
