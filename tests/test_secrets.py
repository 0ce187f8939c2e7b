"""Secrets are shown once: no log line, error body, job record, backup or row of the database has one in clear."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.gateways.fakes import FakeMail
from octavo.logs import Lines
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.statement import Statement
from octavo.store.schema import tables as schema
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.console.browsing import PASSWORD, Browser, account, browser, cookies_of, mailing
from tests.processes import ran

TYPED = "what-was-typed-as-password-4711"
CREDENTIAL = "hunter2-of-the-repository"


class Kept(logging.Handler):
    """Every line as it would be written, whatever its level."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.setFormatter(Lines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def log() -> Iterator[Kept]:
    kept, root, own = Kept(), logging.getLogger(), logging.getLogger("octavo")
    before = root.level, own.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    own.setLevel(logging.DEBUG)
    yield kept
    root.removeHandler(kept)
    root.setLevel(before[0])
    own.setLevel(before[1])


class Walk:
    """What a day brings, with every secret that was issued or typed on the way, and every body that was a refusal."""

    def __init__(self, world: World, box: FakeMail) -> None:
        self.world = world
        self.box = box
        self.secrets: dict[str, str] = {"the password": PASSWORD, "a typed password": TYPED, "of Git": CREDENTIAL}
        self.refusals: list[bytes] = []

    def saw(self, reply: Reply) -> Reply:
        if reply.status >= 400:
            self.refusals.append(reply.body + str(reply.headers).encode())
        return reply

    def kept(self, what: str, secret: str) -> str:
        assert len(secret) >= 8
        self.secrets[what] = secret
        return secret

    def over_the_api(self) -> None:
        api, saw = self.world.api, self.saw
        self.kept("the first token", api.token or "")
        made = saw(api.post("/v1/user/tokens", {"label": "walk", "scopes": ["space:read", "user:read"]})).json
        token = self.kept("a token", made["token"])
        for method, path, body in (
            ("GET", "/v1/user", None), ("GET", "/v1/user/tokens", None), ("POST", "/v1/orgs", {"title": "Refused"}),
            ("POST", "/v1/user/tokens", {"scopes": ["space:write"]}), ("GET", f"/v1/user/tokens/{token}", None),
            ("DELETE", f"/v1/user/tokens/{token}", None), ("GET", f"/v1/spaces/{token}", None),
            ("GET", f"/v1/nothing/{token}", None), ("DELETE", f"/v1/user/tokens/{made['id']}", None),
            ("GET", "/v1/user", None), ("POST", "/v1/user/tokens", None),
        ):  # fmt: skip
            saw(api.request(method, path, body, token=token))
        saw(api.post("/v1/user/tokens", {"label": 3}, token=api.token))
        space = self.world.space()["id"]
        url = f"https://bot:{CREDENTIAL}@git.octavo.test/docs.git"
        saw(api.post(f"/v1/spaces/{space}/git/import", {"url": url, "ref": "main"}))
        self.world.work()
        saw(api.get(f"/v1/spaces/{space}/git/info"))

    def invites(self) -> None:
        path = f"/v1/orgs/{self.world.organization}/invites"
        reply = self.saw(self.world.api.post(path, {"emails": ["grace@octavo.test"], "role": "read"}))
        assert reply.status == 200, reply.text
        self.world.work()
        [letter] = [one for one in self.box.sent if one.to == "grace@octavo.test"]
        found = re.search(r"https?://\S+/([\w-]{40,})", letter.text)
        assert found is not None, letter.text
        self.kept("an invitation", found[1])

    def in_a_browser(self) -> None:
        world, saw = self.world, self.saw
        one, email = browser(world), account(world)
        saw(one.sign_in(email, TYPED))
        saw(one.sign_in(TYPED, TYPED))
        saw(one.sign_in(email))
        self._browser("signed in by password", one)
        self._token(one)
        saw(one.post("/account/tokens", {"scope": "no:scope"}))
        saw(one.post("/account/tokens", {"label": "x"}, word="forged"))
        other = browser(world)
        other.get("/login")
        saw(other.post("/login/ask", {"email": email}))
        world.work()
        letter = [one for one in self.box.sent if one.to == email][-1]
        found = re.search(r"^ {4}(\d{4}) (\d{4})$", letter.text, re.MULTILINE)
        assert found is not None
        self.kept("a code", found[1] + found[2])
        self.kept("a code as it is written", f"{found[1]} {found[2]}")
        other.get("/login/code")
        saw(other.post("/login/code", {"code": "12345678x"}))
        saw(other.post("/login/code", {"code": found[1] + found[2]}))
        self._browser("signed in by code", other)
        one.get("/logout")
        saw(one.post("/logout", {"everywhere": "1"}))
        saw(one.get("/account/tokens"))

    def _browser(self, what: str, one: Browser) -> None:
        for name, value in one.cookies.items():
            self.kept(f"{name} of a browser {what}", value)

    def _token(self, one: Browser) -> None:
        one.get("/account/tokens")
        reply = one.post("/account/tokens", {"label": "Page", "days": "30"})
        for name, value, _ in cookies_of(reply):
            self.kept(f"{name}, sealed", value)
        found = re.search(r'id="secret"[^>]*>([^<]+)<', one.get("/account/tokens").text)
        assert found is not None
        self.kept("a token of the page", found[1])

    def found_in(self, texts: Any) -> list[tuple[str, str]]:
        """(secret, beginning of the text) of every text that has a secret in clear."""
        return [
            (what, str(text)[:300]) for text in texts for what, secret in self.secrets.items() if secret in str(text)
        ]


