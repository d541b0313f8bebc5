"""Do bash, zsh and fish complete command lines with the scripts of `tripwire completion`?"""

import subprocess
from pathlib import Path

import pytest

from support.command import LONGEST, assert_failed, binary, environment, tripwire
from support.tmux import Terminal, shell


@pytest.fixture
def folder(tmp_path):
    """Contains the command, the scripts, and files to complete."""
    (tmp_path / "tripwire").symlink_to(binary())
    for name in ["bash", "zsh", "fish"]:
        (tmp_path / f"script.{name}").write_text(tripwire("completion", name).stdout)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "unique trip.binlog").write_text("")
    (tmp_path / "zsh").mkdir()
    # Without the menu of zsh, a tab completes as far as the candidates agree, as in bash.
    (tmp_path / "zsh" / ".zshrc").write_text(
        f"PS1='$ '; autoload -U compinit; compinit -u -D; source {tmp_path}/script.zsh\n")
    (tmp_path / "bashrc").write_text(f"PS1='$ '; source {tmp_path}/script.bash\n")
    for profile in ["default", "staging"]:
        tripwire("config", "set", "--profile", profile, "provider", "p",
                 XDG_CONFIG_HOME=str(tmp_path / "config"))
    return tmp_path


def interactive(name, folder):
    """A terminal with the shell, in which the command is on the PATH."""
    start = {
        "bash": ["bash", "--noprofile", "--rcfile", folder / "bashrc", "-i"],
        "zsh": ["env", f"ZDOTDIR={folder}/zsh", "zsh", "-i"],
    }[name]
    return Terminal(
        f"cd {shell(folder / 'files')}; PATH={shell(folder)}:$PATH"
        f" XDG_CONFIG_HOME={shell(folder / 'config')} {shell(*start)}", columns=160)


# A part of a command line, and the line after the tab key.
LINES = [
    ("tripwire repl", "tripwire replay"),
    ("tripwire token insp", "tripwire token inspect"),
    ("tripwire get --plain", "tripwire get --plaintext"),
    ("tripwire get -o geo", "tripwire get -o geojson"),
    ("tripwire get --output=geo", "tripwire get --output=geojson"),
    ("tripwire follow --until arrived-at-p", "tripwire follow --until arrived-at-pickup"),
    ("tripwire call TripService/Search", "tripwire call TripService/SearchTrips"),
    ("tripwire call maps.fleetengine.v1.VehicleService/GetV",
     "tripwire call maps.fleetengine.v1.VehicleService/GetVehicle"),
    ("tripwire list maps.fleetengine.v1.T", "tripwire list maps.fleetengine.v1.TripService"),
    ("tripwire describe SearchTripsReq", "tripwire describe SearchTripsRequest"),
    ("tripwire describe TripService/GetT", "tripwire describe TripService/GetTrip"),
    ("tripwire describe maps.fleetengine.v1.SearchTripsReq",
     "tripwire describe maps.fleetengine.v1.SearchTripsRequest"),
    ("tripwire list Veh", "tripwire list VehicleService"),
    ("tripwire log uni", r"tripwire log unique\ trip.binlog"),
    ("tripwire get --replay=uni", r"tripwire get --replay=unique\ trip.binlog"),
    ("tripwire log --map uni", r"tripwire log --map unique\ trip.binlog"),
    ("tripwire log --anonymize=uni", r"tripwire log --anonymize=unique\ trip.binlog"),
    ("tripwire relay un", "tripwire relay unwant"),
    ("tripwire relay work --capa", "tripwire relay work --capacity"),
    ("tripwire relay want --pi", "tripwire relay want --pin"),
    ("tripwire relay unwant --nats-cre", "tripwire relay unwant --nats-creds"),
    ("tripwire relay status -o j", "tripwire relay status -o json"),
    ("tripwire relay read --nats-ca uni", r"tripwire relay read --nats-ca unique\ trip.binlog"),
    ("tripwire completion f", "tripwire completion fish"),
    ("tripwire get --profile st", "tripwire get --profile staging"),
    ("tripwire config use st", "tripwire config use staging"),
    ("tripwire config set endp", "tripwire config set endpoint"),
    ("tripwire config unset token-co", "tripwire config unset token-command"),
    ("tripwire get -plain", "tripwire get -plaintext"),
    ("tripwire call -protoset uni", r"tripwire call -protoset unique\ trip.binlog"),
    ("tripwire ls maps.fleetengine.v1.T", "tripwire ls maps.fleetengine.v1.TripService"),
    ("tripwire create deli", "tripwire create deliveryVehicles/"),
    ("tripwire delete --yes task", "tripwire delete --yes tasks/"),
    ("tripwire report-billable tri", "tripwire report-billable trips/"),
    ("tripwire update --dry", "tripwire update --dry-run"),
    ("tripwire update trips/t1 trip_s", "tripwire update trips/t1 trip_status="),
    ("tripwire update tasks/t1 task_outcome=SUC", "tripwire update tasks/t1 task_outcome=SUCCEEDED"),
    ("tripwire create --provider p tasks/t1 planned_location.point.la",
     "tripwire create --provider p tasks/t1 planned_location.point.latitude="),
    ("tripwire report-billable t1 country", "tripwire report-billable t1 country_code="),
]


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_shell_completes_lines(name, folder):
    with interactive(name, folder) as terminal:
        for typed, completed in LINES:
            terminal.wait(lambda rows: rows[-1].rstrip() == "$")
            terminal.type("-l", typed)
            terminal.type("Tab")
            terminal.wait(lambda rows: rows[-1] == "$ " + completed)
            # C-c is a signal, which bash ignores while it completes; keys arrive in order.
            terminal.type("C-u")
            terminal.type("C-l")


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_shell_lists_candidates(name, folder):
    with interactive(name, folder) as terminal:
        terminal.wait(lambda rows: rows[-1].rstrip() == "$")
        terminal.type("-l", "tripwire get --re")
        terminal.type("Tab", "Tab")
        terminal.wait(lambda rows: all(
            any(option in row for row in rows)
            for option in ["--replay", "--record", "--retries"]))


