"""A folder for the configuration of each test."""

import pytest

from support.command import tripwire


class Configuration:
    """Runs the command with its own configuration file."""

    def __init__(self, folder):
        self.folder = folder
        self.path = folder / "tripwire" / "config.json"

    def write(self, text, mode=0o600):
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        self.path.write_text(text)
        self.path.chmod(mode)

    def run(self, *arguments, **variables):
        return tripwire(*arguments, **({"XDG_CONFIG_HOME": str(self.folder)} | variables))

    def set(self, *arguments):
        result = self.run("config", "set", *arguments)
        assert (result.code, result.stdout, result.stderr) == (0, "", "")


@pytest.fixture
def configuration(tmp_path):
    return Configuration(tmp_path)
