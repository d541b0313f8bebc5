"""A model of Fleet Engine, written from its reference, that predicts the answer to each call.

The comments of Google's .proto files and the developer guides are its source. Where they are silent, it follows the
tables in "Rules" of CommandEmulate.md. It shares no code with the emulator that it is compared with.
"""

from support.fleet_model.failure import Failed
from support.fleet_model.model import Model

__all__ = ["Failed", "Model"]
