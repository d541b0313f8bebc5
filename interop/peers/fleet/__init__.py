"""`tripwire emulate` behind a proxy on grpcio, whose answers Google's protobuf encodes.

In a test:  with Fleet() as fleet: trip = fleet.add_trip("t1"); trip.go("ARRIVED_AT_PICKUP"); …

The emulator has the rules and moves the vehicles. The proxy keeps a journal of the calls and injects faults that no
server of ours can have.
"""

from peers.fleet.fleet import Fleet
from peers.tokens.service_account import ServiceAccount

__all__ = ["Fleet", "ServiceAccount"]
