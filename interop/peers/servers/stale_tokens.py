"""Tokens marked as stale, commands that print them, and servers that refuse them."""

import base64
import json

import grpc


def unsigned(**claims):
    """Returns text that looks like a JWT."""
    parts = [json.dumps(part).encode() for part in ({"alg": "RS256"}, claims)] + [b"signature"]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def alternating_command(folder, *tokens):
    """Returns a shell command that prints the next token on each run."""
    for index, token in enumerate(tokens):
        (folder / f"{index}.jwt").write_text(token)
    count = folder / "count"
    count.write_text("0")
    return f'n=$(cat {count}); echo $((n + 1)) > {count}; cat {folder}/$n.jwt'


def refuse_stale(context):
    """Refuses a stale token, like a server whose clock is ahead."""
    if is_stale(context.invocation_metadata()):
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is stale")


def is_stale(metadata):
    claims = dict(metadata)["authorization"].split(".")[1]
    return b"stale" in base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4))


class Guard(grpc.ServerInterceptor):
    """Refuses calls with a stale token; records the path of each call and whether it was accepted."""

    def __init__(self):
        self.calls = []

    def intercept_service(self, continuation, details):
        is_refused = is_stale(details.invocation_metadata)
        self.calls.append((details.method, not is_refused))
        if is_refused:
            return grpc.stream_stream_rpc_method_handler(lambda _, context: refuse_stale(context))
        return continuation(details)
