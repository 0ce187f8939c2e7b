"""Pushing to a real git server: what git then says of it, and what is never written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from octavo.gateways.addresses import Guard
from octavo.gateways.failures import Refused
from octavo.gateways.git_push import Branch, Moved, Person, branch
from octavo.gateways.snapshots import Limits
from tests.git_compat.server import Served, git

ADA, SERVICE = Person("Ada <b>", "ada@example.test"), Person("Octavo\n", "octavo@example.test")
FILES = {"README.md": b"# Hello\n", "docs/a.md": b"# A\n", "docs/run.sh": b"#!/bin/sh\n"}
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"


@contextmanager
def opened(url: str, packs: Path, guard: Guard, ref: str = "refs/heads/main") -> Iterator[Branch]:
    folder = packs / str(len(list(packs.iterdir())))
    folder.mkdir()
    with branch(url, ref, folder, limits=Limits(), guard=guard, progress=lambda word, count: None) as found:
        yield found


@pytest.fixture
def bare(served: Served, make, publish: Callable[[Path], str]) -> Path:
    work = make("docs", FILES)
    (work / "docs" / "run.sh").chmod(0o755)
    (work / "link").symlink_to("/etc")
    (work / "big.bin").write_bytes(POINTER)
    git(work, "add", "-A")
    git(work, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    git(work, "commit", "-q", "-m", "More")
    path = served.root / publish(work)
    git(path, "config", "http.receivepack", "true")
    return path


def _commit(found: Branch, changes: dict[str, bytes | None], message: str = "Words") -> str | None:
    return found.commit(changes, message, ADA, SERVICE, 1_700_000_000_000)


def _tree(bare: Path) -> dict[str, str]:
    rows = git(bare, "ls-tree", "-r", "main").decode().splitlines()
    return {row.split("\t")[1]: row.split()[0] for row in rows}


def test_a_commit_is_what_git_says(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    before = _tree(bare)
    with opened(served.url("docs.git"), packs, guard) as found:
        made = _commit(
            found, {"docs/run.sh": b"#!/bin/sh\nexit\n", "new/deep/b.md": b"# B\n", "README.md": None}, "Ä\n\nB"
        )
        assert made is not None
        found.push(made)
    git(bare, "fsck", "--strict", "--no-dangling")
    after = _tree(bare)
    assert after == {name: mode for name, mode in before.items() if name != "README.md"} | {"new/deep/b.md": "100644"}
    assert after["docs/run.sh"] == "100755"
    shown = git(bare, "show", "-s", "--format=%an|%ae|%cn|%ct|%B", "main").decode()
    assert shown.startswith("Ada b|ada@example.test|Octavo|1700000000|Ä\n\nB\n")


def test_nothing_to_change_is_no_commit(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    with opened(served.url("docs.git"), packs, guard) as found:
        assert _commit(found, {"README.md": FILES["README.md"]}) is None
        assert _commit(found, {"never/there.md": None}) is None


def test_a_branch_that_moved_is_not_overwritten(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    with opened(served.url("docs.git"), packs, guard) as late:
        with opened(served.url("docs.git"), packs, guard) as first:
            made = _commit(first, {"one.md": b"1"})
            assert made is not None
            first.push(made)
        other = _commit(late, {"two.md": b"2"})
        assert other is not None
        with pytest.raises(Moved):
            late.push(other)
    assert git(bare, "rev-parse", "main").decode().strip() == made


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("link", "symbolic link"),
        ("link/passwd", "symbolic link"),
        ("module", "submodule"),
        ("module/inside.md", "submodule"),
        ("docs", "folder"),
        ("docs/a.md/inside.md", "There is a file at docs/a.md"),
        (".git/hooks/pre-push", "not allowed"),
        ("docs/.GIT/config", "not allowed"),
        ("GIT~1/config", "not allowed"),
        ("../out.md", "not allowed"),
        ("readme.MD", "capital letters"),
        ("Docs/b.md", "capital letters"),
    ],
)
def test_hostile_places_are_never_written(
    served: Served, bare: Path, packs: Path, guard: Guard, path: str, said: str
) -> None:
    head = git(bare, "rev-parse", "main")
    with opened(served.url("docs.git"), packs, guard) as found, pytest.raises(Refused, match=said):
        _commit(found, {path: b"x"})
    assert git(bare, "rev-parse", "main") == head


def test_names_may_come_back_in_other_letters(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    before = _tree(bare)
    moved = {
        "README.md": None,
        "Readme.md": b"# Hello\n",
        "docs/a.md": None,
        "docs/run.sh": None,
        "Docs/a.md": b"# A\n",
    }
    with opened(served.url("docs.git"), packs, guard) as found:
        made = _commit(found, moved)
        assert made is not None
        found.push(made)
    git(bare, "fsck", "--strict", "--no-dangling")
    kept = {name: mode for name, mode in before.items() if name not in moved}
    assert _tree(bare) == kept | {"Readme.md": "100644", "Docs/a.md": "100644"}


def test_a_folder_takes_the_place_of_a_file_that_goes(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    with opened(served.url("docs.git"), packs, guard) as found:
        made = _commit(found, {"docs/a.md": None, "docs/a.md/b.md": b"# B\n"})
        assert made is not None
        found.push(made)
    assert "docs/a.md/b.md" in _tree(bare)


def test_large_file_pointers_stay_pointers(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    with opened(served.url("docs.git"), packs, guard) as found:
        assert found.files.read("big.bin") == POINTER
    assert not [path for path, _ in served.asked if "lfs" in path]


@pytest.mark.parametrize(
    "url", ["ext::sh -c id", "file:///etc", "--upload-pack=id", "ssh://git@example.test/a", "/etc"]
)
def test_other_protocols_are_refused(packs: Path, guard: Guard, url: str) -> None:
    with pytest.raises(Refused, match="not https"), opened(url, packs, guard):
        pass


def test_private_addresses_are_refused(served: Served, bare: Path, packs: Path) -> None:
    with pytest.raises(Refused), opened(served.url("docs.git"), packs, Guard()):
        pass


def test_a_redirect_elsewhere_does_not_get_the_password(served: Served, bare: Path, packs: Path, guard: Guard) -> None:
    served.password = "ada:secret"
    served.moved["/moved.git"] = f"http://localhost:{served.port}/docs.git"
    both = Guard(allow_hosts=frozenset({"127.0.0.1", "localhost"}))
    with pytest.raises(Refused) as refusal, opened(served.url("moved.git", "ada:secret"), packs, both):
        pass
    assert "secret" not in str(refusal.value)
    assert [sent for path, sent in served.asked if path.startswith("/docs.git")] == [None]


def test_an_empty_repository_gets_its_first_commit(served: Served, packs: Path, guard: Guard) -> None:
    git(served.root, "init", "-q", "--bare", "-b", "main", "empty.git")
    git(served.root / "empty.git", "config", "http.receivepack", "true")
    with opened(served.url("empty.git"), packs, guard) as found:
        assert (found.tip, found.is_there, found.files.paths()) == (None, False, [])
        made = _commit(found, {"a.md": b"# A\n"})
        assert made is not None
        found.push(made)
    git(served.root / "empty.git", "fsck", "--strict")
    assert git(served.root / "empty.git", "rev-list", "--count", "main").strip() == b"1"
