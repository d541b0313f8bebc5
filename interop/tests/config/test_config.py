"""Does `tripwire config` change its file safely?"""

import json
import os
import re
import stat
import subprocess
import sys

import pytest

from support.command import LONGEST, assert_failed, binary, environment, tripwire


def test_first_set_creates_a_private_default_profile(configuration):
    configuration.set("provider", "my-project")
    text = configuration.path.read_text()
    assert json.loads(text) == {"profiles": {"default": {"provider": "my-project"}}}
    assert text.endswith("}\n")
    assert stat.S_IMODE(configuration.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(configuration.path.parent.stat().st_mode) == 0o700
    assert os.listdir(configuration.path.parent) == ["config.json"]


def test_set_get_and_unset(configuration):
    configuration.set("endpoint", "localhost:50051")
    configuration.set("plaintext", "true")
    assert json.loads(configuration.path.read_text())["profiles"]["default"] == {
        "endpoint": "localhost:50051", "plaintext": True}
    assert configuration.run("config", "get", "plaintext").stdout == "true\n"
    assert configuration.run("config", "unset", "plaintext").code == 0
    assert configuration.run("config", "unset", "plaintext").code == 0
    assert_failed(configuration.run("config", "get", "plaintext"), 1,
                  error="plaintext is not set in the profile default")
    assert configuration.run("config", "get", "endpoint").stdout == "localhost:50051\n"


def test_path_follows_the_xdg_specification(configuration):
    assert configuration.run("config", "path").stdout == f"{configuration.path}\n"
    for folder in "", "relative":
        assert tripwire("config", "path", XDG_CONFIG_HOME=folder, HOME="/home/someone").stdout == (
            "/home/someone/.config/tripwire/config.json\n")
    assert_failed(tripwire("config", "path", XDG_CONFIG_HOME="", HOME=""), 1, hint="set HOME")


def test_use_selects_a_profile(configuration):
    configuration.set("provider", "p")
    configuration.set("--profile", "staging", "provider", "q")
    assert configuration.run("config", "get", "provider").stdout == "p\n"
    assert configuration.run("config", "get", "provider", "--profile", "staging").stdout == "q\n"
    assert configuration.run("config", "get", "provider", TRIPWIRE_PROFILE="staging").stdout == "q\n"
    assert configuration.run("config", "use", "staging").code == 0
    assert configuration.run("config", "get", "provider").stdout == "q\n"
    assert configuration.run("config", "list").stdout == (
        "default\n  provider  p\n\nstaging (current)\n  provider  q\n")
    assert_failed(configuration.run("config", "use", "other"), 2,
                  error="NAME: other: there is no such profile",
                  hint="use one of these profiles: default, staging")
    # Without settings there is no profile, and the default is current again.
    assert configuration.run("config", "unset", "provider").code == 0
    assert configuration.run("config", "list").stdout == "default (current)\n  provider  p\n"


def test_list_effective_shows_sources(configuration):
    configuration.set("provider", "p")
    configuration.set("endpoint", "localhost:1")
    configuration.set("timeout", "3s")
    result = configuration.run(
        "config", "list", "--effective", "--endpoint", "localhost:2", TRIPWIRE_PROVIDER="q",
        TRIPWIRE_TOKEN="hush-hush-hush")
    assert result.code == 0, result.stderr
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in result.stdout.splitlines()}
    assert rows["endpoint"].split() == ["--endpoint", "localhost:2"]
    assert rows["provider"].split() == ["TRIPWIRE_PROVIDER", "q"]
    assert rows["timeout"].split() == ["profile", "default", "3s"]
    assert rows["plaintext"].split() == ["default", "false"]
    assert rows["interval"].split() == ["default", "5s"]
    assert rows["error-format"].split() == ["default", "text"]
    assert " ".join(rows["retries"].split()) == (
        "default 4 for Fleet Engine (0 for delete, report-billable and ListVehicles), 0 for other calls"
        " and for reflection")
    assert rows["token-file"].split() == ["TRIPWIRE_TOKEN", "…"] and "hush" not in result.stdout
    assert_failed(configuration.run("config", "list", "--endpoint", "localhost:2"), 2,
                  error="--endpoint requires --effective")