def fish(folder, line):
    """Returns the candidates of fish, each with its description."""
    done = subprocess.run(
        ["fish", "--no-config", "-c",
         f"source {shell(folder / 'script.fish')}; complete -C {shell(line)}"],
        capture_output=True, text=True, timeout=LONGEST, cwd=folder / "files",
        env=environment(PATH=f"{folder}:/usr/bin:/bin", HOME=str(folder),
                        XDG_CONFIG_HOME=str(folder / "config")))
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("typed, completed", LINES)
def test_fish_completes_lines(folder, typed, completed):
    words = [line.split("\t")[0] for line in fish(folder, typed)]
    # fish escapes a name only when it inserts it.
    assert completed.replace("\\ ", " ").endswith(words[0]) and len(words) == 1


def test_fish_shows_descriptions(folder):
    assert "get\tget a trip, a vehicle or a delivery by its name" in fish(folder, "tripwire ")
    assert "--plaintext\tuse HTTP/2 without TLS" in fish(folder, "tripwire get --plain")


def test_types_of_a_protoset_are_completed(folder):
    protos = Path(__file__).parents[2] / "protos"
    subprocess.run(
        ["protoc", f"-I{protos}", "--include_imports",
         f"--descriptor_set_out={folder}/files/test.pb", "grpc/testing/test.proto"], check=True)
    words = fish(folder, "tripwire call --protoset test.pb TestService/Empty")
    assert words == ["TestService/EmptyCall"]


def test_options_of_the_relay_need_its_program(tmp_path):
    (tmp_path / "tripwire").write_bytes(Path(binary()).read_bytes())
    (tmp_path / "tripwire").chmod(0o755)
    done = subprocess.run(
        [tmp_path / "tripwire", "__complete", "relay", "work", "--capa"], capture_output=True, text=True,
        timeout=LONGEST, env=environment(PATH="/usr/bin:/bin"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_unknown_shell_is_reported():
    result = tripwire("completion", "tcsh")
    assert_failed(result, 2, "SHELL: tcsh is not supported")
