"""Which pages of a space a PDF holds, and where they stand in it."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.content import conditions
from octavo.content.revision import Branch, Page
from octavo.history.contents import Contents
from octavo.history.evaluate import somebody
from octavo.jobs.content.pdf_request import Place
from octavo.kernel.records import Json


def places(contents: Contents, page: str | None, only: bool, claims: Json) -> list[Place]:
    """The pages that somebody with these claims sees in the table of contents, or below one page, in reading order.

    A page that is asked for is there even where it is hidden, or its condition does not hold.
    """
    if page is None:
        return list(_below(contents, claims, contents.branches, 1, "", []))
    branch = contents.by_id[page]
    below = [] if only else list(_below(contents, claims, branch.branches, 2, branch.page.title, []))
    if branch.page.type == "document":
        return [Place(page), *below]
    if below:
        below[0].groups.insert(0, (1, branch.page.title))
    return below


def open_pages(contents: Contents, claims: Json) -> list[Page]:
    """The pages that she may see, also where no table of contents shows them."""
    return [page for page in contents.pages.values() if _open(contents, claims, page)]


def _below(
    contents: Contents, claims: Json, branches: list[Branch], level: int, above: str, groups: list[tuple[int, str]]
) -> Iterator[Place]:
    """`groups` are those that begin with the next page; whoever sets it takes them."""
    for branch in branches:
        page = branch.page
        if page.hidden or not _holds(contents, claims, page):
            continue
        if page.type == "group":
            waiting = [*groups, (level, page.title)]
            inside = list(_below(contents, claims, branch.branches, level + 1, page.title, waiting))
            if inside:
                groups.clear()
            yield from inside
        elif page.type == "document":
            yield Place(page.id, level, list(groups), above)
            groups.clear()
            yield from _below(contents, claims, branch.branches, level + 1, page.title, groups)


def _open(contents: Contents, claims: Json, page: Page) -> bool:
    at: Page | None = page
    while at is not None:
        if not _holds(contents, claims, at):
            return False
        at = contents.pages.get(at.parent) if at.parent is not None else None
    return True


def _holds(contents: Contents, claims: Json, page: Page) -> bool:
    if not page.condition:
        return True
    return conditions.compile(page.condition).holds(somebody(claims, contents.root.variables, page.variables))
