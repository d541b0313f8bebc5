"""The places of the trips in tests of the emulator's rules."""

PICKUP, BETWEEN, DROPOFF = (
    {"point": {"latitude": latitude, "longitude": -122.42}} for latitude in (37.77, 37.775, 37.78))
HERE = {"latitude": 37.76, "longitude": -122.42}
"""Where the vehicle is."""
