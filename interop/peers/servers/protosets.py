"""Compiles protos with grpcio-tools, where there is no protoc."""

import tempfile
from pathlib import Path

import grpc_tools
from grpc_tools import protoc


def compiled(folder, file):
    """A FileDescriptorSet of a file in a folder, and of all that it imports, as bytes."""
    well_known_types = Path(grpc_tools.__file__).parent / "_proto"
    with tempfile.NamedTemporaryFile() as output:
        arguments = ["protoc", f"-I{folder}", f"-I{well_known_types}", "--include_imports",
                     f"--descriptor_set_out={output.name}", file]
        if protoc.main(arguments) != 0:
            raise RuntimeError(f"cannot compile {file}")
        return output.read()
