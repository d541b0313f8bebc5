"""Random calls with Google's clients, whose answers are compared with a model; see support.fleet_model."""

from support.random_calls.requests import RandomRequests
from support.random_calls.run import episode, request_of

__all__ = ["RandomRequests", "episode", "request_of"]
