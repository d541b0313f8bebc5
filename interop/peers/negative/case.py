"""What a case is."""

from dataclasses import dataclass, field

from peers.negative.server import hello
from peers.negative.steps import asked


@dataclass(frozen=True)
class Case:
    """One misdeed of a server, and what is to come of it for the call that meets it."""

    group: str
    title: str
    # What the server does on its first connection, once it has the request.
    script: tuple
    # The gRPC code, or several of which each is right.
    code: str | tuple
    # What the error's message has to hold, in any case; or the very message.
    words: tuple = ()
    message: str | None = None
    kind: str = "UNARY"
    # What comes before the script.
    opening: tuple = (hello, asked)
    # What the server does on its next connections.
    next: tuple = ()
    # How many messages the caller gets; None where it does not matter.
    messages: int | None = None
    # How often the call is sent.
    attempts: int | None = None
    # How many connections the client may make for it.
    connections: int = 20
    # The next call over the channel goes well over the "same" connection, a "new" one, or is not
    # made (None), as the connection is beyond help and nobody can tell.
    after: str | None = "same"
    # Seconds that the call is given.
    timeout: float = 60
    # What the client is to say, as ("RST_STREAM", 8).
    hears: tuple = ()
    # What the driver is asked besides, as `requestSize=100`.
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
