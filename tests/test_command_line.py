"""The command line as other tools use it: real processes, the last line of output is one JSON object."""

from __future__ import annotations

import json
import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from octavo.store.database.sqlite import SqliteEngine
from tests.processes import bootstrap, get, octavo, serving


def test_bootstrap_works_before_and_beside_a_server_and_again(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    first = bootstrap(data)
    assert set(first) == {"organization", "user", "token"}
    with serving(data) as (_, base):
        assert get(base + "/healthz")[0] == 200
        assert get(base + "/readyz")[0] == 200
        again = bootstrap(data)
        assert (again["organization"], again["user"]) == (first["organization"], first["user"])
        assert again["token"] != first["token"]
        for token in (first["token"], again["token"]):
            status, body = get(base + "/v1/user", token)
            assert status == 200
            assert json.loads(body)["email"] == "Ada@Example.test"
        guest = octavo(
            "user", "create", "--data", data, "--email", "g@example.test", "--name", "Guest",
            "--organization", first["organization"], "--role", "guest",
        )  # fmt: skip
        assert set(guest) == {"user", "token"}
        assert json.loads(get(f"{base}/v1/orgs", guest["token"])[1])["count"] == 1
        assert get(f"{base}/v1/orgs/{first['organization']}/spaces", guest["token"])[0] == 200


def test_tokens_are_listed_without_secrets_and_revoked_at_once(tmp_path: Path) -> None:
    bootstrap(tmp_path)
    made = octavo("token", "create", "--data", tmp_path, "--email", "ada@example.test", "--label", "ci", "--days", "3")
    listed = octavo("token", "list", "--data", tmp_path, "--email", "ada@example.test")["tokens"]
    assert [token["label"] for token in listed] == ["bootstrap", "ci"]
    assert made["token"] not in json.dumps(listed)
    with serving(tmp_path) as (_, base):
        assert get(base + "/v1/user", made["token"])[0] == 200
        octavo("token", "revoke", "--data", tmp_path, made["id"])
        assert get(base + "/v1/user", made["token"])[0] == 401


def test_a_wrong_setting_is_refused_with_a_sentence_that_names_it(tmp_path: Path) -> None:
    """Every one of them is tried by `tests/kernel/test_settings.py`."""
    said = octavo("serve", "--data", tmp_path, fails=True, OCTAVO_DATABASE_URL="mysql://x")
    assert "OCTAVO_DATABASE_URL" in said


def test_wrong_words_are_told(tmp_path: Path) -> None:
    made = bootstrap(tmp_path)
    assert "nowhere" in octavo(
        "import", "nowhere", "--data", tmp_path, "--organization", made["organization"], fails=True
    )
    (tmp_path / "README.md").write_text("# Terns\n")
    assert "organization" in octavo("import", tmp_path, "--data", tmp_path, "--organization", "x", fails=True)
    assert "e-mail" in octavo(
        "bootstrap", "--data", tmp_path, "--email", "ada", "--name", "A", "--organization", "Acme", fails=True
    )
    assert "OCTAVO_DATABASE_URL" in octavo("worker", "--data", tmp_path, fails=True)


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = octavo("serve", "--data", tmp_path, "--port", port, fails=True)
        assert port in said
        assert "`--port`" in said
        assert port in octavo("serve", "--data", tmp_path, fails=True, OCTAVO_PORT=port)


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    (folder / ".gitbook" / "assets").mkdir(parents=True)
    (folder / ".gitbook" / "assets" / "note.txt").write_text("a note")
    (folder / "SUMMARY.md").write_text("* [Welcome](README.md)\n* [Guide](guide.md)\n")
    (folder / "README.md").write_text("# Welcome\n\nA zebra lives [here](guide.md).\n")
    (folder / "guide.md").write_text('# Guide\n\n{% file src=".gitbook/assets/note.txt" %}\n')
    return folder


def test_an_import_is_seen_backed_up_and_restored(tmp_path: Path, handbook: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    made = bootstrap(data)
    imported = octavo("import", handbook, "--data", data, "--organization", made["organization"], "--publish")
    assert (imported["pages"], imported["files"], imported["warnings"]) == (2, 1, 0)
    again = octavo(
        "import", handbook, "--data", data, "--organization", made["organization"], "--space", imported["space"]
    )
    assert again["revision"] == imported["revision"]
    with serving(data) as (_, base):
        octavo("backup", tmp_path / "backup.tar", "--data", data)
        page = get(f"{base}/sites/handbook/guide")[1]
    restored = octavo("restore", tmp_path / "backup.tar", "--data", copy)
    assert restored["blobs"] == 1
    assert "empty" in octavo("restore", tmp_path / "backup.tar", "--data", copy, fails=True)
    with serving(copy) as (_, base):
        status, body = get(f"{base}/sites/handbook/guide")
        assert status == 200
        assert b"note.txt" in body
        assert len(body) > 0.9 * len(page)
        pages = json.loads(get(f"{base}/v1/spaces/{imported['space']}/content/pages", made["token"])[1])["pages"]
        assert [entry["title"] for entry in pages] == ["Welcome", "Guide"]
        hits = get(f"{base}/v1/orgs/{made['organization']}/search?query=zebra", made["token"])[1]
        assert json.loads(hits)["count"] == 1


def test_requests_in_flight_are_finished_on_sigterm(tmp_path: Path) -> None:
    made = bootstrap(tmp_path)
    body = json.dumps({"title": "Written while closing"}).encode()
    with serving(tmp_path) as (process, base):
        host, port = base.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as flight:
            head = (
                f"POST /v1/orgs/{made['organization']}/spaces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
                f"authorization: Bearer {made['token']}\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            flight.sendall(head.encode() + body[:5])
            assert get(base + "/healthz")[0] == 200  # the server has seen the first half by now
            process.send_signal(signal.SIGTERM)
            flight.sendall(body[5:])
            assert flight.recv(4096).startswith(b"HTTP/1.1 201")
        assert process.wait(20) == 0


def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    made = bootstrap(tmp_path)
    url = f"/v1/orgs/{made['organization']}/spaces"
    with serving(tmp_path) as (process, base):
        kept = []
        for number in range(30):
            request = urllib.request.Request(
                base + url,
                json.dumps({"title": f"Space {number}"}).encode(),
                {"authorization": f"Bearer {made['token']}", "content-type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=20) as reply:
                kept.append(json.loads(reply.read())["id"])
        process.kill()
    with serving(tmp_path) as (_, base):
        listed = json.loads(get(base + url + "?limit=1000", made["token"])[1])
    assert {space["id"] for space in listed["items"]} == set(kept)


def test_a_backup_is_refused_where_it_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "no.tar").write_bytes(b"\0" * 10240)
    assert "no backup of Octavo" in octavo("restore", tmp_path / "no.tar", "--data", tmp_path / "data", fails=True)
    assert "no installation" in octavo("backup", tmp_path / "b.tar", "--data", tmp_path / "none", fails=True)


def test_the_engine_is_the_one_of_the_setting(tmp_path: Path) -> None:
    from octavo.kernel.settings import load
    from octavo.main import engine_of

    assert isinstance(engine_of(load({"OCTAVO_DATA": str(tmp_path)})), SqliteEngine)
