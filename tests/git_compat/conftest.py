"""Repositories made by git itself and a server for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from octavo.gateways.addresses import Guard
from tests.git_compat.server import Served, git, require_git, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    require_git()
    root = tmp_path / "served"
    root.mkdir()
    with serving(root) as running:
        yield running


@pytest.fixture
def guard() -> Guard:
    return Guard(allow_hosts=frozenset({"127.0.0.1"}))


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    directory = tmp_path / "packs"
    directory.mkdir()
    return directory


Make = Callable[..., Path]


@pytest.fixture
def make(served: Served, tmp_path: Path) -> Make:
    """make(name, files) -> a work tree with one commit on `main`, published by `publish`."""

    def build(name: str, files: dict[str, bytes]) -> Path:
        work = tmp_path / "work" / name
        work.mkdir(parents=True)
        git(work, "init", "-q", "-b", "main")
        for path, content in files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_bytes(content)
        git(work, "add", "-A")
        git(work, "commit", "-q", "--allow-empty", "-m", "First words")
        return work

    return build


@pytest.fixture
def publish(served: Served) -> Callable[[Path], str]:
    """publish(work) -> the name under which the server now has a bare copy."""

    def copy(work: Path) -> str:
        name = f"{work.name}.git"
        git(served.root, "clone", "-q", "--bare", str(work), name)
        return name

    return copy