def test_list_effective_joins_options_and_a_profile(configuration):
    configuration.set("cert", "/client.pem")
    result = configuration.run("config", "list", "--effective", "--key", "key.pem")
    assert result.code == 0, result.stderr
    assert [line.split() for line in result.stdout.splitlines() if line.split()[0] in ("cert", "key")] == [
        ["cert", "profile", "default", "/client.pem"], ["key", "--key", "key.pem"]]


def test_list_effective_shows_flags(configuration):
    def plaintext(**variables):
        result = configuration.run("config", "list", "--effective", **variables)
        (line,) = [line for line in result.stdout.splitlines() if line.startswith("plaintext")]
        return line.split()[-1]

    configuration.set("plaintext", "false")
    assert plaintext() == "false"
    configuration.set("endpoint", "localhost:1")
    configuration.set("plaintext", "true")
    assert plaintext() == "true"
    assert plaintext(TRIPWIRE_PLAINTEXT="false") == "false"
    assert plaintext(TRIPWIRE_PLAINTEXT="true", TRIPWIRE_ENDPOINT="localhost:2") == "true"
    assert_failed(
        configuration.run("config", "list", "--effective", TRIPWIRE_ENDPOINT="http://x"), 2,
        "TRIPWIRE_ENDPOINT=http://x: expected HOST[:PORT]")


def test_password_of_nats_is_refused(configuration):
    result = configuration.run("config", "set", "nats", "nats://user:hush-hush@h")
    assert_failed(result, 2, error="nats …: a profile must not contain the user and password of a URL",
                  hint="set NATS_URL in the environment, or use --nats-creds")
    assert "hush" not in result.stderr and not configuration.path.exists()


@pytest.mark.parametrize("key, value, kind", [
    ("token-file", "eyJhush.eyJhush.hush", "a token"),
    ("credentials", '{"private_key": "hush"}', "JSON"), ("token-file", ' {"token": "hush"}', "JSON"),
    ("key", "-----BEGIN PRIVATE KEY-----\nhush\n", "PEM"),
    ("cacert", "-----BEGIN CERTIFICATE-----\nhush\n", "PEM"),
])
def test_credential_in_place_of_its_file_is_refused(configuration, key, value, kind):
    result = configuration.run("config", "set", "--", key, value)
    assert_failed(result, 2, error=f"{key} …: expected the path of a file, found {kind}",
                  hint="save it in a file, and pass the path")
    assert "hush" not in result.stderr
    assert not configuration.path.exists()


def test_list_redacts_credentials(configuration):
    configuration.write(json.dumps({"profiles": {"default": {
        "token": "hush", "header": "authorization: hush", "proxy": "http://u:hush@h",
        "tiles": "https://u:hush@host/{z}/{x}/{y}", "token-file": "eyJhush.hush.hush"}}}))
    result = configuration.run("config", "list")
    assert "hush" not in result.stdout
    assert "https://…@host/{z}/{x}/{y}" in result.stdout


def test_too_large_file_is_not_read(configuration):
    configuration.set("provider", "p")
    configuration.path.write_text("{" + " " * (1 << 20) + "}")
    assert_failed(configuration.run("config", "get", "provider"), 1, "larger than 1 MiB", hint="remove the file")


def test_too_large_file_is_refused(configuration):
    configuration.set("provider", "p")
    before = configuration.path.read_text()
    for number in range(10):
        result = configuration.run("config", "set", f"--profile=p{number}", "token-command",
                                   "x" * 120_000)
        if result.code:
            break
        before = configuration.path.read_text()
    assert_failed(result, 1, "the file would be larger than 1 MiB", hint="config unset")
    assert configuration.path.read_text() == before
    assert configuration.run("config", "get", "provider").stdout == "p\n"


def test_application_credentials_are_the_last_resort(configuration):
    configuration.set("token-command", "echo token")
    result = configuration.run("config", "list", "--effective", GOOGLE_APPLICATION_CREDENTIALS="/k")
    assert re.search("^token-command +profile default +echo token$", result.stdout, re.M)
    assert re.search("^access-token +default +—$", result.stdout, re.M)
    configuration.run("config", "unset", "token-command")
    result = configuration.run("config", "list", "--effective", GOOGLE_APPLICATION_CREDENTIALS="/k")
    assert re.search("^access-token +GOOGLE_APPLICATION_CREDENTIALS +/k$", result.stdout, re.M)


