"""The versions of trips that a fleet has answered. A trip carries the number of its version in an attribute."""

import collections

from google.maps.fleetengine_v1 import types

ATTRIBUTE = "version"
Trip = types.Trip.pb()


class Versions:
    """Numbers the different answers about each trip, from 1, and keeps them."""

    def __init__(self):
        self._parts = collections.defaultdict(list)

    def add(self, name, parts):
        """Adds the parts of a whole Trip unless they are those of the last version; returns the attribute."""
        versions = self._parts[name]
        if not versions or versions[-1] != parts:
            versions.append(parts)
        return attribute(len(versions))

    def count(self, name):
        """Returns the number of the last version."""
        return len(self._parts[name])

    def trip(self, name, number):
        """Returns a version; None if the fleet has not answered it."""
        versions = self._parts[name]
        if not 1 <= number <= len(versions):
            return None
        return Trip.FromString(b"".join([*versions[number - 1], attribute(number)]))


def attribute(number):
    """Returns the bytes of a Trip that has only the number of its version."""
    message = Trip()
    message.attributes.add(key=ATTRIBUTE, number_value=number)
    return message.SerializeToString()


def number_of(trip):
    """Returns the number of the version of a Trip."""
    return next(int(each.number_value) for each in trip.attributes if each.key == ATTRIBUTE)
