"""PostgreSQL's own programs, to which a password is told by their environment: command lines are for everybody to read."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from octavo.kernel.errors import NotInstalled, Unavailable

_MIGRATION = re.compile(r" TABLE DATA \S+ alembic_version ")
"""How the list of what a dump holds names the row that says its migration."""


async def dump(url: str, target: Path) -> None:
    """Write a database to a file."""
    await _run("pg_dump", url, "--format=custom", f"--file={target}")


async def load(url: str, source: Path, *, held: bool = False) -> None:
    """Fill an empty database: with everything, or with nothing. One that is `held` does not say its migration, so that nobody
    opens it until it does."""
    chosen = []
    if held:
        listed = await _run("pg_restore", None, "--list", str(source))
        wanted = source.with_suffix(".list")
        wanted.write_text("\n".join(line for line in listed.splitlines() if not _MIGRATION.search(line)))
        chosen = [f"--use-list={wanted}"]
    await _run("pg_restore", url, "--no-owner", "--no-privileges", "--single-transaction", *chosen, str(source))


def without_password(url: str) -> tuple[str, str | None]:
    """The address of a database that may be shown, and its password.

    >>> without_password("postgresql://ada:a%40b@db.example/octavo?sslmode=require")
    ('postgresql://ada@db.example/octavo?sslmode=require', 'a@b')
    >>> without_password("postgresql://db.example/octavo?password=secret")
    ('postgresql://db.example/octavo', 'secret')
    """
    parts = urlsplit(url)
    login, at, hosts = parts.netloc.rpartition("@")
    user, colon, password = login.partition(":")
    query = parse_qsl(parts.query, keep_blank_values=True)
    named = [value for name, value in query if name == "password"]
    rest = urlencode([pair for pair in query if pair[0] != "password"])
    shown = urlunsplit(parts._replace(netloc=f"{user}{at}{hosts}", query=rest))
    return shown, named[-1] if named else unquote(password) if colon else None


async def _run(program: str, url: str | None, *arguments: str) -> str:
    """What it prints; `url` is the database that it works on."""
    if shutil.which(program) is None:
        raise NotInstalled(
            f"{program} is needed for this and was not found; it comes with PostgreSQL's client programs"
        )
    shown, password = without_password(url) if url else (None, None)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")}
    if password is not None:
        environment["PGPASSWORD"] = password
    done = await asyncio.to_thread(
        subprocess.run,
        [program, *arguments, *([f"--dbname={shown}"] if shown else [])],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise Unavailable(f"{program} failed: {said[-1] if said else 'without a word'}")
    return done.stdout
