"""What stays of a repository between fetches: less is sent, and nothing is lost with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.gateways import git_kept
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import Refused
from octavo.gateways.git import clone
from octavo.gateways.git_changes import modified
from octavo.gateways.git_push import Person, branch
from octavo.gateways.packs import Malformed
from octavo.gateways.snapshots import Limits, Snapshot
from tests.git_compat.server import Served, git

FILES = {f"docs/{n}/page.md": f"# Page {n}\n\n{'words ' * n}\n".encode() for n in range(30)}
ADA = Person("Ada", "ada@example.test")


class Reader:
    """Clones one repository again and again, and counts the bytes that come."""

    def __init__(self, served: Served, folder: Path, guard: Guard, name: str) -> None:
        self.served, self.folder, self.guard = served, folder, guard
        self.kept = folder / "kept" / "space" / "repository"
        self.url = served.url(name)
        self.bare = served.root / name
        self.received = 0

    def clone(self, url: str = "", **limits: int) -> Snapshot:
        self.received = 0
        where = self.folder / str(len(list(self.folder.iterdir())))
        where.mkdir()
        return clone(
            url or self.url,
            "main",
            where,
            limits=Limits(**limits),
            guard=self.guard,
            kept=self.kept,
            progress=self._heard,
        )

    def _heard(self, word: str, count: int) -> None:
        self.received = count if word == "receiving" else self.received


@pytest.fixture
def work(make: Callable[..., Path]) -> Path:
    return make("docs", FILES)


@pytest.fixture
def reader(served: Served, packs: Path, guard: Guard, work: Path, publish: Callable[[Path], str]) -> Reader:
    return Reader(served, packs, guard, publish(work))


def _commit(work: Path, reader: Reader, files: dict[str, bytes]) -> str:
    for name, content in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(content)
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "More")
    git(work, "push", "-q", "-f", str(reader.bare), "HEAD:main")
    return git(work, "rev-parse", "HEAD").decode().strip()


def _read(snapshot: Snapshot) -> dict[str, bytes]:
    with snapshot:
        return {path: snapshot.read(path) for path in snapshot.paths()}


def test_only_what_is_new_is_sent(work: Path, reader: Reader) -> None:
    assert _read(reader.clone()) == FILES
    first = reader.received
    assert _read(reader.clone()) == FILES
    assert reader.received == 0, "the commit is known"
    _commit(work, reader, {"docs/3/page.md": b"# Other\n"})
    assert _read(reader.clone()) == FILES | {"docs/3/page.md": b"# Other\n"}
    assert 0 < reader.received < first / 3


def test_what_was_pushed_is_not_fetched(reader: Reader) -> None:
    git(reader.bare, "config", "http.receivepack", "true")
    folder = reader.folder / "push"
    folder.mkdir()
    with branch(
        reader.url,
        "refs/heads/main",
        folder,
        limits=Limits(),
        guard=reader.guard,
        progress=reader._heard,
        kept=reader.kept,
    ) as found:
        made = found.commit({"docs/new.md": b"# New\n"}, "Words", ADA, ADA, 1_700_000_000_000)
        assert made is not None
        found.push(made)
    assert _read(reader.clone()) == FILES | {"docs/new.md": b"# New\n"}
    assert reader.received == 0


def test_history_that_was_rewritten(work: Path, reader: Reader) -> None:
    _read(reader.clone())
    git(work, "checkout", "-q", "--orphan", "other")
    _commit(work, reader, {"docs/3/page.md": b"# Rewritten\n"})
    assert _read(reader.clone())["docs/3/page.md"] == b"# Rewritten\n"


def test_it_may_be_removed_broken_and_used_by_somebody_else(work: Path, reader: Reader) -> None:
    _read(reader.clone())
    held = git_kept.opened(reader.kept)
    assert held is not None
    assert _read(reader.clone()) == FILES, "somebody else has it: all is fetched"
    assert reader.received
    held.close()
    [places] = reader.kept.glob("*.places")
    places.unlink()
    assert _read(reader.clone()) == FILES, "half of it is gone"
    [pack] = reader.kept.glob("*.pack")
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes()[:60])
    with pytest.raises(Malformed):
        _read(reader.clone())
    git_kept.trim(reader.kept.parent.parent, 0)
    assert not reader.kept.exists()
    assert _read(reader.clone()) == FILES


def test_what_is_kept_opens_no_door(work: Path, reader: Reader, served: Served) -> None:
    served.password = "ada:s3cret"
    _read(reader.clone(served.url("docs.git", "ada:s3cret")))
    with pytest.raises(Refused, match="asks for a user"):
        reader.clone()


def test_many_small_packs_become_one(work: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_kept, "PACKS", 2)
    for n in range(4):
        _commit(work, reader, {"docs/3/page.md": b"# %d\n" % n})
        assert _read(reader.clone())["docs/3/page.md"] == b"# %d\n" % n
    assert len(list(reader.kept.glob("*.pack"))) <= 3


def test_the_least_used_goes_first(tmp_path: Path) -> None:
    for n, name in enumerate(("old", "new")):
        kept = git_kept.opened(tmp_path / "space" / name)
        assert kept is not None
        base = tmp_path / "incoming"
        for ending in (".pack", ".idx"):
            base.with_suffix(ending).write_bytes(b"x" * 1000)
        kept.add(base, [], b"1" * 40)
        kept.close()
        known = tmp_path / "space" / name / "known.json"
        import os

        os.utime(known, (n + 1, n + 1))
    git_kept.trim(tmp_path, 3000)
    assert [path.name for path in (tmp_path / "space").iterdir()] == ["new"]


def test_modified_files_and_nothing_else(work: Path, reader: Reader) -> None:
    (work / "docs" / "run.sh").write_bytes(b"#!\n")
    first = _commit(work, reader, {"top.md": b"# Top\n"})
    _read(reader.clone())
    second = _commit(work, reader, {"docs/3/page.md": b"# Other\n", "top.md": b"# Other\n"})
    with reader.clone() as snapshot:
        assert modified(snapshot, first) == ["docs/3/page.md", "top.md"]
        assert modified(snapshot, first, "docs") == ["3/page.md"]
        assert modified(snapshot, first, "elsewhere") is None
        assert modified(snapshot, second) == []
        assert modified(snapshot, first, most=1) is None
        assert modified(snapshot, "1" * 40) is None
    git(work, "mv", "top.md", "moved.md")
    _commit(work, reader, {})
    with reader.clone() as snapshot:
        assert modified(snapshot, second) is None
    third = _commit(work, reader, {"docs/3/page.md": b"x" * 200})
    _commit(work, reader, {"docs/3/page.md": b"x" * 20_000})
    with reader.clone(file_bytes=1000) as snapshot:
        assert modified(snapshot, third) is None, "a file too large to be offered has gone"
