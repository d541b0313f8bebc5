"""Compares answers with those of the model: whole messages, estimates within a second, a meter or a cell of S2."""

from google.protobuf import duration_pb2, timestamp_pb2

from support.fleet_model.places import decoded

NANOSECONDS, DEGREES = 1_000_000_000, 5e-5


def differences(expected, actual, path=""):
    """Returns a line for each field that differs."""
    if type(expected) is not type(actual):
        return [f"{path}: expected {expected}, got {actual}"]
    if isinstance(expected, (timestamp_pb2.Timestamp, duration_pb2.Duration)):
        apart = abs(expected.ToNanoseconds() - actual.ToNanoseconds())
        return [] if apart <= NANOSECONDS else [line(path, expected, actual)]
    found = []
    for field in expected.DESCRIPTOR.fields:
        one, other = getattr(expected, field.name), getattr(actual, field.name)
        at = f"{path}.{field.name}" if path else field.name
        if field.is_repeated:
            if len(one) != len(other):
                found.append(line(at, list(one), list(other)))
            else:
                for number, pair in enumerate(zip(one, other)):
                    found += values(field, *pair, f"{at}[{number}]")
        elif field.has_presence and expected.HasField(field.name) != actual.HasField(field.name):
            found.append(line(at, *(value if message.HasField(field.name) else None
                                    for value, message in ((one, expected), (other, actual)))))
        elif not field.has_presence or expected.HasField(field.name):
            found += values(field, one, other, at)
    return found


def values(field, one, other, path):
    if field.message_type:
        return differences(one, other, path)
    if field.name == "encoded_path_to_waypoint":
        points = decoded(one), decoded(other)
        same = len(points[0]) == len(points[1]) and not any(
            differences(*pair) for pair in zip(*points))
    elif isinstance(one, float):
        same = abs(one - other) <= DEGREES
    elif "distance" in path:
        same = abs(one - other) <= 1
    else:
        same = one == other
    return [] if same else [line(path, one, other)]


def line(path, expected, actual):
    return f"{path}: expected {brief(expected)}, got {brief(actual)}"


def brief(value):
    return " ".join(str(value).split()) if value is not None else "nothing"