def test_missing_current_profile_is_reported(configuration):
    configuration.set("provider", "my-project")
    stored = json.loads(configuration.path.read_text())
    configuration.path.write_text(json.dumps({**stored, "currentProfile": "staging"}))
    result = configuration.run("config", "list")
    assert (result.code, result.stdout) == (0, "default\n  provider  my-project\n")
    assert result.stderr == (
        f"warning: {configuration.path}: the current profile staging does not exist: select another one with"
        " 'tripwire config use NAME'\n")


def test_empty_configuration_is_listed():
    result = tripwire("config", "list")
    assert (result.code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("key, value, error, hint", [
    ("endpoint", "http://x", "endpoint http://x: expected HOST[:PORT] without a scheme", "usage"),
    ("plaintext", "yes", "plaintext yes: expected true or false", "set plaintext true"),
    ("plaintext", "x", "plaintext x: expected true or false", "usage"),
    ("interval", "1ms", "interval 1ms: expected a duration from 100ms to 24h", "usage"),
    ("output", "yaml", "output yaml: expected one of json, text, geojson, svg, ndjson, template", "usage"),
    ("provider", "a/b", 'provider a/b: a project ID must not contain a "/"', "usage"),
    ("token-file", "-", "token-file -: expected a file, not stdin", "usage"),
    ("tiles", "ftp://x", "tiles ftp://x: expected http:// or https://HOST/", "usage"),
    ("tiles", "https://u:hush@h/{z}/{x}/{y}", "tiles …: the URL must not have a user name or a password",
     "remove USER:PASSWORD@ from the URL"),
    ("endpont", "x", "KEY: endpont is not an option that a profile may contain",
     "did you mean endpoint?"),
    ("token", "eyJhush", "KEY: a profile must not contain token", "token-command"),
    ("header", "authorization: hush", "KEY: a profile must not contain header", "token-command"),
    ("proxy", "http://u:hush@h", "KEY: a profile must not contain proxy", "https_proxy"),
    ("insecure-skip-verify", "true", "KEY: a profile must not contain insecure-skip-verify",
     "pass --insecure-skip-verify on the command line"),
    ("replay", "x", "KEY: a profile must not contain replay", "pass --replay"),
])
def test_invalid_setting_is_refused(configuration, key, value, error, hint):
    result = configuration.run("config", "set", key, value)
    assert_failed(result, 2, error, hint=hint)
    assert "hush" not in result.stderr
    assert not configuration.path.exists()


@pytest.mark.parametrize("arguments, error", [
    (["set"], "KEY is missing"), (["set", "provider"], "VALUE is missing"),
    (["set", "provider", "a", "b"], "unexpected argument b: config set takes KEY VALUE"),
    (["get"], "KEY is missing"), (["use"], "NAME is missing"),
    (["path", "x"], "unexpected argument x: config path takes no arguments"),
    (["sett"], "unknown command config sett"), ([], "a subcommand is missing"),
    (["set", "provider", "p", "--profile", "a b"], "--profile a b: expected a name"),
])
def test_usage_errors(configuration, arguments, error):
    assert_failed(configuration.run("config", *arguments), 2, error)


def test_output_may_be_of_any_command(configuration, tmp_path):
    for value in ["text", "geojson", "ndjson", "template"]:
        configuration.set("output", value)


def test_paths_are_stored_as_absolute_paths(configuration, tmp_path):
    subprocess.run(
        [binary(), "config", "set", "cacert", "ca.pem"], cwd=tmp_path, check=True,
        env=environment(XDG_CONFIG_HOME=str(tmp_path)))
    assert configuration.run("config", "get", "cacert").stdout == f"{tmp_path}/ca.pem\n"


def test_concurrent_writers_lose_nothing(configuration):
    count = 24
    processes = [
        subprocess.Popen(
            [binary(), "config", "set", "--profile", f"p{number}", "provider", f"v{number}"],
            env=environment(XDG_CONFIG_HOME=str(configuration.folder)))
        for number in range(count)]
    assert [process.wait(LONGEST) for process in processes] == [0] * count
    profiles = json.loads(configuration.path.read_text())["profiles"]
    assert profiles == {f"p{number}": {"provider": f"v{number}"} for number in range(count)}


@pytest.mark.parametrize("exists", [True, False])
def test_symbolic_link_is_kept(configuration, tmp_path, exists):
    target = tmp_path / "dotfiles" / "tripwire.json"
    target.parent.mkdir()
    configuration.path.parent.mkdir()
    configuration.path.symlink_to("../dotfiles/tripwire.json")
    if exists:
        target.write_text('{"profiles": {"default": {"timeout": "3s"}}}')
        target.chmod(0o600)
    configuration.set("provider", "p")
    assert configuration.path.is_symlink()
    profile = json.loads(target.read_text())["profiles"]["default"]
    assert profile == {"provider": "p"} | ({"timeout": "3s"} if exists else {})


@pytest.mark.parametrize("key, value, other", [
    ("sign-as", "a@p.iam.gserviceaccount.com", "token-file"), ("token-file", "/b", "sign-as"),
    ("access-token", "adc", "credentials"), ("credentials", "/b", "token-command"),
    ("token-command", "echo", "access-token"), ("plaintext", "true", "cacert"), ("cert", "/b", "plaintext"),
])
def test_setting_that_excludes_another_is_refused(configuration, key, value, other):
    values = {"sign-as": "b@p.iam.gserviceaccount.com", "plaintext": "true", "access-token": "adc"}
    configuration.set("--profile", "work", other, values.get(other, "/a"))
    before = configuration.path.read_text()
    assert_failed(configuration.run("config", "set", "--profile", "work", key, value), 2,
                  error=f"{key} cannot be used with {other}, which the profile work contains",
                  hint=f"run 'tripwire config unset {other} --profile work' first")
    assert configuration.path.read_text() == before
    assert configuration.run("config", "unset", other, "--profile", "work").code == 0
    configuration.set("--profile", "work", key, value)


def test_settings_that_need_each_other_are_accepted(configuration):
    configuration.set("access-token", "adc")
    configuration.set("sign-as", "a@p.iam.gserviceaccount.com")
    configuration.set("sign-as", "b@p.iam.gserviceaccount.com")
    configuration.set("quota-project", "p")
    configuration.set("plaintext", "false")
    configuration.set("cacert", "/ca.pem")
    configuration.set("plaintext", "false")


def test_effective_list_warns_about_settings_that_exclude_each_other(configuration):
    configuration.write(json.dumps({"profiles": {"default": {
        "token-file": "/t.jwt", "sign-as": "a@p.iam.gserviceaccount.com"}}}))
    result = configuration.run("config", "list", "--effective")
    assert result.code == 0
    rows = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert rows["token-file"].endswith("/t.jwt") and "profile default" in rows["sign-as"]
    assert result.stderr == (
        "warning: --token-file cannot be used with --sign-as: remove one of them: tripwire config unset token-file"
        " --profile default\n")
    # A setting that another source replaces is not used.
    assert configuration.run("config", "list", "--effective", TRIPWIRE_TOKEN="a").stderr == ""


def test_full_disk_leaves_the_old_file(configuration):
    configuration.set("provider", "p")
    before = configuration.path.read_text()
    done = subprocess.run(
        ["prlimit", "--fsize=20", binary(), "config", "set", "endpoint", "localhost:1"],
        capture_output=True, text=True, timeout=LONGEST,
        env=environment(XDG_CONFIG_HOME=str(configuration.folder)))
    assert done.returncode == 1 and "error: cannot write" in done.stderr, done.stderr
    assert "can be created and written, and that its disk has free space" in done.stderr
    assert configuration.path.read_text() == before
    assert os.listdir(configuration.path.parent) == ["config.json"]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_file_that_others_may_write_is_refused(configuration, mode):
    configuration.write("{}", mode)
    for arguments in ["get", "t1"], ["config", "set", "provider", "p"], ["config", "list"]:
        assert_failed(
            configuration.run(*arguments), 1,
            error=f"{configuration.path}: other users may write the file (mode 0{mode:o})",
            hint=f"run: chmod 600 {configuration.path}")
    assert configuration.path.read_text() == "{}"


def test_hint_for_a_path_with_spaces_can_be_pasted(tmp_path):
    path = tmp_path / "a b" / "tripwire" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    path.chmod(0o666)
    assert_failed(tripwire("config", "list", XDG_CONFIG_HOME=str(tmp_path / "a b")), 1,
                  hint=f'run: chmod 600 "{path}"')


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_file_of_another_user_is_refused(configuration):
    configuration.write("{}")
    os.chown(configuration.path, 12345, -1)
    assert_failed(configuration.run("get", "t1"), 1,
                  "belongs to another user, with the ID 12345", hint="run: chown 0 ")


def test_file_that_is_not_regular_is_refused(configuration):
    configuration.path.parent.mkdir()
    os.mkfifo(configuration.path)
    assert_failed(configuration.run("get", "t1"), 1, "not a regular file")


@pytest.mark.parametrize("text, place, error, hint", [
    ("", "1:1", "unexpected end of JSON", "complete the JSON"),
    ('{"profiles": {', "1:15", "unexpected end of JSON", "complete the JSON"),
    ('{\n  "profile": {}}', "2:3", 'unknown field "profile"', "did you mean profiles?"),
    ('{"profiles": {"default": {"endpont": "x"}}}', "1:27", 'unknown setting "endpont"',
     "did you mean endpoint?"),
    ('{"profiles": {"default": {\n"retries": 2}}}', "2:12",
     "retries: expected a string, true or false", "line 2, column 12"),
    ('{"profiles": {"a": {"color": "auto", "color": "never"}}}', "1:38",
     'profiles["a"]["color"]: duplicate field', "line 1, column 38"),
    ('{"currentProfile": 5}', "1:20", "currentProfile: expected a string", "line 1, column 20"),
    ('\ufeff{"profiles": {"default": []}}', "1:26",
     'profiles["default"]: expected a JSON object that begins with {', "line 1, column 26"),
    ('{"profiles": {"default": {"timeout": "soon"}}}', "1:38",
     "timeout: expected a duration", "line 1, column 38"),
    ('{"profiles": {"default": {"plaintext": "maybe", "endpoint": "h"}}}', "1:40",
     "plaintext: expected true or false", "line 1, column 40"),
    ('{"profiles": {"default": {"keylog": "f"}}}', "1:27",
     "a profile must not contain keylog", "run 'tripwire config unset keylog --profile default', and pass"
                                          " --keylog on the command line"),
    ('{"profiles": {"default": {"token": "secret"}}}', "1:27", "a profile must not contain token",
     "and set token-file or token-command"),
    ('{"profiles": {"default": {"proxy": "http://u:p@h"}}}', "1:27",
     "a profile must not contain proxy", "tripwire config unset proxy"),
])
def test_invalid_file_is_reported_with_its_place(configuration, text, place, error, hint):
    configuration.write(text)
    result = configuration.run("get", "providers/p/trips/t1")
    assert_failed(result, 1, f"{configuration.path}:{place}: {error}", hint=hint)


@pytest.mark.parametrize("arguments", [
    ["get", "--help"], ["version"], ["--version"], ["completion", "bash"], ["help", "get"],
    ["__complete", "get", "--profile", ""], ["config", "path"], ["config", "set", "--help"],
])
def test_commands_without_a_profile_ignore_a_broken_file(configuration, arguments):
    configuration.write("{", 0o666)
    result = configuration.run(*arguments)
    assert (result.code, result.stderr) == (0, "")


def test_file_is_opened_once(configuration, tmp_path):
    configuration.set("provider", "p")
    log = tmp_path / "strace.log"
    subprocess.run(
        ["strace", "-f", "-e", "trace=open,openat,stat,newfstatat,access", "-o", log, binary(), "get",
         "t1", "--endpoint", "127.0.0.1:9"], timeout=LONGEST, capture_output=True,
        env=environment(XDG_CONFIG_HOME=str(configuration.folder)))
    assert log.read_text().count(str(configuration.path)) == 1
