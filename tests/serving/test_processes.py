"""A server as a process: where it runs, who else may, what others may read, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from octavo.store import directory
from tests.processes import ENVIRONMENT, OCTAVO, bootstrap, get, octavo, serving


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    """A typo of a path is told, and leaves nothing behind."""
    data = tmp_path / "typo"
    (tmp_path / "README.md").write_text("# Terns\n")
    commands = (
        ("migrate",), ("import", tmp_path, "--organization", "x"), ("token", "list", "--email", "a@b.example"),
        ("user", "create", "--email", "a@b.example", "--name", "A", "--organization", "x", "--role", "read"),
    )  # fmt: skip
    for command in commands:
        said = octavo(*command, "--data", data, fails=True)
        assert f"no installation of Octavo in {data}" in said, command
        assert not data.exists()
    data.mkdir()
    (data / "octavo.db").touch()
    assert "no installation" in octavo("migrate", "--data", data, fails=True)
    assert (data / "octavo.db").stat().st_size == 0


def test_a_first_server_makes_its_data_and_prints_where_to_begin(tmp_path: Path) -> None:
    data, ways = tmp_path / "new" / "data", []
    for _ in range(2):
        with serving(data) as (process, base):
            assert process.stdout is not None
            assert str(data) in process.stdout.readline(), "a typo is seen"
            ways.append(process.stdout.readline().strip().partition("/setup/")[2])
            status, page = get(f"{base}/setup/{ways[-1]}")
            assert (status, b"Name of the organization" in page) == (200, True)
            assert b"has no organization yet" in get(f"{base}/")[1]
    assert ways[0] == ways[1]
    bootstrap(data)
    with serving(data) as (process, base):
        assert get(f"{base}/setup/{ways[0]}")[0] == 404
        assert get(f"{base}/setup")[0] == 404


def test_a_place_that_cannot_be_a_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ("--email", "a@b.example", "--name", "A", "--organization", "Acme")
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        said = octavo("bootstrap", "--data", data, *words, fails=True)
        assert said.startswith(f"Error: {data} cannot be the data directory: ")
        assert len(said.splitlines()) == 1
    bootstrap(tmp_path / "data")
    (tmp_path / "data" / "blobs").rmdir()
    (tmp_path / "data" / "blobs").touch()
    assert "cannot hold files" in octavo("serve", "--data", tmp_path / "data", fails=True)


def test_the_data_is_its_owner_s_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    bootstrap(data)
    with serving(data):
        assert _open_to_others(data) == []
    octavo("backup", tmp_path / "a.tar", "--data", data)
    assert _open_to_others(tmp_path / "a.tar") == []


def test_what_was_open_to_others_is_closed_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    bootstrap(data)
    data.chmod(0o755)
    (data / "octavo.db").chmod(0o644)
    (data / "blobs").chmod(0o777)
    octavo("migrate", "--data", data)
    assert _open_to_others(data) == []


def test_a_directory_with_other_things_in_it_is_left_open(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "others").mkdir(mode=0o755)
    bootstrap(tmp_path)
    assert _open_to_others(tmp_path) == [tmp_path, tmp_path / "others"]


def _open_to_others(place: Path) -> list[Path]:
    found = [place, *place.rglob("*")]
    return sorted(path for path in found if stat.S_IMODE(path.stat().st_mode) & directory.PRIVATE)


def test_a_file_has_one_server(tmp_path: Path) -> None:
    made = bootstrap(tmp_path)
    with serving(tmp_path) as (process, base):
        said = octavo("serve", "--data", tmp_path, "--port", "0", fails=True)
        assert f"another server (process {process.pid})" in said
        assert "one command beside it" not in said
        assert bootstrap(tmp_path)["organization"] == made["organization"]
        assert get(base + "/readyz")[0] == 200
        process.kill()
        process.wait(20)
    with serving(tmp_path) as (_, base):
        assert get(base + "/readyz")[0] == 200


def test_it_says_that_it_goes_before_it_takes_no_more(tmp_path: Path) -> None:
    bootstrap(tmp_path)
    with serving(tmp_path, "--drain", "60") as (process, base):
        assert get(base + "/readyz")[0] == 200
        process.send_signal(signal.SIGTERM)
        status = 200
        while status == 200:
            status, body = get(base + "/readyz")
        assert (status, json.loads(body)) == (503, {"status": "unavailable", "server": "it is being stopped"})
        assert get(base + "/healthz")[0] == 200
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be told to take no more connections")
def test_nobody_who_was_let_in_is_reset(tmp_path: Path) -> None:
    """Connections keep coming while the server ends: each is answered, or refused from the start."""
    bootstrap(tmp_path)
    broken: list[str] = []
    answered = threading.Semaphore(0)

    def connect(port: int) -> None:
        while True:
            try:
                client = socket.create_connection(("127.0.0.1", port), timeout=20)
            except OSError:
                return
            with client:
                try:
                    client.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
                    if not client.recv(100).startswith(b"HTTP/1.1 200 "):
                        broken.append("closed without an answer")
                except OSError as error:
                    broken.append(repr(error))
            answered.release()

    with serving(tmp_path) as (process, base):
        threads = [threading.Thread(target=connect, args=(int(base.rsplit(":", 1)[1]),)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(200):
            assert answered.acquire(timeout=20)
        process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join(60)
        assert process.wait(20) == 0
    assert broken == []


def test_it_tells_when_it_begins_and_ends_and_whom_it_answered(tmp_path: Path) -> None:
    bootstrap(tmp_path)
    with serving(tmp_path, "--access-log", stderr=subprocess.PIPE) as (process, base):
        get(base + "/healthz?q=secret")
        get(base + "/uploads/secret")
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=20)[1]
    lines = said.splitlines()
    assert "info octavo.serving serving" in lines[0]
    assert f'data="{tmp_path}"' in lines[0]
    assert "info octavo.access GET /healthz status=200" in lines[1]
    assert "info octavo.access GET /uploads/… status=405" in lines[2]
    assert [line.split()[3] for line in lines[3:]] == ["stopping", "stopped"]
    assert "secret" not in said


@pytest.mark.parametrize("ended", [False, True], ids=["killed", "alive"])
def test_folders_of_the_killed_are_swept_and_those_of_the_living_left(tmp_path: Path, ended: bool) -> None:
    bootstrap(tmp_path)
    with serving(tmp_path) as (process, _):
        [room] = [path for path in (tmp_path / directory.WORK).iterdir() if path.is_dir()]
        (room / "octavo-job-a").mkdir()
        if not ended:
            process.kill()
            process.wait(20)
        octavo("token", "list", "--data", tmp_path, "--email", "ada@example.test")
        assert room.exists() is ended


def test_help_is_asked_for_briefly(tmp_path: Path) -> None:
    for words in ([], ["serve"], ["user"], ["user", "list"], ["import"]):
        done = subprocess.run([*OCTAVO, *words, "-h"], capture_output=True, text=True, env=ENVIRONMENT, cwd=tmp_path)
        assert done.returncode == 0
        assert "Usage:" in done.stdout
        assert "..." not in done.stdout.split("Commands:")[-1] or "Commands:" not in done.stdout, done.stdout
    assert os.listdir(tmp_path) == []
