"""Exports from the command line, and what an import makes of them again."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import pytest

from octavo.exporting import Order, export, export_now
from octavo.gateways import zips
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.snapshots import Limits
from octavo.importing import Order as Import
from octavo.importing import import_all, unpacked
from octavo.kernel.errors import BadRequest, NotFound
from tests.client import World

SINK = Path(__file__).parent / "content" / "kitchen_sink"


def _pages(world: World, space: str) -> Any:
    pages = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
    return [_shown(world, space, page) for page in pages]


def _shown(world: World, space: str, page: dict[str, Any]) -> Any:
    text = None
    if page["type"] == "document":
        path = f"/v1/spaces/{space}/content/page/{page['id']}?format=markdown"
        text = world.api.get(path).json.get("markdown")
    return (
        page["title"],
        page["type"],
        page.get("path"),
        text,
        [_shown(world, space, one) for one in page.get("pages", [])],
    )


def _imported(world: World, source: Path, organization: str) -> dict[str, Any]:
    with unpacked(world.house.settings, Import(str(source), organization)) as order:
        made: dict[str, Any] = world.run(import_all(world.house, order, quiet=True))
    return made


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_a_space_comes_back_as_it_was(world: World, tmp_path: Path, name: str) -> None:
    space = world.imported(SINK)
    target = tmp_path / name
    said = world.run(export(world.house, Order(target, space=space)))
    assert said["spaces"] == 1
    made = _imported(world, target, world.organization)
    assert _pages(world, made["space"]) == _pages(world, space)
    if target.is_dir():
        for path in (SINK / "README.md", SINK / ".gitbook" / "assets" / "wiring.svg"):
            assert (target / path.relative_to(SINK)).read_bytes() == path.read_bytes()
        assert said["files"] == sum(path.is_file() for path in target.rglob("*"))


def test_an_organization_comes_back_with_its_collections(world: World, tmp_path: Path) -> None:
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Birds"}).json["id"]
    first = world.space("Field guide", parent=collection, emoji="1f426")["id"]
    world.space("Field guide")
    target = tmp_path / "all.zip"
    said = world.run(export(world.house, Order(target, organization=world.organization)))
    assert said["spaces"] == 2
    made = _imported(world, target, world.organization)
    assert (made["spaces"], made["pages"]) == (2, 2)
    spaces = world.api.get(f"/v1/orgs/{world.organization}/spaces").json["items"]
    assert len(spaces) == 4
    again = [one for one in spaces if one.get("parent") not in (None, collection)]
    assert [(one["title"], one["emoji"]) for one in again] == [("Field guide", "1f426")]
    assert [page[:3] for page in _pages(world, again[0]["id"])] == [page[:3] for page in _pages(world, first)]


def _arranged(world: World, site: dict[str, Any], organization: str) -> Any:
    """What a site shows, without ids and addresses."""
    base = f"/v1/orgs/{organization}/sites/{site['id']}"
    left = {"id", "urls", "space", "createdAt", "updatedAt", "position", "organization"}
    left |= {"section", "sectionGroup"}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(one) for name, one in value.items() if name not in left}
        return [plain(one) for one in value] if isinstance(value, list) else value

    structure = plain(world.api.get(f"{base}/structure").json)
    redirects = [
        (one["source"], one["destination"]["kind"]) for one in world.api.get(f"{base}/redirects").json["items"]
    ]
    return site["title"], site["visibility"], structure, sorted(redirects)


def test_sites_come_back_into_an_empty_organization(world: World, tmp_path: Path) -> None:
    first, second = world.imported(SINK), world.imported(SINK, "Other words")
    site = world.site(first, title="Field guides", visibility="unlisted")
    base = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    section = world.api.post(f"{base}/sections", {"title": "Others", "spaceId": second})
    assert section.status == 201, section.text
    group = world.api.post(f"{base}/section-groups", {"title": "More", "sections": [section.json["id"]]})
    assert group.status == 201, group.text
    [shown] = [one for one in world.api.get(f"{base}/site-spaces").json["items"] if one["space"]["id"] == first]
    page = world.api.get(f"/v1/spaces/{first}/content/pages").json["pages"][1]
    for source, destination in (
        ("/away", {"kind": "external", "url": "https://example.org/"}),
        ("/old", {"kind": "site-page", "siteSpaceId": shown["id"], "pageId": page["id"]}),
    ):
        reply = world.api.post(f"{base}/redirects", {"source": source, "destination": destination})
        assert reply.status in (200, 201), reply.text
    target = tmp_path / "all.zip"
    world.run(export(world.house, Order(target, organization=world.organization)))
    empty = world.api.post("/v1/orgs", {"title": "Empty"}).json["id"]
    made = _imported(world, target, empty)
    assert (made["spaces"], made["sites"]) == (2, 1)
    [again] = world.api.get(f"/v1/orgs/{empty}/sites").json["items"]
    old = world.api.get(base).json
    assert _arranged(world, again, empty) == _arranged(world, old, world.organization)
    assert (again["published"], again.get("basename") != old["basename"]) == (old["published"], True)
    spaces = world.api.get(f"/v1/orgs/{empty}/spaces").json["items"]
    assert [_pages(world, one["id"]) for one in spaces] == [_pages(world, key) for key in (first, second)]
    redirects = {
        one["source"]: one for one in world.api.get(f"/v1/orgs/{empty}/sites/{again['id']}/redirects").json["items"]
    }
    moved = redirects["/old"]["destination"]["pageId"]
    home = next(one["id"] for one in spaces if one["title"] == "Imported")
    assert moved in {one["id"] for one in world.api.get(f"/v1/spaces/{home}/content/pages").json["pages"]}


def test_nothing_is_written_over(world: World, tmp_path: Path) -> None:
    full, there = tmp_path / "full", tmp_path / "there.zip"
    full.mkdir()
    (full / "mine.txt").write_text("x")
    there.write_text("x")
    for target in (full, there):
        with pytest.raises(BadRequest, match="nothing is written over"):
            world.run(export_now(world.house.settings, Order(target, space="x")))
    with pytest.raises(BadRequest, match="one of"):
        world.run(export_now(world.house.settings, Order(tmp_path / "new")))
    with pytest.raises(NotFound):
        world.run(export(world.house, Order(tmp_path / "new", space="nothing")))


def _zip(path: Path, *entries: tuple[str | ZipInfo, bytes]) -> Path:
    with ZipFile(path, "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def _link() -> ZipInfo:
    info = ZipInfo("link.md")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([("../out.md", b"x")], "not allowed"),
        ([("/etc/out.md", b"x")], "not allowed"),
        ([(".git/hooks/pre-push", b"x")], "not allowed"),
        ([("GIT~1/config", b"x")], "not allowed"),
        ([("a.md", b"x"), ("A.md", b"y")], "capitals"),
        ([(_link(), b"/etc/passwd")], "symbolic link"),
        ([("a.md", b"\0" * 5000)], "more than is allowed"),
        ([(f"{n}.md", b"") for n in range(11)], "more than the 10 files"),
    ],
)
def test_archives_that_are_refused(tmp_path: Path, entries: list[tuple[str | ZipInfo, bytes]], said: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    limits = Limits(bytes=4000, inflated=4000, files=10)
    with pytest.raises(GatewayFailure, match=said):
        zips.unpack(_zip(tmp_path / "a.zip", *entries), folder, limits)
    assert not (tmp_path / "out.md").exists()


def test_what_is_no_archive(tmp_path: Path) -> None:
    broken = tmp_path / "a.zip"
    broken.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(GatewayFailure, match="not a zip archive"):
        zips.unpack(broken, tmp_path, Limits())
