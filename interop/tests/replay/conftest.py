"""Scripts that a test makes."""

import json

import pytest

METHOD = "/test.Echo/Say"


@pytest.fixture
def script(tmp_path):
    """Writes a script of one call with these steps, or of these calls; returns its path."""
    def make(*steps, calls=None):
        path = tmp_path / "made.yaml"
        path.write_text(json.dumps({"calls": calls or [{"method": METHOD, "steps": steps}]}))
        return path

    return make
