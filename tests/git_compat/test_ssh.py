"""Git over SSH with a real server: what is fetched and pushed, and whom we do not talk to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from octavo.access.deploy_keys import made
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable
from octavo.gateways.git import clone
from octavo.gateways.git_push import Person, branch
from octavo.gateways.git_ssh import Identity
from octavo.gateways.snapshots import Limits
from tests.git_compat.server import git
from tests.git_compat.sshd import Sshd, serving_ssh

FILES = {"README.md": b"# Hello\n", "docs/a.md": b"# A\n"}
ADA = Person("Ada", "ada@example.test")


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    with serving_ssh(tmp_path_factory.mktemp("ssh") / "sshd") as running:
        yield running


@pytest.fixture
def identity(sshd: Sshd) -> Identity:
    key = made("octavo")
    sshd.admit(key.public)
    return Identity(key.private, sshd.host_key)


@pytest.fixture
def bare(make: Callable[..., Path], publish: Callable[[Path], str], served: object) -> Path:
    path: Path = served.root / publish(make("it's docs", FILES))  # type: ignore[attr-defined]
    return path


def test_it_is_read_and_written(sshd: Sshd, identity: Identity, bare: Path, packs: Path, guard: Guard) -> None:
    url, kept = sshd.url(bare).replace(" ", "%20"), packs / "kept"
    with clone(url, "main", packs, guard=guard, identity=identity, kept=kept) as snapshot:
        assert {path: snapshot.read(path) for path in snapshot.paths()} == FILES
    (packs / "push").mkdir()
    with branch(
        url, "refs/heads/main", packs / "push", limits=Limits(), guard=guard, progress=lambda word, count: None,
        kept=kept, identity=identity,
    ) as found:  # fmt: skip
        commit = found.commit({"docs/a.md": b"# Other\n"}, "Words", ADA, ADA, 1_700_000_000_000)
        assert commit is not None
        found.push(commit)
    assert git(bare, "show", "main:docs/a.md") == b"# Other\n"
    git(bare, "fsck", "--strict")
    (packs / "again").mkdir()
    with clone(url, "main", packs / "again", guard=guard, identity=identity, kept=kept) as snapshot:
        assert snapshot.read("docs/a.md") == b"# Other\n"


def _fails(kind: type[GatewayFailure], url: str, packs: Path, guard: Guard, identity: Identity) -> str:
    with pytest.raises(kind) as failure:
        clone(url, "main", packs, guard=guard, identity=identity, limits=Limits(seconds=20))
    return failure.value.message


def test_a_host_with_another_key_is_told_nothing(
    sshd: Sshd, identity: Identity, bare: Path, packs: Path, guard: Guard
) -> None:
    url = sshd.url(bare)
    other = Identity(identity.key, " ".join(made("other").public.split()[:2]))
    assert "another key than the one that is pinned" in _fails(Refused, url, packs, guard, other)
    assert "cannot be read" in _fails(Refused, url, packs, guard, Identity(identity.key, "ssh-ed25519 AAAA"))


def test_who_is_not_let_in(sshd: Sshd, identity: Identity, bare: Path, packs: Path, guard: Guard) -> None:
    stranger = Identity(made("stranger").private, sshd.host_key)
    assert "did not accept the deploy key" in _fails(Refused, sshd.url(bare), packs, guard, stranger)


def test_what_is_not_there(sshd: Sshd, identity: Identity, packs: Path, guard: Guard) -> None:
    said = _fails(Refused, sshd.url(Path("/nowhere/docs.git")), packs, guard, identity)
    assert said.startswith("The host 127.0.0.1 gave no repository: ")
    assert "nowhere" in said


def test_nothing_runs_but_git(sshd: Sshd, identity: Identity, packs: Path, guard: Guard) -> None:
    mark = packs / "mark"
    for path in (f"/x';touch {mark};'", f"/$(touch {mark})", f"/`touch {mark}`", "/-oProxyCommand=id"):
        _fails(Refused, sshd.url(Path("/")).rstrip("/") + path.replace(" ", "%20"), packs, guard, identity)
    assert not mark.exists()
    url = f"ssh://-oProxyCommand=id@127.0.0.1:{sshd.port}/docs.git"
    assert "is not allowed" in _fails(Refused, url, packs, guard, identity)


def test_private_addresses_are_not_reached(sshd: Sshd, identity: Identity, bare: Path, packs: Path) -> None:
    assert "is not on the public internet" in _fails(Refused, sshd.url(bare), packs, Guard(), identity)


def test_nobody_listens(identity: Identity, packs: Path, guard: Guard) -> None:
    assert "could not be reached" in _fails(Unreachable, "ssh://git@127.0.0.1:1/docs.git", packs, guard, identity)


def test_without_a_key_there_is_no_ssh(packs: Path, guard: Guard) -> None:
    with pytest.raises(Refused, match="is not https"):
        clone("ssh://git@127.0.0.1/docs.git", "main", packs, guard=guard)
