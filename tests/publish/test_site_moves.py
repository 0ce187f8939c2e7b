"""Old addresses after pages were renamed and moved: visitors are led to where the page is now."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import Order, import_into
from tests.client import World
from tests.publish.visiting import Visitor, visit

SUMMARY = "# Table of contents\n\n* [Home](README.md)\n"
PAGES = {
    "guide/README.md": "# Guide\n\nHow to keep terns.\n",
    "guide/nests.md": "# Nests\n\nReed, straw, and a sheltered place near water.\n",
    "guide/eggs.md": "# Eggs\n\nTwo or three, olive with brown spots, in the last week of May.\n",
}


def _write(folder: Path, pages: dict[str, str], removed: tuple[str, ...] = ()) -> None:
    for name in removed:
        (folder / name).unlink()
    listing = "".join(f"{'  ' * _depth(name)}* [{name}]({name})\n" for name in pages)
    for name, text in {"README.md": "# Home\n", "SUMMARY.md": SUMMARY + listing, **pages}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def _depth(name: str) -> int:
    return name.count("/") - name.endswith("README.md")


def _again(visitor: Visitor, folder: Path) -> None:
    world: World = visitor.world
    order = Order(str(folder), world.organization, space=visitor.space)
    world.run(import_into(world.house, order, quiet=True))


def _leads(visitor: Visitor, path: str) -> tuple[int, str]:
    reply = visitor.get(path)
    return reply.status, reply.headers.get("location", "").removeprefix(visitor.base)


def test_renamed_pages_are_found_under_all_their_old_addresses(world: World, tmp_path: Path) -> None:
    _write(tmp_path, PAGES)
    visitor = visit(world, tmp_path)
    assert visitor.get("guide/nests").status == 200
    second = {"guide/README.md": PAGES["guide/README.md"], "guide/homes.md": PAGES["guide/nests.md"]}
    _write(tmp_path, second | {"guide/eggs.md": PAGES["guide/eggs.md"]}, removed=("guide/nests.md",))
    _again(visitor, tmp_path)
    assert _leads(visitor, "guide/nests?from=mail") == (307, "guide/homes?from=mail")
    assert _leads(visitor, "Guide/Nests/") == (307, "guide/homes")

    third = {"guide/README.md": PAGES["guide/README.md"], "guide/dwellings.md": PAGES["guide/nests.md"]}
    _write(tmp_path, third | {"guide/eggs.md": PAGES["guide/eggs.md"]}, removed=("guide/homes.md",))
    _again(visitor, tmp_path)
    for old in ("guide/nests", "guide/homes"):
        assert _leads(visitor, old) == (307, "guide/dwellings"), "one hop, not two"

    # Everything moves below another folder, and one of the pages gets another name at the same time.
    fourth = {
        "birds/README.md": "# Birds\n",
        "birds/guide/README.md": PAGES["guide/README.md"],
        "birds/guide/dwellings.md": PAGES["guide/nests.md"],
        "birds/guide/clutches.md": PAGES["guide/eggs.md"],
    }
    _write(tmp_path, fourth, removed=("guide/dwellings.md", "guide/eggs.md", "guide/README.md"))
    _again(visitor, tmp_path)
    addresses = {page.split("/")[-1] for page in ("guide/nests", "guide/homes", "guide/dwellings")}
    for name in addresses:
        status, leads = _leads(visitor, f"guide/{name}")
        assert (status, visitor.get(leads).status) == (307, 200)
        assert leads.endswith("/dwellings")
    assert _leads(visitor, "guide/eggs")[1].endswith("/clutches")
    assert _leads(visitor, "guide/never-was") == (404, "")


def test_an_unchanged_import_keeps_the_head_and_the_old_addresses(world: World, tmp_path: Path) -> None:
    _write(tmp_path, PAGES)
    visitor = visit(world, tmp_path)
    kept = {"guide/README.md": PAGES["guide/README.md"], "guide/homes.md": PAGES["guide/nests.md"]}
    _write(tmp_path, kept, removed=("guide/nests.md", "guide/eggs.md"))
    _again(visitor, tmp_path)
    head = world.api.get(f"/v1/spaces/{visitor.space}").json["revision"]
    _again(visitor, tmp_path)
    assert world.api.get(f"/v1/spaces/{visitor.space}").json["revision"] == head
    assert _leads(visitor, "guide/nests") == (307, "guide/homes")
    assert _leads(visitor, "guide/eggs") == (404, "")


def test_a_page_that_takes_an_old_address_has_it(world: World, tmp_path: Path) -> None:
    _write(tmp_path, {"nests.md": PAGES["guide/nests.md"]})
    visitor = visit(world, tmp_path)
    _write(tmp_path, {"homes.md": PAGES["guide/nests.md"]}, removed=("nests.md",))
    _again(visitor, tmp_path)
    assert _leads(visitor, "nests") == (307, "homes")
    _write(tmp_path, {"homes.md": PAGES["guide/nests.md"], "nests.md": "# Other nests\n\nOf swallows, in barns.\n"})
    _again(visitor, tmp_path)
    assert _leads(visitor, "nests") == (200, "")


def test_an_old_address_of_a_page_that_is_closed_tells_nothing(world: World, tmp_path: Path) -> None:
    _write(tmp_path, {"nests.md": PAGES["guide/nests.md"]})
    visitor = visit(world, tmp_path)
    closed = "---\nif: visitor.claims.staff == true\n---\n\n" + PAGES["guide/nests.md"]
    _write(tmp_path, {"secret.md": closed}, removed=("nests.md",))
    _again(visitor, tmp_path)
    reply = visitor.get("nests")
    assert reply.status == 404
    assert "secret" not in reply.text
