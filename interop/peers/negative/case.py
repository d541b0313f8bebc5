"""A case: the behavior of a server, and the expected outcome."""

from dataclasses import dataclass, field

from peers.negative.server import hello
from peers.negative.steps import asked


@dataclass(frozen=True)
class Case:
    """The wrong behavior of a server, and the expected outcome for the call that meets it."""

    group: str
    title: str
    # The steps of the server on its first connection, once it has the request.
    script: tuple
    # The gRPC code, or several of which each is right.
    code: str | tuple
    # The words that the error's message must contain, in upper or lower case; or the exact message.
    words: tuple = ()
    message: str | None = None
    kind: str = "UNARY"
    # The steps before the script.
    opening: tuple = (hello, asked)
    # The steps on the server's next connections.
    next: tuple = ()
    # The number of messages that the caller gets; None if it does not matter.
    messages: int | None = None
    # The number of times that the call is sent.
    attempts: int | None = None
    # The largest number of connections that the client may make for it.
    connections: int = 20
    # The next call over the channel goes well over the "same" connection, a "new" one, or is not
    # made (None), because the connection is in an unknown state.
    after: str | None = "same"
    # Seconds that the call is given.
    timeout: float = 60
    # The expected frame from the client, as ("RST_STREAM", 8).
    hears: tuple = ()
    # More options of the driver, as `requestSize=100`.
    order: dict = field(default_factory=dict)
    # Looks at the outcome for what else is wrong with it, and returns that.
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
    """Makes cases of a group, which have much in common."""
    def make(title, script, code, *words, **more):
        script = tuple(script) if isinstance(script, (list, tuple)) else (script,)
        return Case(name, title, script, code, words, **defaults | more)

    return make


def streamed(case, **changes):
    """The same case as a server streaming call."""
    return Case(**{**case.__dict__, "kind": "SERVER_STREAMING", **changes})
