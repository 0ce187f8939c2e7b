"""A tree brought up to date is the tree that would be grown anew, and so are the addresses that follow from it."""

from __future__ import annotations

import msgspec
from hypothesis import event, given
from hypothesis import strategies as st

from octavo.content.planting import replanted
from octavo.content.revision import Page, flatten, tree

KEYS = "abcdefgh"
Pages = dict[str, Page]


@st.composite
def entries(draw: st.DrawFn, key: str) -> Page:
    """A page below any other, also below itself or one that is absent."""
    return Page(
        id=key,
        type="document",
        title=draw(st.sampled_from(["Old", "New"])),
        slug=draw(st.sampled_from([key, key, "same"])),
        position=draw(st.sampled_from("012")),
        parent=draw(st.sampled_from([None, None, None, *KEYS])),
        listed=draw(st.booleans()) or draw(st.booleans()),
    )


@st.composite
def revisions(draw: st.DrawFn) -> tuple[Pages, Pages]:
    """Pages, and what became of them: a few changed, went or came."""
    old = {key: draw(entries(key)) for key in KEYS if draw(st.integers(0, 4))}
    new = dict(old)
    for key in draw(st.sets(st.sampled_from(KEYS), max_size=3)):
        new.pop(key, None)
        if draw(st.integers(0, 3)):
            new[key] = draw(entries(key))
    return old, new


@given(revisions())
def test_the_tree_is_the_one_that_is_grown_anew(case: tuple[Pages, Pages]) -> None:
    old, new = case
    before, after = tree(old.values()), tree(new.values())
    known = {branch.page.id: branch for branch in flatten(before)}
    changed = {key for key in (*old, *new) if old.get(key) != new.get(key)}
    found = replanted(before, known, old, new, changed)
    if found is None:
        event("below themselves")
        listed = [sum(page.listed for page in pages.values()) for pages in (old, new)]
        assert [len(known), len([*flatten(after)])] != listed, "only where a tree does not show all pages"
        return
    branches, made = found
    assert branches == after
    grown = {branch.page.id: branch for branch in flatten(branches)}
    assert {key: branch for key, branch in known.items() if key in grown} | made == grown
    kept = [key for key in grown if key not in made]
    assert all(grown[key] is known[key] for key in kept)


@given(revisions())
def test_what_did_not_change_is_not_made_anew(case: tuple[Pages, Pages]) -> None:
    old, new = case
    before = tree(old.values())
    known = {branch.page.id: branch for branch in flatten(before)}
    changed = {key for key in (*old, *new) if old.get(key) != new.get(key)}
    found = replanted(before, known, old, new, changed)
    if found is None:
        return
    for key, branch in found[1].items():
        if key not in changed and (was := known.get(key)) is not None:
            # Its address is another one, something below it changed, or what it stands in came or went.
            below = {one.page.id for whole in (was, branch) for one in flatten([whole])}
            assert branch.path != was.path or below & changed or branch.page.parent in changed


def test_a_new_page_among_thousands_makes_two_branches() -> None:
    group = Page(id="group", type="group", title="", slug="group", position="0")
    pages = {f"p{at}": Page(id=f"p{at}", type="document", title="", slug=f"p{at}", position=f"{at:05}",
                            parent="group" if at < 30 else None) for at in range(3000)}  # fmt: skip
    old = pages | {"group": group}
    before = tree(old.values())
    known = {branch.page.id: branch for branch in flatten(before)}
    fresh = Page(id="new", type="document", title="", slug="new", position="00010a", parent="group")
    found = replanted(before, known, old, old | {"new": fresh}, ["new"])
    assert found is not None
    assert found[1].keys() == {"group", "new"}
    assert found[1]["new"].path == "group/new"
    moved = msgspec.structs.replace(group, slug="moved")
    found = replanted(before, known, old, old | {"group": moved}, ["group"])
    assert found is not None
    assert len(found[1]) == 31
