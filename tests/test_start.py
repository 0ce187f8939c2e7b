"""A first start: what its first reply needs is imported, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.processes import ENVIRONMENT, bootstrap

DEAR = (
    # To bring a database up to date; an empty one needs neither.
    "alembic", "sqlalchemy", "mako",
    # Drawing, parsing, highlighting, other databases, parties outside: each with the first that asks for it.
    "typst", "markdown_it", "pygments.lexer", "jinja2", "babel", "lxml", "pikepdf", "xmlsec", "dulwich", "asyncpg",
    "httpx2", "aiosmtplib", "email.message", "http.client", "cryptography.fernet", "http.cookies",
    "importlib.metadata", "jwt", "imagesize", "filetype", "math_core", "Stemmer",
    "duckdb", "sqlglot", "ua_parser", "maxminddb", "h3",
)  # fmt: skip
"""Libraries that no start pays for."""

_FIRST_REPLY = """
import asyncio, pathlib, sys
import octavo.cli, octavo.serving
from octavo.kernel.settings import load
from octavo.main import App, open_house

async def reply():
    said = []
    async def send(message): said.append(message)
    async def receive(): return {"type": "http.request", "body": b"", "more_body": False}
    scope = {"type": "http", "method": "GET", "path": "/v1/user", "raw_path": b"/v1/user", "query_string": b"",
             "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "scheme": "http", "http_version": "1.1"}
    async with open_house(load({}, data=pathlib.Path(sys.argv[1])), base="http://localhost", makes=True) as house:
        await App(house, works=True)(scope, receive, send)
    return said[0]["status"]

print(asyncio.run(reply()), *sys.modules)
"""


def test_what_is_dear_to_load_waits_until_somebody_asks(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_REPLY, str(tmp_path)],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=True,
    )
    status, *loaded = done.stdout.split()
    assert status == "401"
    assert (tmp_path / "octavo.db").exists()
    assert {*DEAR} & {*loaded} == set()


_SERVES = """
import gc, sys
import octavo.serving
from octavo.cli import main

async def serve(self, sockets):
    print(gc.isenabled(), gc.get_freeze_count() > 10_000)

octavo.serving._Server.serve = serve
main(["serve", "--data", sys.argv[1], "--port", "0"], standalone_mode=False)
"""


def test_garbage_is_collected_as_soon_as_it_serves(tmp_path: Path) -> None:
    bootstrap(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", _SERVES, str(tmp_path)], capture_output=True, text=True, env=ENVIRONMENT, check=True
    )
    assert done.stdout.splitlines()[-1] == "True True"
