"""A tree brought up to date is the tree that would be grown anew."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from octavo.content.revision import Page, flatten, replanted, tree

KEYS = "abcdefgh"


@st.composite
def forests(draw: st.DrawFn) -> list[Page]:
    """Pages below earlier ones; a few stand below one that is absent or not listed."""
    made: list[Page] = []
    for at, key in enumerate(KEYS[: draw(st.integers(1, len(KEYS)))]):
        parent = draw(st.sampled_from([None, "gone", *KEYS[:at]]))
        listed = draw(st.booleans()) or draw(st.booleans())
        made.append(
            Page(
                id=key,
                type="document",
                title="Old",
                slug=key,
                position=draw(st.sampled_from("012")),
                parent=parent,
                listed=listed,
            )
        )
    return made


@given(forests(), st.sets(st.sampled_from(KEYS)))
def test_only_what_changed_is_made_anew(pages: list[Page], changed: set[str]) -> None:
    before = tree(pages)
    known = {branch.page.id: branch for branch in flatten(before)}
    new = [msgspec.structs.replace(page, title="New") if page.id in changed and page.listed else page for page in pages]
    by_id = dict(known)
    after = replanted(before, by_id, [page for page in new if page.title == "New"])
    assert after == tree(new)
    assert by_id == {branch.page.id: branch for branch in flatten(tree(new))}
    kept = [key for key, branch in by_id.items() if all(one.page.title == "Old" for one in flatten([branch]))]
    assert all(by_id[key] is known[key] for key in kept)
