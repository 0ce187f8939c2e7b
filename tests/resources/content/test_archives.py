"""POST …/content/export and …/content/import: the files of a space as a zip, and a zip as what a space holds."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from tests.client import Reply, World
from tests.resources.checks import check_refusals

FILES = {
    "SUMMARY.md": "# Contents\n\n<!-- kept -->\n\n* [Home](README.md)\n* [Fish](fish.md)\n",
    "README.md": "# Home\n\nSee [fish](fish.md).\n",
    "fish.md": "---\ndescription: Wet   # kept\n---\n\n# Fish\n\n![](.gitbook/assets/a.svg)\n",
    ".gitbook/assets/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
}


def _zipped(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def _key(world: World, data: bytes) -> str:
    order = {"file": {"name": "a.zip", "type": "application/zip", "size": len(data)}, "kind": "import_file"}
    made = world.api.post(f"/v1/orgs/{world.organization}/storage/upload", order).json
    assert world.api.put(urlsplit(made["url"]).path, body=data, token="").status == 204
    return str(made["key"])


def _import(world: World, space: str, data: bytes) -> Reply:
    return world.awaited("POST", f"/v1/spaces/{space}/content/import", {"key": _key(world, data)})


def _exported(world: World, space: str) -> dict[str, str]:
    reply = world.awaited("POST", f"/v1/spaces/{space}/content/export")
    assert reply.status == 200, reply.text
    address = urlsplit(reply.json["url"])
    found = world.api.get(f"{address.path}?{address.query}" if address.query else address.path, token="")
    assert found.status == 200
    with ZipFile(io.BytesIO(found.body)) as archive:
        made = {name: archive.read(name).decode() for name in archive.namelist()}
    assert len(made) == reply.json["files"]
    return made


def _pages(world: World, space: str) -> dict[str, Any]:
    return {one["path"]: one["id"] for one in world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]}


def test_files_go_in_and_come_out(world: World) -> None:
    space = world.space()["id"]
    made = _import(world, space, _zipped(FILES))
    assert made.status == 200, made.text
    assert (made.json["pages"], made.json["files"], made.json["warnings"]) == (2, 1, [])
    assert world.api.get(f"/v1/spaces/{space}").json["revision"] == made.json["revision"]
    out = _exported(world, space)
    assert {name: out[name] for name in FILES if name.endswith(".svg") or name == "README.md"} == {
        name: FILES[name] for name in FILES if name.endswith(".svg") or name == "README.md"
    }
    assert out["fish.md"] == FILES["fish.md"]
    ids = _pages(world, space)
    again = _import(world, space, _zipped(out))
    assert (again.json["revision"], _pages(world, space)) == (made.json["revision"], ids), "nothing is new in it"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (_zipped({"a.txt": "x"}), "no page"),
        (_zipped({"../out.md": "x"}), "not allowed"),
        (_zipped({".git/config": "x"}), "not allowed"),
        (b"no zip", "not a zip archive"),
    ],
)
def test_what_is_refused_changes_nothing(world: World, data: bytes, said: str) -> None:
    space = world.space()
    reply = _import(world, space["id"], data)
    assert (reply.status, said in reply.message) == (400, True), reply.text
    assert world.api.get(f"/v1/spaces/{space['id']}").json["revision"] == space["revision"]


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}/content/import"
    check_refusals(world, "POST", path, [({}, "key"), ({"key": 5}, "key"), ({"key": "x"}, "key")])


def test_who_may(world: World) -> None:
    space = world.space()["id"]
    for verb in ("export", "import"):
        body = {"key": "x"} if verb == "import" else None
        for role, status in (("read", 403), ("edit", 403), ("guest", 404), (None, 404)):
            token = world.person(role)
            assert world.api.post(f"/v1/spaces/{space}/content/{verb}", body, token=token).status == status, (
                verb,
                role,
            )
