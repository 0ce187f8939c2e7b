"""Spaces that follow a branch by SSH: set up over the API, brought together with a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.access import deploy_keys
from tests.client import World
from tests.git_compat.server import Served, require_git
from tests.git_compat.sshd import Sshd, serving_ssh
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.resources.checks import check_refusals, check_roles

URL = "ssh://git@git.example.test/docs.git"
HOST = " ".join(deploy_keys.made("host").public.split()[:2])


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    with serving_ssh(tmp_path_factory.mktemp("ssh") / "sshd") as running:
        yield running


def _connect(space: Written, url: str, **more: Any) -> dict[str, Any]:
    reply = space.world.api.put(f"{space.path}/git/connection", {"url": url, "ref": BRANCH, **more})
    assert reply.status == 200, reply.text
    made: dict[str, Any] = reply.json
    return made


def _sync(space: Written) -> dict[str, Any]:
    assert space.world.api.post(f"{space.path}/git/sync", {}).status == 201
    space.world.work()
    return space.last()


def test_both_sides_come_together(near: World, sshd: Sshd, tmp_path: Path) -> None:
    require_git()
    (tmp_path / "served").mkdir()
    repository = Repository(tmp_path, Served(tmp_path / "served"))
    repository.commit("Begin", {"README.md": b"# Home\n", "fish.md": b"# Fish\n\none\n"})
    space = Written(near, empty=True)
    made = _connect(space, sshd.url(repository.bare), hostKey=f"127.0.0.1 {sshd.host_key}")
    assert made["hostKey"] == sshd.host_key
    refused = _sync(space)
    assert (refused["state"], "did not accept the deploy key" in refused["message"]) == ("failure", True)
    sshd.admit(made["publicKey"])
    assert _sync(space)["state"] == "success"
    assert set(space.pages()) == {"readme", "fish"}
    space.edit(space.pages()["fish"], "# Fish\n\none\n\ntwo\n")
    ended = _sync(space)
    assert ended["state"] == "success", ended
    assert repository.files()["fish.md"] == b"# Fish\n\none\n\ntwo\n"
    repository.check()
    _connect(space, sshd.url(repository.bare), hostKey=HOST)
    ended = _sync(space)
    assert (ended["state"], "another key than the one that is pinned" in ended["message"]) == ("failure", True)
    shown = near.api.get(f"{space.path}/git/operations").text + near.api.get(f"{space.path}/git/connection").text
    assert "PRIVATE" not in shown


def test_the_key_is_sealed_and_renewed(world: World) -> None:
    space = Written(world)
    first = _connect(space, URL, hostKey=HOST)
    assert first["publicKey"].startswith("ssh-ed25519 AAAA")
    assert (first["url"], first["hasToken"]) == (URL, False)
    assert world.api.post(f"{space.path}/git/sync", {}).status == 201
    browsed = world.api.get(f"{space.path}/git/info").json["url"]
    assert browsed == "https://" + URL.partition("@")[2].removesuffix(".git"), "people can open it"
    again = _connect(space, URL.replace("docs", "other"))
    assert (again["publicKey"], again["hostKey"]) == (first["publicKey"], HOST), "the same host knows it already"
    elsewhere = _connect(space, "ssh://git@elsewhere.test/docs.git", hostKey=HOST)
    assert elsewhere["publicKey"] != first["publicKey"], "no two hosts know one key"
    renewed = world.api.post(f"{space.path}/git/connection/deploy-key")
    assert (renewed.status, renewed.json["publicKey"] != elsewhere["publicKey"]) == (201, True)

    async def kept(unit: Any) -> str:
        return str((await unit.git.connection(space.id)).sealed_key)

    sealed = world.run(world.house.store.read(kept))
    assert "PRIVATE" not in sealed
    assert "PRIVATE" in world.house.signer.unseal(sealed)
    assert "publicKey" not in _connect(space, "https://git.example.test/docs.git")
    assert world.api.post(f"{space.path}/git/connection/deploy-key").status == 409


def test_who_may_renew(world: World) -> None:
    space = Written(world)
    _connect(space, URL, hostKey=HOST)
    check_roles(world, "admin", "POST", f"{space.path}/git/connection/deploy-key", success=201)
    assert world.api.post(f"{Written(world).path}/git/connection/deploy-key").status == 404


def test_wrong_input_names_the_field(world: World) -> None:
    good = {"url": URL, "ref": BRANCH, "hostKey": HOST}
    cases: list[tuple[Any, str]] = [
        ({"url": URL, "ref": BRANCH}, "hostKey"),
        (good | {"hostKey": "ssh-ed25519"}, "hostKey"),
        (good | {"hostKey": "ssh-ed25519 !!!!"}, "hostKey"),
        (good | {"hostKey": HOST.replace("ssh-ed25519", "ssh-rsa", 1)}, "hostKey"),
        (good | {"hostKey": f"{HOST}\n{HOST}"}, "hostKey"),
        (good | {"url": "ssh://git:secret@git.example.test/docs.git"}, "url"),
        (good | {"url": "ssh://-oProxyCommand=id@git.example.test/docs.git"}, "url"),
        (good | {"url": "ssh://git@-oProxyCommand=id/docs.git"}, "url"),
        (good | {"url": "ssh://git@git.example.test/-upload-pack"}, "url"),
        (good | {"url": "ssh://git@git.example.test/"}, "url"),
        (good | {"url": "git@git.example.test:docs.git"}, "url"),
        (good | {"token": "secret"}, "token"),
    ]
    check_refusals(world, "PUT", f"{Written(world).path}/git/connection", cases)
