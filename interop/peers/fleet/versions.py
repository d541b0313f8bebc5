"""The versions of trips that a fleet has answered. A trip carries the number of its version in an attribute."""

import collections

from google.maps.fleetengine_v1 import types

from support.merging import GOVERNED

ATTRIBUTE = "version"
Trip = types.Trip.pb()


class Versions:
    """Numbers the different answers about each trip, from 1, and keeps them."""

    def __init__(self):
        self._answers = collections.defaultdict(list)

    def add(self, request, whole):
        """Adds a whole Trip unless it is the last version; returns the bytes of the answer to a request, which has the
        number of the version, and no route and no traffic that the client has."""
        versions, data = self._answers[whole.name], whole.SerializeToString(deterministic=True)
        if not versions or versions[-1] != data:
            versions.append(data)
        for stamp in "current_route_segment_version", "current_route_segment_traffic_version":
            if request.HasField(stamp) and getattr(request, stamp) == getattr(whole, stamp):
                for field in GOVERNED[stamp]:
                    whole.ClearField(field)
        whole.attributes.add(key=ATTRIBUTE, number_value=len(versions))
        return whole.SerializeToString()

    def count(self, name):
        """Returns the number of the last version."""
        return len(self._answers[name])

    def trip(self, name, number):
        """Returns a version; None if the fleet has not answered it."""
        versions = self._answers[name]
        if not 1 <= number <= len(versions):
            return None
        trip = Trip.FromString(versions[number - 1])
        trip.attributes.add(key=ATTRIBUTE, number_value=number)
        return trip


def number_of(trip):
    """Returns the number of the version of a Trip."""
    return next(int(each.number_value) for each in trip.attributes if each.key == ATTRIBUTE)
