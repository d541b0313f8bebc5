"""Makes random calls with Google's clients to an emulator, and compares the answers with those of the model."""

import contextlib
import random
from datetime import UTC, datetime

import grpc
from google.api_core import exceptions
from google.maps import fleetengine_delivery_v1, fleetengine_v1
from google.protobuf import text_format

from peers.fleet.control import Control
from peers.fleet.methods import snake_case
from support.emulator import emulating
from support.fleet_model import Failed, Model
from support.fleet_services import connected_services
from support.random_calls.comparison import differences
from support.random_calls.requests import RandomRequests

START = datetime(2026, 1, 1, tzinfo=UTC)
LISTS = {"SearchTrips": "trips", "ListVehicles": "vehicles", "SearchVehicles": "matches",
         "ListDeliveryVehicles": "delivery_vehicles", "ListTasks": "tasks"}


def episode(seed, calls):
    """Makes a number of random calls to a new emulator.

    Returns a text about the first difference, with the calls that lead to it; empty if there is none.
    """
    dice, made = random.Random(seed), []
    with running() as run:
        requests = RandomRequests(dice, run.model)
        for _ in range(calls):
            # Times are whole seconds, and no two calls are at the same time: versions are then exact.
            method, fields = requests.next()
            step = dice.choice([2, 2, 3, 5, 20, 90]), method, request_of(method, fields)
            made.append(step)
            answer, found = run.step(*step)
            if found:
                break
            requests.remember(answer)
        else:
            return ""
    made, found = shortened(made, found)
    return "\n".join([f"seed {seed}:", *map(described, made), *found])


def shortened(made, found):
    """Leaves out the calls without which the difference remains: at first half of them, at last single ones."""
    size = len(made) // 2
    while size:
        end = len(made) - 1
        while end > 0:
            begin = max(0, end - size)
            fewer = made[:begin] + made[end:]
            # The time passes all the same.
            gap = sum(seconds for seconds, *_ in made[begin:end])
            fewer[begin] = (fewer[begin][0] + gap, *fewer[begin][1:])
            if differs := differences_of_last(fewer):
                made, found = fewer, differs
            end = begin
        size //= 2
    return made, found


def differences_of_last(steps):
    """Returns the differences in the answer to the last call, if there is none before."""
    with running() as run:
        for step in steps:
            _, found = run.step(*step)
            if found:
                return found if step is steps[-1] else []
    return []


def described(step):
    seconds, method, request = step
    return f"+{seconds} s {method} {text_format.MessageToString(request, as_one_line=True)}"


@contextlib.contextmanager
def running():
    """Yields an emulator that starts at the same time each time, and its model."""
    with (emulating("--virtual-time", "--start-time", START.isoformat()) as emulator,
          grpc.insecure_channel(emulator.address) as channel, connected_services(emulator) as services):
        yield Run(channel, services)


class Run:
    def __init__(self, channel, services):
        self.model = Model(START.timestamp())
        self._control, self._services = Control(channel), services

    def step(self, seconds, method, request):
        """Advances the time and makes a call; returns the answer, and lines about differences."""
        self.model.now += seconds
        self._control.advance(seconds)
        expected, actual = self._expected(method, request), self._actual(method, request)
        if isinstance(expected, Failed) or isinstance(actual, Failed):
            same = str(expected) == str(actual)
            return actual, [] if same else [f"expected {brief(expected)}, got {brief(actual)}"]
        if method in LISTS:
            return actual, compare_pages(method, request, expected, actual)
        without_undefined(expected), without_undefined(actual)
        return actual, differences(expected, actual) if expected is not None else []

    def _expected(self, method, request):
        try:
            return self.model.call(method, request)
        except Failed as failed:
            return failed

    def _actual(self, method, request):
        pages = []
        try:
            while not pages or (method in LISTS and getattr(pages[-1], "next_page_token", "")):
                if pages:
                    request = type(request).FromString(request.SerializeToString())
                    request.page_token = pages[-1].next_page_token
                pages.append(self._send(method, request))
        except exceptions.GoogleAPICallError as error:
            fields = {without_index_of_attribute(violation.field) for detail in error.details
                      if hasattr(detail, "field_violations") for violation in detail.field_violations}
            return Failed(error.grpc_status_code.name, *fields)
        return pages if method in LISTS else pages[0]

    def _send(self, method, request):
        return getattr(self._services, snake_case(method))(request_type(method).wrap(request))


def request_of(method, fields):
    """Returns the request of a call, of protobuf."""
    return request_type(method).pb(request_type(method)(fields))


def request_type(method):
    package = fleetengine_delivery_v1 if hasattr(fleetengine_delivery_v1, f"{method}Request") else fleetengine_v1
    return getattr(package, f"{method}Request")


def compare_pages(method, request, expected, pages):
    size = getattr(request, "page_size", 0) or 100
    actual = [each for page in pages for each in getattr(page, LISTS[method])]
    found = [f"expected {size} in a page, got {len(getattr(page, LISTS[method]))}" for page in pages[:-1]
             if len(getattr(page, LISTS[method])) != size]
    found += [f"expected total_size {len(expected)}, got {page.total_size}" for page in pages
              if getattr(page, "total_size", len(expected)) != len(expected)]
    names = [[identity(each) for each in resources] for resources in (expected, actual)]
    if names[0] != names[1]:
        return [f"expected {names[0]}, got {names[1]}"]
    for one, other in zip(expected, actual):
        for each in one, other:
            without_undefined(getattr(each, "vehicle", each))
        found += differences(one, other, identity(one))
    return found


def without_undefined(trip):
    """Removes what the reference does not define: the values of a vehicle's first stop, and the order of its trips."""
    if hasattr(trip, "current_trips"):
        trip.current_trips.sort()
    for stop in getattr(trip, "vehicle_waypoints", [])[:1]:
        for field in "distance_meters", "duration", "eta", "path_to_waypoint":
            stop.ClearField(field)


def identity(resource):
    return (resource.vehicle if hasattr(resource, "vehicle") else resource).name


def without_index_of_attribute(path):
    head, found, _ = path.partition("attributes[")
    return head + "attributes" if found else path


def brief(answer):
    return str(answer) if isinstance(answer, Failed) else "OK"
