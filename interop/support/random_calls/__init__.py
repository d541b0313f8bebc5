"""Random calls with Google's clients, whose answers are compared with a model; see support.fleet_model."""

from support.random_calls.run import episode

__all__ = ["episode"]
