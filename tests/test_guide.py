"""The guide for operators, typed: every `octavo …` of its blocks is run, in an order in which somebody would need it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pyrage
import pytest

from tests.moving.databases import empty_postgres
from tests.processes import invoked
from tests.test_docs import TYPED

STAY = {"serve", "worker"}
"""Processes that do not end: tests/serving and tests/test_kills.py run these."""
PAGES = ("install", "login", "mail", "domains", "saml", "oidc", "backup", "upgrade")
"""The order of pages. Who has gone back to the first schema has nothing left to try."""
POSTGRES = "postgresql://octavo:secret@db.example.com/octavo"


def _read(said: str) -> Any:
    """The JSON of a command's last line; None where that is none."""
    line = said.strip().rpartition("\n")[2]
    return json.loads(line) if line.startswith("{") else None


class Typist:
    """Types what the guide says in a folder of its own, with what stands for somebody's names filled in."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder, database
        key = pyrage.x25519.Identity.generate()
        (folder / "backup-key.txt").write_text(f"{key}\n")
        self.names: dict[str, str] = {"age1": str(key.to_public())}

    def words(self, words: list[str]) -> list[str]:
        """The same words, of this installation."""
        return [self._word(words, at) for at in range(len(words))]

    def _word(self, words: list[str], at: int) -> str:
        word, names = words[at], self.names
        if words[at - 1] == "--organization" and word != "Example":
            return names["organization"]
        if words[:2] == ["site", "hostname"] and word == "ID":
            return names["site"]
        if word.startswith("age1"):
            return names["age1"]
        other = {"TOKEN_ID": names.get("token", ""), POSTGRES: self.database, "s3://octavo-files": "copied"}
        return other.get(word, word.replace("/var/lib/octavo", str(self.folder / "data")))

    def type(self, line: str) -> None:
        """One line, and what is learnt from its result."""
        words = TYPED[line]
        if words[0] == "restore":
            _renamed(self.folder / "restored")
        if words[0] == "transfer" and words[1] == POSTGRES:
            _renamed(self.folder / "data" / "octavo.db")
        variables = {"OCTAVO_DATA": str(self.folder / "data")}
        done = invoked(*self.words(words), typed="a password of some length\n", **variables)
        assert done.exit_code == 0, f"{line}: {done.output} {done.exception!r}"
        told = _read(done.stdout)
        if words[:1] == ["bootstrap"]:
            self.names["organization"] = told["organization"]
        if words[:2] == ["token", "list"]:
            self.names["token"] = told["tokens"][0]["id"]


def _renamed(path: Path) -> None:
    """Away with what an earlier command made, as the page says."""
    if path.exists():
        path.rename(path.with_name(f"{path.name}-{len(list(path.parent.iterdir()))}"))


def test_every_command_of_the_guide_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: asyncio.AbstractEventLoop
) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "pages"
    page.mkdir()
    (page / "README.md").write_text("# Terns\n")
    lines = sorted(TYPED, key=lambda line: PAGES.index(line.partition(".")[0]))
    first = next(line for line in lines if " bootstrap " in line)
    lines.sort(key=lambda line: line != first)
    with empty_postgres(loop) as database:
        typist = Typist(tmp_path, database)
        for line in lines:
            if TYPED[line][0] in STAY:
                continue
            if TYPED[line][:2] == ["site", "hostname"]:
                made = invoked("import", page, "--publish", "--organization", typist.names["organization"],
                               OCTAVO_DATA=str(tmp_path / "data"))  # fmt: skip
                typist.names["site"] = _read(made.stdout)["site"]
            typist.type(line)
