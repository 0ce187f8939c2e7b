"""Repositories and addresses that mean harm, each asked for over the API: a clear word for every one, and nothing happens.

What the ways to a host refuse is tested where they are too: redirects, private addresses, bombs and damaged packs in
`test_clone.py` and `gateways/`, names that are never written in `test_push.py`, other programs and options by SSH in
`test_ssh.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.git_compat.server import Served, git
from tests.jobs.repositories import BRANCH, Repository, Written

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"


@pytest.fixture
def near(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    most = {"git_max_files": 2000, "git_max_bytes": 8 << 20}
    with opened_world(engine, clock, memory_folder, loop, allowed_hosts=["127.0.0.1", "localhost"], **most) as world:
        yield world


@pytest.fixture
def repository(tmp_path: Path, served: Served) -> Repository:
    return Repository(tmp_path, served)


def _planted(repository: Repository, *entries: tuple[str, str, str]) -> None:
    """A commit whose tree has these entries (mode, name, object id) beside a page, whatever git itself would say of them."""
    page = git(repository.bare, "hash-object", "-w", "--stdin", stdin=b"# Home\n").decode().strip()
    rows = [("100644", "README.md", page), *entries]
    data = b"".join(f"{mode.lstrip('0')} {name}".encode() + b"\0" + bytes.fromhex(oid) for mode, name, oid in rows)
    tree = (
        git(repository.bare, "hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin=data).decode().strip()
    )
    commit = git(repository.bare, "commit-tree", tree, "-m", "Plant").decode().strip()
    git(repository.bare, "update-ref", BRANCH, commit)


def _blob(repository: Repository, content: bytes) -> str:
    return git(repository.bare, "hash-object", "-w", "--stdin", stdin=content).decode().strip()


def _files(space: Written) -> set[str]:
    items = space.world.api.get(f"{space.path}/content/files").json["items"]
    return {one["name"] for one in items}


def _only_home(near: World, repository: Repository) -> None:
    """The page came, with nothing beside it, and the log says that something was left out."""
    space = Written(near, empty=True)
    ended = space.order("import", repository.url)
    assert ended["state"] == "success", ended
    assert (set(space.pages()), _files(space)) == ({"readme"}, set())
    assert "with 1 warnings." in ended["log"][-2]["message"]


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% /tmp/mark",
        "file:///etc",
        "/etc",
        "-oProxyCommand=id",
        "--upload-pack=id",
        "git://x/y",
        "ssh://x/y",
    ],
)
def test_other_protocols_and_options(world: World, url: str) -> None:
    space = Written(world)
    for verb, more in (("import", {}), ("export", {"commitMessage": "x"})):
        reply = world.api.post(f"{space.path}/git/{verb}", {"url": url, "ref": BRANCH, **more})
        assert (reply.status, reply.message.startswith("url: ")) == (400, True)
    assert world.api.get(f"{space.path}/git/operations").json["count"] == 0


def test_refs_that_are_options(world: World) -> None:
    space = Written(world)
    for ref in ("--upload-pack=id", "refs/heads/", "refs/heads/a b", "refs/../x", "refs/heads/a:b"):
        reply = world.api.post(f"{space.path}/git/import", {"url": "https://git.example.test/x.git", "ref": ref})
        assert (reply.status, "ref" in reply.message) == (400, True), ref


def test_private_addresses(world: World) -> None:
    space = Written(world)
    ended = space.order("import", "http://169.254.169.254/latest/meta-data.git")
    assert (ended["state"], "is not on the public internet" in ended["message"]) == ("failure", True)


def test_redirects_to_private_addresses(near: World, repository: Repository, served: Served) -> None:
    served.moved["/docs.git"] = "http://10.0.0.1/docs.git"
    ended = Written(near, empty=True).order("import", repository.url)
    assert (ended["state"], "is not on the public internet" in ended["message"]) == ("failure", True)


def test_redirects_to_other_hosts_with_credentials(near: World, repository: Repository, served: Served) -> None:
    """Another name is another host: it is asked without what was meant for the first, and says so itself."""
    repository.commit("Begin", {"README.md": b"# Home\n"})
    served.moved["/away/"] = f"http://localhost:{served.port}/"
    served.password = "ada:s3cret"
    space = Written(near, empty=True)
    address = served.url("away/docs.git", "ada:s3cret")
    for verb in ("import", "export"):
        served.asked.clear()
        ended = space.order(verb, address)
        assert (ended["state"], "s3cret" in str(ended)) == ("failure", False)
        assert "The host localhost did not accept the name and the password" in ended["message"]
        assert [sent for path, sent in served.asked if not path.startswith("/away/")] == [None]


def test_compression_bombs(near: World, repository: Repository) -> None:
    repository.commit("Begin", {"README.md": b"# Home\n", "zeros.md": bytes(32 << 20)})
    assert sum(one.stat().st_size for one in (repository.bare / "objects").rglob("*") if one.is_file()) < 1 << 20
    space = Written(near, empty=True)
    ended = space.order("import", repository.url)
    assert (ended["state"], "unpacks to more than" in ended["message"]) == ("failure", True), ended
    assert not space.pages()


def test_submodules(near: World, repository: Repository) -> None:
    _planted(repository, ("160000", "module", "1" * 40))
    _only_home(near, repository)


def test_symbolic_links_that_lead_out(near: World, repository: Repository) -> None:
    _planted(repository, ("120000", "passwd.md", _blob(repository, b"/etc/passwd")))
    _only_home(near, repository)


@pytest.mark.parametrize("name", [".git", ".GIT", "git~1", ".git ", ".."])
def test_folders_of_git_itself_and_the_way_up(near: World, repository: Repository, name: str) -> None:
    inner = b"100644 config.md\0" + bytes.fromhex(_blob(repository, b"# Config\n"))
    tree = git(repository.bare, "hash-object", "-t", "tree", "-w", "--stdin", stdin=inner).decode().strip()
    _planted(repository, ("40000", name, tree))
    _only_home(near, repository)


def test_hooks_and_filters_never_run(near: World, repository: Repository, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = f"#!/bin/sh\ntouch {mark}\n".encode()
    repository.commit(
        "Begin",
        {
            "README.md": b"# Home\n",
            "hooks/post-checkout": script,
            ".githooks/post-merge": script,
            ".gitconfig": f"[core]\n\thooksPath = hooks\n\tfsmonitor = {mark}\n".encode(),
            ".gitattributes": b"*.md filter=evil\n*.bin filter=lfs diff=lfs merge=lfs -text\n",
        },
    )
    git(repository.bare, "config", "filter.evil.smudge", f"touch {mark}")
    space = Written(near, empty=True)
    assert space.order("import", repository.url)["state"] == "success"
    space.edit(space.pages()["readme"], "# Home\n\nEdited.\n")
    assert space.order("export", repository.url)["state"] == "success"
    assert repository.files()["hooks/post-checkout"] == script
    assert not mark.exists()


def test_pointers_of_large_files_stay_pointers(near: World, repository: Repository) -> None:
    attributes = b"*.bin filter=lfs diff=lfs merge=lfs -text\n"
    page = b"# Home\n\n[big](.gitbook/assets/big.bin)\n"
    repository.commit("Begin", {"README.md": page, ".gitattributes": attributes, ".gitbook/assets/big.bin": POINTER})
    space = Written(near, empty=True)
    assert space.order("import", repository.url)["state"] == "success"
    [file] = near.api.get(f"{space.path}/content/files").json["items"]
    assert (file["name"], file["size"]) == ("big.bin", len(POINTER))
    space.edit(space.pages()["readme"], "# Home\n\n[big](.gitbook/assets/big.bin)\n\nEdited.\n")
    assert space.order("export", repository.url)["state"] == "success"
    assert repository.files()[".gitbook/assets/big.bin"] == POINTER


def test_a_million_entries(near: World, repository: Repository) -> None:
    blob = bytes.fromhex(_blob(repository, b"# Page\n"))
    inner = b"".join(b"100644 %04d.md\0" % n + blob for n in range(1000))
    below = git(repository.bare, "hash-object", "-t", "tree", "-w", "--stdin", stdin=inner).decode().strip()
    _planted(repository, *(("40000", f"{n:04}", below) for n in range(1000)))
    space = Written(near, empty=True)
    ended = space.order("import", repository.url)
    assert (ended["state"], ended["message"]) == ("failure", "There are more than the 2,000 files allowed.")
    assert not space.pages()


def test_names_of_devices(near: World, repository: Repository) -> None:
    repository.commit("Begin", {"README.md": b"# Home\n"})
    space = Written(near, empty=True)
    assert space.order("import", repository.url)["state"] == "success"
    for title in ("Con", "Nul", "Com1", "Aux"):
        space.insert(f"# {title}\n")
    assert space.order("export", repository.url)["state"] == "success"
    stems = {Path(name).name.partition(".")[0].lower() for name in repository.files()}
    assert not stems & {"con", "nul", "com1", "aux"}
    repository.check()


def test_pages_that_differ_in_capital_letters_only(near: World, repository: Repository) -> None:
    """Both come, at addresses of their own, and an edit of one changes its own file."""
    begin: dict[str, bytes | None] = {"README.md": b"# Home\n", "Fish.md": b"# Large\n", "fish.md": b"# Small\n"}
    repository.commit("Begin", begin)
    space = Written(near, empty=True)
    assert space.order("import", repository.url)["state"] == "success"
    titles = {space.text(page).partition("\n")[0]: page for page in space.pages().values()}
    assert set(titles) == {"# Home", "# Large", "# Small"}
    space.edit(titles["# Small"], "# Small\n\nEdited.\n")
    assert space.order("export", repository.url)["state"] == "success"
    there = repository.files()
    assert (there["fish.md"], there["Fish.md"]) == (b"# Small\n\nEdited.\n", b"# Large\n")


def test_names_that_differ_in_capital_letters_only(near: World, repository: Repository) -> None:
    repository.commit("Begin", {"README.md": b"# Home\n", "Fish.md/x.txt": b"x"})
    space = Written(near, empty=True)
    assert space.order("import", repository.url)["state"] == "success"
    space.insert("# Fish\n")
    assert space.order("export", repository.url)["state"] == "success"
    # The page takes another name than the folder, which some systems take for one with it.
    assert repository.files().keys() >= {"Fish.md/x.txt", "fish-1.md"}
    assert "fish.md" not in repository.files()
