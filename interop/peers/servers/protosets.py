"""Compiles protos with grpcio-tools, without protoc."""

import tempfile
from pathlib import Path

import grpc_tools
from grpc_tools import protoc


def compiled(folder, *files):
    """Returns a FileDescriptorSet of files and their imports as bytes."""
    well_known_types = Path(grpc_tools.__file__).parent / "_proto"
    with tempfile.NamedTemporaryFile() as output:
        arguments = ["protoc", f"-I{folder}", f"-I{well_known_types}", "--include_imports",
                     f"--descriptor_set_out={output.name}", *files]
        if protoc.main(arguments) != 0:
            raise RuntimeError(f"cannot compile {files}")
        return output.read()