async def _rows(at: Connection) -> list[str]:
    found: list[str] = []
    for table in schema.metadata.tables:
        rows = await at.rows(Statement(f'SELECT * FROM "{table}"'), {})
        found.extend(f"{table}: {[_text(value) for value in row]}" for row in rows)
    return found


def _text(value: Any) -> Any:
    return bytes(value).decode("latin-1") if isinstance(value, bytes | memoryview) else value


def test_a_walk_leaves_no_secret_behind(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop, log: Kept
) -> None:
    with mailing(engine, clock, memory_folder, loop) as (world, box):
        walk = Walk(world, box)
        walk.over_the_api()
        walk.invites()
        walk.in_a_browser()
        assert len(walk.secrets) >= 12, walk.secrets
        assert len(walk.refusals) >= 10
        assert walk.found_in(log.lines) == []
        assert walk.found_in(text.decode("latin-1") for text in walk.refusals) == []
        rows = world.run(engine.read(_rows))
        assert [row for row in rows if row.startswith("jobs:")]
        assert walk.found_in(rows) == []


def test_the_search_would_find_one(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop, log: Kept
) -> None:
    with mailing(engine, clock, memory_folder, loop) as (world, box):
        walk = Walk(world, box)
        secret = walk.kept("planted", "a-planted-secret-4711")
        logging.getLogger("octavo.api").debug("planted", extra={"header": f"Bearer {secret}"})
        world.space(title=secret)
        assert walk.found_in(log.lines)
        assert walk.found_in(world.run(engine.read(_rows)))


def _octavo(data: Path, *words: str, typed: str | None = None) -> tuple[dict[str, Any], str]:
    done = ran(*words, "--data", data, typed=typed or "", OCTAVO_LOG_LEVEL="debug")
    last = done.stdout.splitlines()[-1:] if done.returncode == 0 else []
    return (json.loads(last[0]) if last else {}), done.stderr


def test_the_command_line_and_a_backup_have_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_LOG_LEVEL", "debug")
    data, file = tmp_path / "data", tmp_path / "backup.tar"
    mail = ("--email", "ada@octavo.test")
    admin, said = _octavo(data, "bootstrap", *mail, "--name", "Ada", "--organization", "Walk")
    told = [said]
    secrets = {admin["token"], PASSWORD, "short", TYPED}
    for words, typed in (
        (("user", "create", "--email", "bob@octavo.test", "--name", "Bob", "--organization", admin["organization"],
          "--role", "read"), None),
        (("token", "create", *mail, "--label", "x", "--days", "3", "--scope", "space:read"), None),
        (("token", "create", *mail, "--scope", "no:scope"), None),
        (("user", "password", *mail), PASSWORD + "\n"),
        (("user", "password", *mail), "short\n"),
        (("user", "password", "--email", "nobody@octavo.test"), TYPED + "\n"),
        (("token", "list", *mail), None),
        (("token", "revoke", admin["token"]), None),
        (("user", "sign-out", *mail), None),
        (("backup", str(file)), None),
    ):  # fmt: skip
        made, said = _octavo(data, *words, typed=typed)
        told.append(said)
        if words[:2] != ("token", "create") and words[:2] != ("user", "create"):
            told.append(json.dumps(made))
        if "token" in made:
            secrets.add(made["token"])
    assert len(secrets) == 6
    secrets.remove("short")
    with tarfile.open(file) as tar:
        names = tar.getnames()
        parts = [(tar.extractfile(name) or io.BytesIO()).read() for name in names if tar.getmember(name).isfile()]
    assert "octavo.db" in names
    parts += [path.read_bytes() for path in data.rglob("*") if path.is_file()]
    clear = [
        secret for secret in secrets for part in (*parts, *(line.encode() for line in told)) if secret.encode() in part
    ]
    assert clear == []
