"""ListVehicles, and the conditions that it shares with SearchVehicles."""

from google.maps.fleetengine_v1 import types

from peers.fleet.services import names
from peers.fleet.services.errors import Violations
from peers.fleet.services.filters import attribute_pairs, lookup, parse_filter
from peers.fleet.services.pages import page_of
from peers.fleet.services.vehicle_answer import vehicle_message

MAX_REQUIRED = 50


def check_filter(violations, request):
    lists = (request.required_attributes, request.required_one_of_attributes,
             request.required_one_of_attribute_sets)
    violations.require(
        not request.filter or not any(lists), "filter", "excludes the required attributes")
    violations.require(
        len(request.required_attributes) <= MAX_REQUIRED, "required_attributes",
        f"are more than {MAX_REQUIRED}")
    for field in ("required_attributes", "required_one_of_attributes",
                  "required_one_of_attribute_sets"):
        for each in getattr(request, field):
            pairs = each.split("|") if isinstance(each, str) else []
            violations.require(
                all(":" in pair for pair in pairs), field, "must have the form key:value")


def in_viewport(request, location):
    """Returns whether a location is in the viewport of a request, or there is none."""
    if not request.HasField("viewport"):
        return True
    low, high = request.viewport.low, request.viewport.high
    longitude = location.longitude
    between = (low.longitude <= longitude <= high.longitude if low.longitude <= high.longitude
               else longitude >= low.longitude or longitude <= high.longitude)
    return between and low.latitude <= location.latitude <= high.latitude


def staleness(message, now):
    """Returns the time since the vehicle sent its location, in seconds."""
    return now - message.last_location.server_time.ToMicroseconds() / 1e6


def list_vehicles(fleet, request):
    violations = Violations()
    names.check_parent(fleet, violations, request.parent)
    violations.require(
        request.vehicle_type_categories and 0 not in request.vehicle_type_categories,
        "vehicle_type_categories")
    violations.require(
        request.minimum_capacity.value >= 0, "minimum_capacity", "must not be negative")
    violations.require(
        not request.HasField("maximum_staleness")
        or request.maximum_staleness.ToNanoseconds() > 0, "maximum_staleness", "must be positive")
    check_filter(violations, request)
    violations.raise_any()
    matches = parse_filter(request.filter)
    fleet.catch_up()

    def fits(message):
        return (message.vehicle_type.category in request.vehicle_type_categories
                and message.maximum_capacity >= request.minimum_capacity.value
                and shares(request.trip_types, message.supported_trip_types)
                and request.vehicle_state in (0, message.vehicle_state)
                and (message.current_trips or not request.on_trip_only)
                and (not request.HasField("maximum_staleness") or staleness(message, fleet.now)
                     <= request.maximum_staleness.ToNanoseconds() / 1e9)
                and in_viewport(request, message.last_location.location)
                and has_attributes(message, *map(texts, (
                    [[each] for each in request.required_attributes],
                    [each.split("|") for each in request.required_one_of_attributes],
                    [each.split("|") for each in request.required_one_of_attribute_sets])))
                and matches(lookup(message)))

    found = list(filter(fits, (
        vehicle_message(fleet, each, paths=False) for each in fleet.vehicles.values())))
    page, token = page_of(found, request)
    return types.ListVehiclesResponse.pb()(
        vehicles=page, next_page_token=token, total_size=len(found))


def shares(wanted, supported):
    return not wanted or bool(set(wanted) & set(supported))


def texts(lists):
    """Returns lists of "key:value" as sets of pairs."""
    return [{tuple(each.split(":", 1)) for each in one} for one in lists]


def has_attributes(message, required, one_of, sets):
    found = attribute_pairs(message.attributes)
    return (all(each <= found for each in required) and all(each & found for each in one_of)
            and (not sets or any(each <= found for each in sets)))
