"""What is carried from the contents of one revision to those of the next is what would be made of them anew."""

from __future__ import annotations

import asyncio
import random

import pytest

from octavo.content import trie
from octavo.content.revision import Digest, Page
from octavo.history import heads, joining
from octavo.history.contents import Contents, contents_of, grow, reading
from octavo.kernel.ids import new_id
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization
from octavo.store.unit import Store, Unit

KEYS = [f"p{at}" for at in range(30)]
ROUNDS = 60


def _page(key: str, chance: random.Random) -> Page:
    """A page that stands below an earlier one, or nowhere in the table of contents."""
    above = [*KEYS[: KEYS.index(key)], "nowhere"]
    return Page(
        id=key,
        type=chance.choice(["document", "document", "group", "link"]),
        title=f"{chance.random()}",
        # Now and then two pages take one address.
        slug=chance.choice([key] * 9 + ["same"]),
        position=chance.choice("abc"),
        parent=chance.choice([None, *above]),
        listed=chance.random() < 0.9,
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_is_carried_over_whatever_changes(store: Store, loop: asyncio.AbstractEventLoop, seed: int) -> None:
    chance = random.Random(seed)
    pages = {key: _page(key, chance) for key in KEYS if chance.random() < 0.7}
    organization = Organization(id=new_id(), title="", created_at=0)
    space = Space(
        id=new_id(),
        organization=organization.id,
        title="",
        emoji="",
        position="a",
        created_at=0,
        updated_at=0,
        revision="",
    )

    async def begin(unit: Unit) -> None:
        await unit.people.add_organization(organization)
        await unit.spaces.add(space)

    async def written(unit: Unit) -> Revision:
        root, objects = heads.assemble(pages=pages.values())
        return await heads.apart(unit, space, root, objects, parents=[])

    loop.run_until_complete(store.write(begin))
    carried = 0
    for _ in range(ROUNDS):
        revision = loop.run_until_complete(store.write(written))
        contents = loop.run_until_complete(store.read(lambda unit, of=revision: contents_of(unit, of)))  # type: ignore[misc]
        carried += "by_path" in contents.__dict__
        _agrees(contents)
        for key in chance.sample(KEYS, chance.randint(1, 3)):
            if pages.pop(key, None) is None or chance.random() < 0.7:
                pages[key] = _page(key, chance)
    assert carried > ROUNDS / 4, "a revision's addresses come from those of the one before"


def _agrees(contents: Contents) -> None:
    anew = Contents(contents.organization, contents.root, contents.pages, contents.files, contents.reusables)
    assert contents.branches == anew.branches
    assert contents.outside == anew.outside
    assert contents.by_id == anew.by_id
    assert contents.by_path == anew.by_path
    assert contents.is_plain == anew.is_plain
    assert contents.landing == anew.landing


def test_what_was_read_once_is_asked_for_only_where_it_differs(store: Store, loop: asyncio.AbstractEventLoop) -> None:
    pages = [_page(f"p{at}", random.Random(at)) for at in range(30)] + [
        Page(id=f"q{at}", type="document", title="", slug=f"q{at}", position=f"a{at}") for at in range(400)
    ]
    first, objects = heads.assemble(pages=pages)
    second, more = heads.assemble(pages=pages[:-1])
    objects |= more
    read: list[Digest] = []

    def load(wanted: frozenset[Digest]) -> dict[Digest, bytes]:
        read.extend(wanted)
        return {name: objects[name] for name in wanted}

    whole = trie.run(reading(store.kept, _revision(first)), load)
    assert sorted(whole.pages) == sorted(page.id for page in pages)
    assert len(read) > 20
    grow(whole)
    read.clear()
    assert trie.run(reading(store.kept, _revision(first)), load) is whole
    assert read == []
    _agrees(trie.run(reading(store.kept, _revision(second)), load))
    assert len(read) < 8


def _revision(root: Digest) -> Revision:
    return Revision(
        id="", organization="one", space="one", root=root, parents=[], type="edits", created_at=0, author=None
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_stands_beside_pages_is_told_by_an_older_tree(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    old = {key: _page(key, chance) for key in KEYS if chance.random() < 0.8}
    new = old | {key: _page(key, chance) for key in KEYS if chance.random() < 0.2}
    for key in [key for key in KEYS if chance.random() < 0.1]:
        new.pop(key, None)
    first, objects = heads.assemble(pages=old.values())
    second, more = heads.assemble(pages=new.values())
    objects |= more
    trie.run(reading(store.kept, _revision(first)), lambda wanted: {name: objects[name] for name in wanted})
    parents = {None, *chance.sample(KEYS, 6)}
    steps = joining._beside(store.kept, _revision(second), parents)
    found = trie.run(steps, lambda wanted: {name: objects[name] for name in wanted})
    assert {page.id: page for page in found} == {key: page for key, page in new.items() if page.parent in parents}
    assert len(found) == len({page.id for page in found})
