"""Is a file that `tripwire log` writes checked before the work, and whole or absent after it?"""

import gzip
import json
import os
import shutil
import signal
import stat
import subprocess
import time

import pytest

from support.command import LONGEST, assert_failed, binary, environment, start, tripwire
from peers.recordings import binary_log
from support.paths import RECORDINGS

TRIP = RECORDINGS / "trip.binlog"
REPLACING = ["--map", "--export-cloud-logging"]
OPTIONS = REPLACING + ["--anonymize"]


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The files that the options write."""
    def file(option):
        if option not in files:
            files[option] = tmp_path_factory.mktemp("written") / "out"
            assert tripwire("log", TRIP, option, files[option]).code == 0
        return files[option].read_bytes()

    files = {}
    return file


def run(*arguments, **others):
    others = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | others
    done = subprocess.run(
        [binary(), *arguments], timeout=LONGEST, env=environment(), **others)
    done.stderr = (done.stderr or b"").decode()
    return done


def check_content(option, content):
    """Whether other programs can read the output."""
    if option == "--map":
        assert content.startswith(b"<!doctype html>") and content.endswith(b"</html>\n")
    elif option == "--export-cloud-logging":
        assert len(json.loads(content)) > 10
    else:
        assert len(binary_log.decoded(content)) > 10


def unfinished(option, path, folder):
    """Starts the command, and waits until it writes; its stdin never ends."""
    before = set(folder.iterdir())
    process = start("log", "-", option, path, stdin=subprocess.PIPE)
    process.stdin.write(TRIP.read_bytes())
    process.stdin.flush()
    deadline = time.monotonic() + LONGEST
    while set(folder.iterdir()) == before:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("option", OPTIONS + ["--mapping"])
def test_path_is_checked_before_the_recording_is_read(option, tmp_path):
    path = tmp_path / "none" / "out"
    others = ["--anonymize", tmp_path / "copy"] if option == "--mapping" else []
    # Its stdin never ends.
    process = start("log", "-", option, path, *others, stdin=subprocess.PIPE)
    assert process.wait(LONGEST) == 1
    error = process.stderr.read().decode()
    assert error.startswith(f"error: {option} {path}: No such file or directory\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_command_leaves_no_file(option, number, tmp_path):
    process = unfinished(option, tmp_path / "out", tmp_path)
    process.send_signal(number)
    assert process.wait(LONGEST) == 128 + number
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS)
def test_killed_command_leaves_no_incomplete_file(option, tmp_path):
    path = tmp_path / "out"
    process = unfinished(option, path, tmp_path)
    process.kill()
    process.wait()
    assert not path.exists()


@pytest.mark.parametrize("option", REPLACING)
def test_existing_file_is_replaced_by_a_whole_one(option, written, tmp_path):
    path = tmp_path / "out"
    old = written(option)[:2000]
    path.write_bytes(old)
    path.chmod(0o640)
    process = unfinished(option, path, tmp_path)
    assert path.read_bytes() == old
    process.kill()
    process.wait()
    assert path.read_bytes() == old
    assert tripwire("log", TRIP, option, path).code == 0
    assert path.stat().st_size > 10_000 and stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("option", REPLACING)
def test_symbolic_link_is_followed(option, written, tmp_path):
    path, link = tmp_path / "out", tmp_path / "link"
    path.write_bytes(written(option)[:2000])
    link.symlink_to("out")
    assert tripwire("log", TRIP, option, link).code == 0
    assert link.is_symlink() and path.stat().st_size > 10_000
    assert sorted(tmp_path.iterdir()) == [link, path]


@pytest.mark.parametrize("option", OPTIONS)
def test_target_of_a_dangling_link_is_created(option, tmp_path):
    folder, link, other = tmp_path / "folder", tmp_path / "link", tmp_path / "other"
    folder.mkdir()
    link.symlink_to("other")
    other.symlink_to(folder / "out")
    assert tripwire("log", TRIP, option, link).code == 0
    assert link.is_symlink() and other.is_symlink() and list(folder.iterdir()) == [folder / "out"]
    link.unlink()
    link.symlink_to("none/out")
    assert_failed(tripwire("log", TRIP, option, link), 1, "No such file or directory")
    link.unlink()
    link.symlink_to("link")
    assert_failed(tripwire("log", TRIP, option, link), 1, "symbolic links")
    assert link.is_symlink()


@pytest.mark.parametrize("option", OPTIONS)
def test_recording_that_is_read_is_not_replaced(option, tmp_path):
    recording, link, twin = (tmp_path / name for name in ("trip.binlog", "link", "twin"))
    shutil.copy(TRIP, recording)
    link.symlink_to("trip.binlog")
    twin.hardlink_to(recording)
    for path in recording, link, twin, tmp_path / "." / "trip.binlog":
        for inputs in [recording], [TRIP, recording]:
            result = tripwire("log", *inputs, option, path)
            assert_failed(result, 2, error=f"{option} {path}: this file is being read",
                          hint=f"choose another path for {option}")
        with open(recording) as stdin:
            done = run("log", "-", option, path, stdin=stdin)
        assert (done.returncode, done.stderr) == (2, (
            f"error: {option} {path}: this file is being read\n"
            f"hint: choose another path for {option}\n"))
    # stdout is the file that is read.
    with open(recording, "ab") as stdout:
        done = run("log", recording, option, "-", stdout=stdout)
    assert done.returncode == 2 and "this file is being read" in done.stderr
    assert recording.read_bytes() == TRIP.read_bytes()


@pytest.mark.parametrize("option", OPTIONS)
def test_only_files_that_the_option_wrote_are_replaced(option, written, tmp_path):
    path = tmp_path / "out"
    others = [TRIP.read_bytes(), b"some notes", b"<!doctype html>\n<title>my page</title>\n", b"[\n{}\n]\n"]
    others += [written(other) for other in OPTIONS if other != option or option == "--anonymize"]
    for content in others:
        path.write_bytes(content)
        result = tripwire("log", TRIP, option, path)
        assert_failed(result, 1, f"{option} {path}: ",
                      hint=f"choose another path for {option}, or remove the existing file")
        assert path.read_bytes() == content
    for content in [b""] + [written(option)] * (option in REPLACING):
        path.write_bytes(content)
        assert tripwire("log", TRIP, option, path).code == 0
        check_content(option, path.read_bytes())
    assert list(tmp_path.iterdir()) == [path]


def test_recordings_of_a_pattern_are_not_replaced(tmp_path):
    """`--map *.binlog` names the first file as the output."""
    for name in "abc":
        shutil.copy(TRIP, tmp_path / f"{name}.binlog")
    for option in OPTIONS + ["--mapping"]:
        others = ["--anonymize", tmp_path / "copy"] if option == "--mapping" else []
        result = tripwire("log", option, *sorted(tmp_path.glob("*.binlog")), *others)
        assert_failed(result, 1, f"{option} {tmp_path / 'a.binlog'}: ",
                      hint=f"choose another path for {option}, or remove the existing file")
    assert all(path.read_bytes() == TRIP.read_bytes() for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("name", ["./out", "link", "folder/../out"])
def test_two_outputs_are_not_one_file(name, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("out")
    done = run("log", TRIP, "--anonymize", "out", "--mapping", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, (
        f"error: --mapping {name}: the same file as --anonymize\n"
        "hint: choose another path for --mapping\n"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", OPTIONS)
def test_folders_and_disks_are_not_written(option, tmp_path):
    assert_failed(tripwire("log", TRIP, option, tmp_path), 1,
                  error=f"{option} {tmp_path}: Is a directory", hint=f"choose another path for {option}")
    assert_failed(tripwire("log", TRIP, option, "/dev/full"), 1, "No space left on device")
    assert tripwire("log", TRIP, option, "/dev/null").code == 0


# MARK: Pipes and descriptors


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("path", ["-", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_output_to_stdout_is_written_through(option, path, tmp_path):
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    done = run("log", TRIP, option, path, cwd=tmp_path)
    assert done.returncode == 0
    name = "stdout" if path == "-" else path
    assert done.stderr.splitlines()[-1].startswith(f"{name}: ")
    check_content(option, done.stdout)
    # To a file it is appended, because other programs of a script write there, too.
    with open(tmp_path / "file", "wb") as stdout:
        stdout.write(b"before\n")
        stdout.flush()
        assert run("log", TRIP, option, path, cwd=tmp_path, stdout=stdout).returncode == 0
    content = (tmp_path / "file").read_bytes()
    assert content.startswith(b"before\n")
    check_content(option, content.removeprefix(b"before\n"))
    assert (tmp_path / "link").is_symlink() and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("option", OPTIONS)
def test_link_to_stdout_stays_when_its_file_is_removed(option, tmp_path):
    """Root would replace /dev/stdout otherwise."""
    link, path = tmp_path / "link", tmp_path / "file"
    link.symlink_to("/proc/self/fd/1")
    with open(path, "w+b") as stdout:
        path.unlink()
        assert run("log", TRIP, option, link, stdout=stdout).returncode == 0
        stdout.seek(0)
        check_content(option, stdout.read())
    assert os.readlink(link) == "/proc/self/fd/1" and list(tmp_path.iterdir()) == [link]


@pytest.mark.parametrize("option", OPTIONS)
def test_removed_file_of_another_process_is_not_replaced(option, tmp_path):
    with open(tmp_path / "file", "w+b") as file:
        (tmp_path / "file").unlink()
        path = f"/proc/{os.getpid()}/fd/{file.fileno()}"
        assert_failed(tripwire("log", TRIP, option, path), 1, "No such file or directory")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS + ["--mapping"])
def test_fifo_gets_the_output(option, tmp_path):
    pipe, packed = tmp_path / "pipe", tmp_path / "out.gz"
    os.mkfifo(pipe)
    others = ["--anonymize", tmp_path / "copy"] if option == "--mapping" else []
    # The command waits until the pipe is read.
    process = start("log", TRIP, option, pipe, *others)
    with open(pipe, "rb") as written, open(packed, "wb") as file:
        subprocess.run(["gzip"], stdin=written, stdout=file, check=True, timeout=LONGEST)
    assert process.wait(LONGEST) == 0
    content = gzip.decompress(packed.read_bytes())
    if option == "--mapping":
        assert all(json.loads(line) for line in content.splitlines()) and content
    else:
        check_content(option, content)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_process_substitution_gets_the_output(tmp_path):
    script = '"$0" log "$1" --export-cloud-logging >(jq length >"$2")'
    subprocess.run(["bash", "-c", script + "; wait $!", binary(), TRIP, tmp_path / "count"],
                   check=True, timeout=LONGEST, env=environment(), capture_output=True)
    assert int((tmp_path / "count").read_text()) > 10


@pytest.mark.parametrize("option", OPTIONS)
def test_unwritable_descriptors_are_reported(option, tmp_path):
    for path in "/dev/fd/77", "/dev/fd/0":
        with open(TRIP.parent / "demo.binlog", "rb") as stdin:
            done = run("log", TRIP, option, path, stdin=stdin)
        assert (done.returncode, done.stderr) == (
            1, f"error: {option} {path}: Bad file descriptor\nhint: choose another path for {option}\n")


@pytest.mark.parametrize("option", OPTIONS)
def test_closed_pipe_ends_the_command_silently(option):
    reader, writer = os.pipe()
    os.close(reader)
    done = run("log", TRIP, option, "-", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("option", OPTIONS)
def test_longest_name_is_possible(option, tmp_path):
    path = tmp_path / ("a" * 255)
    assert tripwire("log", TRIP, option, path).code == 0
    assert list(tmp_path.iterdir()) == [path]
    assert_failed(tripwire("log", TRIP, option, tmp_path / ("a" * 256)), 1, "File name too long")
    for name in "", "folder/":
        assert_failed(tripwire("log", TRIP, option, name), 2, "expected the path of a file")


@pytest.mark.parametrize("option", OPTIONS)
def test_full_disk_leaves_no_file(option, tmp_path):
    path = tmp_path / "out"
    done = subprocess.run(
        ["prlimit", "--fsize=1000", binary(), "log", TRIP, option, path], capture_output=True,
        text=True, timeout=LONGEST, env=environment())
    assert (done.returncode, done.stderr) == (
        1, f"error: {option} {path}: File too large\nhint: check the file system of this file\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", OPTIONS)
def test_missing_recording_leaves_no_file(option, tmp_path):
    result = tripwire("log", tmp_path / "none.binlog", option, tmp_path / "out")
    assert_failed(result, 1, "No such file or directory")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["leaflet.js", "leaflet.css"])
def test_files_of_leaflet_are_not_replaced(tmp_path, name):
    for each in "leaflet.js", "leaflet.css":
        (tmp_path / each).write_text("/* Leaflet */")
    path = tmp_path / name
    result = tripwire("log", TRIP, "--leaflet", tmp_path, "--map", path)
    assert_failed(result, 1, f"--map {path}: the existing file is not a map page, and is not replaced")
    assert path.read_text() == "/* Leaflet */"
