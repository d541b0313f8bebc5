"""What the server needs to know about a method: its request, the resource, the claim and the answer."""

import re
from dataclasses import dataclass
from typing import Callable

from google.maps.fleetengine_delivery_v1 import types as delivery_types
from google.maps.fleetengine_v1 import types

from peers.fleet.services import names


@dataclass(frozen=True)
class Method:
    """A unary method. Functions take the request."""

    service: str
    """The full name of the service."""
    name: str
    request: type
    """The class of the request, of protobuf."""
    resource: Callable
    """Returns the resource, such as tasks/k1; empty if there are several."""
    claim: Callable
    """Returns the private claim that the token needs, and the value that it has to allow."""
    answer: Callable
    """Returns the response, as a message or as bytes, given the fleet and the request."""
    takes_age: bool = False
    """Whether `answer` also takes the age of the response in seconds."""

    @property
    def response(self):
        """The class of the response, of protobuf; None for an empty response."""
        for wanted in f"{self.name}Response", re.sub("^(Get|Create|Update)", "", self.name):
            for module in types, delivery_types:
                if hasattr(module, wanted):
                    return getattr(module, wanted).pb()
        return None

    @property
    def path(self):
        return f"/{self.service}/{self.name}"


def methods(service, collection, claim):
    """Returns functions that make methods of a service for one kind of resource."""

    def about(name, request, answer, get_id, **more):
        """Makes a method about the resource whose ID `get_id` returns."""
        return Method(
            service, name, request, lambda request: f"{collection}/{get_id(request)}",
            lambda request: (claim, get_id(request)), answer, **more)

    def about_all(name, request, answer):
        """Makes a method about all resources of the kind."""
        return Method(service, name, request, lambda _: "", lambda _: (claim, "*"), answer)

    return about, about_all


def name_id(request):
    """Returns the ID at the end of the name in a request."""
    return names.last_segment(request.name)
