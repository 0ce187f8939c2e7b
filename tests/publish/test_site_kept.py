"""Kept pages: an edit makes those anew that it shows on, and no others; what is kept is what would be made now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from octavo.content.revision import Page
from octavo.history.contents import contents_of
from octavo.importing import Order, import_into
from octavo.site.computed import expanded
from octavo.site.seeing import seen
from octavo.site.visitor import ANYBODY
from octavo.store.kept import Kept
from octavo.store.unit import Unit
from tests.client import World
from tests.publish.visiting import Visitor, visit, write

FILES = {
    "SUMMARY.md": "* [Home](README.md)\n* [Guide](guide.md)\n  * [Below](below.md)\n* [Terns](terns.md)\n",
    "README.md": '---\ndescription: Of birds.\n---\n\n# Home\n\n[guide.md](guide.md "mention")\n',
    "guide.md": '# Guide\n\n{% include ".gitbook/includes/note.md" %}\n\n[map](.gitbook/assets/map.txt)\n',
    "below.md": '# Below\n\n<code class="expression">space.vars.answer</code>\n',
    "terns.md": "# Terns\n\nThey dive.\n",
    ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nA note.\n",
    ".gitbook/vars.yaml": "answer: 41\n",
    ".gitbook/assets/map.txt": "here",
}
PATHS = ("", "guide", "guide/below", "terns", "terns.md", "guide.md")


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    return visit(world, write(tmp_path, FILES))


def _tags(site: Visitor) -> dict[str, str]:
    return {path: site.get(path).headers["etag"] for path in PATHS}


def _import(site: Visitor, folder: Path) -> None:
    order = Order(str(folder), site.world.organization, site.space)
    site.world.run(import_into(site.world.house, order, quiet=True))


def _changed(site: Visitor, folder: Path, **files: str) -> set[str]:
    """Which addresses another version of these files makes anew."""
    before = _tags(site)
    write(folder, {name.replace("__", "/").replace("_", "."): text for name, text in files.items()})
    _import(site, folder)
    after = _tags(site)
    return {path for path in PATHS if before[path] != after[path]}


def test_the_text_of_a_page_is_on_that_page_alone(site: Visitor, tmp_path: Path) -> None:
    assert _changed(site, tmp_path, terns_md="# Terns\n\nThey hover.\n") == {"terns", "terns.md"}
    assert "They hover." in site.get("terns").text


def test_a_title_or_a_description_is_on_all_pages(site: Visitor, tmp_path: Path) -> None:
    text = FILES["README.md"].replace("Of birds", "Of terns")
    assert _changed(site, tmp_path, README_md=text) == {*PATHS}
    summary = FILES["SUMMARY.md"].replace("[Terns]", "[Sea birds]")
    assert _changed(site, tmp_path, SUMMARY_md=summary, terns_md="# Sea birds\n") == {*PATHS}


def test_a_comment_makes_nothing_anew(site: Visitor) -> None:
    before = _tags(site)
    body = {"body": {"markdown": "Is that so?"}}
    assert site.world.api.post(f"/v1/spaces/{site.space}/comments", body).status == 200
    assert _tags(site) == before


VERSIONS = (
    {"terns.md": "# Terns\n\nThey hover.\n"},
    {"below.md": "---\ndescription: Deep.\n---\n\n# Below\n"},
    {".gitbook/vars.yaml": "answer: 42\n", "below.md": FILES["below.md"]},
    {".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nAnother note.\n"},
    {".gitbook/assets/map.txt": "there"},
    {"SUMMARY.md": "* [Home](README.md)\n* [Terns](terns.md)\n* [Guide](guide.md)\n  * [Below](below.md)\n"},
    {"guide.md": "# Handbook\n", "SUMMARY.md": FILES["SUMMARY.md"].replace("[Guide]", "[Handbook]")},
    {"terns.md": "---\nhidden: true\n---\n\n# Terns\n"},
    {"guide.md": FILES["guide.md"], "SUMMARY.md": FILES["SUMMARY.md"]},
)


def test_what_is_kept_is_what_would_be_made(site: Visitor, tmp_path: Path) -> None:
    """After each change of any kind; and nothing is known twice under one name."""
    known: dict[tuple[str, str], bytes] = {}
    for version in VERSIONS:
        write(tmp_path, version)
        _import(site, tmp_path)
        kept = {path: site.get(path) for path in PATHS}
        vars(site.world.house.store.kept).update(vars(Kept()))  # everything is forgotten
        for path, reply in kept.items():
            fresh = site.get(path)
            assert (fresh.body, fresh.headers["etag"]) == (reply.body, reply.headers["etag"]), (version, path)
            assert known.setdefault((path, reply.headers["etag"]), reply.body) == reply.body


class _Walked(dict[str, Page]):
    """Entries that count how often somebody walks through all of them."""

    times = 0

    def values(self) -> Any:
        self.times += 1
        return super().values()


def test_what_was_read_before_costs_the_same_however_many_pages_there_are(site: Visitor) -> None:
    store = site.world.house.store

    async def asked(unit: Unit) -> int:
        space = await unit.spaces.get(site.space)
        assert space is not None
        head = await unit.revisions.get(space.revision)
        assert head is not None
        contents = await contents_of(unit, head)
        walked = _Walked(contents.pages)
        looked_at = replace(contents, pages=walked)
        for _ in range(3):
            seen(await expanded(unit, looked_at), ANYBODY)
        return walked.times

    first = site.world.run(store.read(asked))
    assert first <= 2
    assert site.world.run(store.read(asked)) <= 1
