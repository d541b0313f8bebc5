"""Do commands use profiles, with the right precedence?"""

import json
import subprocess

import pytest

from support.command import LONGEST, PATIENT, assert_failed, environment, replayed, start, tripwire


@pytest.fixture
def profile(configuration, own_server):
    """A profile with a server and a provider."""
    configuration.set("provider", "p")
    configuration.set("endpoint", own_server.address)
    configuration.set("plaintext", "true")
    return configuration


def test_get_needs_only_the_id(profile, own_server):
    result = profile.run("get", "t1")
    assert result.code == 0, result.stderr
    assert own_server.arrived.get(timeout=LONGEST) == "providers/p/trips/t1"


def test_variable_and_option_override_the_profile(profile, own_server):
    for arguments, variables, provider in [
            ([], {"TRIPWIRE_PROVIDER": "v"}, "v"),
            (["--provider", "o"], {"TRIPWIRE_PROVIDER": "v"}, "o")]:
        profile.run("get", "t1", *arguments, **variables)
        assert own_server.arrived.get(timeout=LONGEST) == f"providers/{provider}/trips/t1"


def test_named_profile_is_used(profile, own_server):
    profile.set("--profile", "other", "provider", "q")
    profile.set("--profile", "other", "endpoint", own_server.address)
    profile.set("--profile", "other", "plaintext", "true")
    profile.run("get", "t1", "--profile", "other")
    assert own_server.arrived.get(timeout=LONGEST) == "providers/q/trips/t1"
    profile.run("get", "t1", TRIPWIRE_PROFILE="other")
    assert own_server.arrived.get(timeout=LONGEST) == "providers/q/trips/t1"
    profile.run("get", "t1", "--profile", "default", TRIPWIRE_PROFILE="other")
    assert own_server.arrived.get(timeout=LONGEST) == "providers/p/trips/t1"


@pytest.mark.parametrize("arguments, variables, origin", [
    (["--profile", "stagin"], {}, "--profile stagin"),
    ([], {"TRIPWIRE_PROFILE": "stagin"}, "TRIPWIRE_PROFILE=stagin"),
])
def test_missing_profile_lists_those_present(configuration, arguments, variables, origin):
    assert_failed(configuration.run("get", "t1", *arguments, **variables), 2,
                  error=f"{origin}: there is no such profile",
                  hint="create it: tripwire config set --profile stagin KEY VALUE")
    configuration.set("provider", "p")
    configuration.set("--profile", "staging", "provider", "p")
    assert_failed(configuration.run("get", "t1", *arguments, **variables), 2,
                  error=f"{origin}: there is no such profile",
                  hint="use one of these profiles: default, staging")


def test_settings_of_other_commands_are_ignored(profile):
    profile.set("interval", "1s")
    profile.set("output", "template")
    assert json.loads(profile.run("get", "t1").stdout)["name"] == "providers/p/trips/t1"
    profile.set("output", "text")
    assert profile.run("get", "t1").stdout.startswith("trip  ")
    assert json.loads(profile.run("get", "t1", "-o", "json").stdout)


def test_replay_hides_the_server_of_the_profile(profile, certificates):
    profile.set("timeout", PATIENT)
    result = profile.run("get", "providers/demo/trips/t1", *replayed("demo"))
    assert (result.code, result.stderr) == (0, "")


def test_token_of_the_command_line_hides_that_of_the_profile(profile, tmp_path):
    profile.set("token-command", "echo from-profile")
    (tmp_path / "token").write_text("from-option")

    def sent(*arguments, **variables):
        result = profile.run("get", "trips/echo", *arguments, **variables)
        assert result.code == 0, result.stderr
        return result.attributes["authorization"]

    assert sent() == ["Bearer from-profile"]
    assert sent(TRIPWIRE_TOKEN="from-variable") == ["Bearer from-variable"]
    assert sent("--token-file", tmp_path / "token", TRIPWIRE_TOKEN="from-variable") == [
        "Bearer from-option"]
    assert sent("-H", "authorization: Bearer from-header") == ["Bearer from-header"]


