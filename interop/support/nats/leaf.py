"""A hub with JetStream, and a leaf node of another region whose clients use the streams of the hub."""

from support.nats.cluster import PROGRAMS
from support.nats.server import NATSServer, free_port, until

DOMAIN = "hub"
# The user of the leaf node at the hub may do no more than the relay needs.
USERS = """
    accounts { FLEET { jetstream: enabled, users: [
      { user: near, password: secret }
      { user: leaf, password: secret, permissions {
        publish: [ "$JS.hub.API.>", "tripwire.v1.>", "$JS.FC.>" ]
        subscribe: [ "tripwire.v1.>", "_INBOX.>" ]
      } }
    ] } }
    no_auth_user: near
    """


class Regions:
    """Two servers of the same version. With `jetstream`, the leaf node has streams of its own, too, in the domain edge."""

    def __init__(self, folder, version, jetstream=False):
        self.route = free_port()
        hub, leaf = folder / "hub", folder / "leaf"
        for each in hub, leaf:
            each.mkdir()
        store = f'jetstream {{ store_dir: "{leaf}/js", domain: edge }}' if jetstream else ""
        self.hub = NATSServer(hub, f"""
            jetstream {{ store_dir: "{hub}/js", domain: {DOMAIN} }}
            leafnodes {{ listen: "127.0.0.1:{self.route}" }}
            {USERS}
            """, jetstream=False, program=PROGRAMS[version])
        self.leaf = NATSServer(leaf, f"""
            server_name: leaf
            {store}
            leafnodes {{ reconnect: 1, remotes: [ {{ url: "nats://leaf:secret@127.0.0.1:{self.route}" }} ] }}
            """, jetstream=False, program=PROGRAMS[version])

    def __enter__(self):
        self.hub.start()
        self.leaf.start()
        until(lambda: "JetStream Not Extended" in (self.leaf.folder / "nats.log").read_text()
              or "Leafnode connection created" in (self.leaf.folder / "nats.log").read_text(), "the leaf node")
        return self

    def __exit__(self, *_):
        self.leaf.kill()
        self.hub.kill()
