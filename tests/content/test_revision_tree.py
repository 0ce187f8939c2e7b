"""The pages of a revision in order."""

from __future__ import annotations

from itertools import permutations

from octavo.content.revision import Page, outside


def _aside(id: str, slug: str) -> Page:
    return Page(id=id, type="document", title=id, slug=slug, position="", listed=False)


def test_pages_of_one_address_outside_of_the_contents_have_one_order() -> None:
    pages = [_aside("b", "notes"), _aside("a", "notes"), _aside("c", "more")]
    orders = {tuple(branch.page.id for branch in outside(some)) for some in permutations(pages)}
    assert orders == {("c", "a", "b")}