@pytest.mark.parametrize("setting", [
    ("token-command", "echo from-profile"), ("token-file", "token"), ("credentials", "key")])
def test_token_holds_only_for_the_endpoint_of_the_profile(profile, own_server, setting):
    note = "* the token of profile default is not used: the server comes from "
    profile.set(*setting)

    def get(*arguments, **variables):
        result = profile.run("get", "trips/echo", "-v", *arguments, **variables)
        return result.attributes.get("authorization"), [
            line for line in result.stderr.splitlines() if line.startswith(note)]

    address = own_server.address
    if setting[0] == "token-command":
        assert get() == (["Bearer from-profile"], [])
    assert get("--endpoint", address, "--plaintext") == (None, [note + "--endpoint"])
    assert get(TRIPWIRE_ENDPOINT=address, TRIPWIRE_PLAINTEXT="true") == (
        None, [note + "TRIPWIRE_ENDPOINT"])
    assert get("--endpoint", address, "--plaintext", TRIPWIRE_TOKEN="own") == (["Bearer own"], [])


def test_token_of_the_profile_is_not_used_with_a_recording(profile, tmp_path):
    profile.set("token-command", f"touch {tmp_path}/ran")
    result = profile.run(
        "get", "providers/demo/trips/t1", "-v", *replayed("demo"))
    assert result.code == 0, result.stderr
    assert "* the token of profile default is not used: the server comes from --replay" in result.stderr
    assert not (tmp_path / "ran").exists()


def test_authority_holds_only_for_its_endpoint(profile, own_server):
    profile.set("authority", "elsewhere.example")

    def authority(*arguments):
        result = profile.run("get", "t1", "-v", *arguments)
        (line,) = [line for line in result.stderr.splitlines() if ":authority: " in line]
        return line.rpartition(" ")[2]

    assert authority() == "elsewhere.example"
    assert authority("--endpoint", own_server.address, "--plaintext") == own_server.address


def test_contradiction_in_a_profile_names_it(profile):
    written = json.loads(profile.path.read_text())
    written["profiles"]["default"]["cacert"] = "/ca.pem"
    profile.write(json.dumps(written))
    assert_failed(profile.run("get", "t1"), 2, error="--cacert cannot be used with --plaintext",
                  lines=["--cacert comes from profile default",
                         "--plaintext comes from profile default"],
                  hint="remove one of them: tripwire config unset cacert --profile default")


def test_output_of_a_profile_is_ignored_by_other_commands(profile):
    profile.set("output", "json")
    found = profile.run("search", "tasks", "--provider", "demo", *replayed("delivery"))
    assert found.code == 0 and found.stdout.startswith("NAME "), found
    checked = profile.run("doctor")
    assert not checked.stdout.startswith("{"), checked


def test_contradiction_with_the_output_of_a_profile_names_it(profile):
    profile.set("output", "svg")
    assert_failed(profile.run("get", "t1", "--fields", "name"), 2, error="--fields cannot be used with -o svg",
                  lines=["--output comes from profile default"], hint="use -o json")


@pytest.mark.parametrize("key", ["cacert", "cert", "crlfile", "token-file", "credentials"])
def test_missing_file_names_its_profile(configuration, tmp_path, key):
    configuration.set("provider", "p")
    configuration.set(key, tmp_path / "none")
    assert_failed(configuration.run("get", "t1"), 1,
                  error=f"--{key}: {tmp_path}/none: No such file or directory",
                  lines=[f"--{key} comes from profile default"])
    result = configuration.run("get", "t1", "--error-format", "json")
    assert json.loads(result.stderr)["sources"] == {key: "profile default"}
    result = configuration.run("get", "t1", f"--{key}", "/none", "--endpoint", "127.0.0.1:1")
    assert_failed(result, 1, error=f"--{key}: /none: No such file or directory", lines=[])
    assert "sources" not in json.loads(configuration.run(
        "get", "t1", f"--{key}", "/none", "--error-format", "json").stderr)


