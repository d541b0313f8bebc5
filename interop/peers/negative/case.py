"""A case: the behavior of a server, and the expected outcome."""

from dataclasses import dataclass, field

from peers.negative.server import hello
from peers.negative.steps import await_request


@dataclass(frozen=True)
class Case:
    """The misbehavior of a server, and the expected outcome of the call."""

    group: str
    title: str
    # The steps of the server on its first connection after it has received the request.
    script: tuple
    # The gRPC code, or several valid ones.
    code: str | tuple
    # The words that the error message must contain, ignoring case; or the exact message.
    words: tuple = ()
    message: str | None = None
    kind: str = "UNARY"
    # The steps before the script.
    opening: tuple = (hello, await_request)
    # The steps on the server's next connections.
    next: tuple = ()
    # The number of messages that the caller gets; None if any.
    messages: int | None = None
    # The number of attempts of the call.
    attempts: int | None = None
    # The maximum number of connections that the client may make.
    connections: int = 20
    # The next call over the channel succeeds on the "same" connection or a "new" one, or is not made
    # (None), because the state of the connection is unknown.
    after: str | None = "same"
    # The timeout of the call in seconds.
    timeout: float = 60
    # The expected error frames from the client, such as ("RST_STREAM", 8).
    client_sends: tuple = ()
    # More options of the driver, such as `requestSize=100`.
    order: dict = field(default_factory=dict)
    # Returns another error in the outcome, or None.
    check: object = None

    @property
    def name(self):
        kind = "" if self.kind == "UNARY" else f", {self.kind.lower()}"
        return f"{self.group}: {self.title}{kind}"

    @property
    def codes(self):
        return (self.code,) if isinstance(self.code, str) else self.code

    @property
    def scripts(self):
        return [(*self.opening, *self.script), *self.next]


def group(name, **defaults):
    """Returns a function that makes cases of a group with common defaults."""
    def make(title, script, code, *words, **more):
        script = tuple(script) if isinstance(script, (list, tuple)) else (script,)
        return Case(name, title, script, code, words, **defaults | more)

    return make