def test_doctor_names_the_profile_of_a_missing_file(configuration, tmp_path):
    configuration.set("cacert", tmp_path / "none")
    result = configuration.run("doctor", "--endpoint", "127.0.0.1:1")
    assert result.code == 1
    assert "\n" + " " * 18 + "--cacert comes from profile default\n" in result.stdout
    document = json.loads(configuration.run("doctor", "--endpoint", "127.0.0.1:1", "-o", "json").stdout)
    (failed,) = [step for step in document["steps"] if step["outcome"] == "failed"]
    assert failed["sources"] == {"cacert": "profile default"}


@pytest.mark.parametrize("output, shown", [
    ("json", '"sources":{"token-command":"profile default"}'),
    ("text", "; --token-command comes from profile default"),
])
def test_running_follow_names_the_profile(profile, output, shown):
    profile.set("token-command", "exit 3")
    process = start("follow", "t1", "-o", output, stderr=subprocess.DEVNULL,
                    env=environment(XDG_CONFIG_HOME=str(profile.folder)))
    with process:
        assert shown in process.stdout.readline().decode()
        process.kill()


def test_failed_connection_names_the_profile(profile, own_server):
    own_server.__exit__()
    assert_failed(profile.run("get", "t1"), 78, hint="endpoint of profile default")


def test_built_in_services_are_listed_if_the_server_of_a_profile_has_no_reflection(profile, own_server):
    built_in = tripwire("list").stdout
    warning = (f"warning: {own_server.address}, %s, has no reflection service; showing the built-in"
               " services\n")
    result = profile.run("list")
    assert (result.code, result.stdout) == (0, built_in)
    assert result.stderr == warning % "the endpoint of profile default"
    result = profile.run("describe")
    assert result.code == 0 and "service TripService {" in result.stdout
    result = tripwire("list", "--plaintext", TRIPWIRE_ENDPOINT=own_server.address)
    assert (result.code, result.stdout) == (0, built_in)
    assert result.stderr == warning % "TRIPWIRE_ENDPOINT"
    # The user asked this server.
    assert_failed(profile.run("list", "--endpoint", own_server.address, "--plaintext"), 76, "UNIMPLEMENTED",
                  hint="pass descriptors with --protoset FILE or --proto FILE -I DIR: ")


def test_mint_uses_the_key_of_the_profile(configuration, tmp_path):
    configuration.set("credentials", tmp_path / "key.json")
    assert_failed(configuration.run("token", "mint", "--trip", "trips/t1"), 1,
                  f"--credentials: {tmp_path}/key.json: No such file or directory",
                  lines=["--credentials comes from profile default"])
    assert_failed(configuration.run("token", "mint", "--trip", "t1", "--profile", "x"), 2,
                  "--profile x: there is no such profile")


def test_profiles_and_settings_are_completed(configuration):
    configuration.set("provider", "p")
    configuration.set("--profile", "staging", "provider", "q")

    def words(*typed):
        lines = configuration.run("__complete", *typed).stdout.splitlines()
        return [line.split("\t")[0] for line in lines]

    assert words("get", "--profile", "") == ["default", "staging"]
    assert words("get", "--profile=st") == ["staging"]
    assert words("config", "use", "") == ["default", "staging"]
    assert words("config", "set", "endp") == ["endpoint"]
    assert words("config", "unset", "plain") == ["plaintext"]
    assert words("config", "set", "plaintext", "") == ["true", "false"]
    assert words("config", "set", "output", "geo") == ["geojson"]
    assert words("config", "set", "cacert", "") == [":files"]
    assert "token-command" in words("config", "set", "")
