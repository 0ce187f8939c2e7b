"""Which rows go with a space to another organization: every row carries its organization, so that each has to be told."""

from __future__ import annotations

from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement

_OF_SPACE = "space = :space"
_OF_REQUESTS = "change_request IN (SELECT id FROM change_requests WHERE space = :space)"
_OF_COMMENTS = "comment IN (SELECT id FROM comments WHERE space = :space)"
CARRIED = {
    "revisions": _OF_SPACE,
    "change_requests": _OF_SPACE,
    "comments": _OF_SPACE,
    "git_syncs": _OF_SPACE,
    "git_operations": _OF_SPACE,
    "git_bases": _OF_SPACE,
    "git_connections": _OF_SPACE,
    "git_pushes": _OF_SPACE,
    "git_branches": _OF_SPACE,
    "import_runs": _OF_SPACE,
    "notifications": _OF_SPACE,
    "requested_reviewers": _OF_REQUESTS,
    "reviews": _OF_REQUESTS,
    "contributors": _OF_REQUESTS,
    "comment_replies": _OF_COMMENTS,
    "reactions": _OF_COMMENTS,
}
"""Table -> which of its rows."""
LEFT = frozenset(
    (
        "site_spaces", "search_heads", "search_pages", "search_sections", "search_words", "links", "link_heads", "invites",
        "integration_placements", "presences",
    )
)  # fmt: skip
"""Tables whose rows stay behind: a space that a site shows is not transferred, search and links begin anew, links that
invite to it and what integrations of the former organization may do there are over. What the audit log tells stays with
the organization in which it was done."""

_STATEMENTS = [
    Statement(f"UPDATE {table} SET organization = :organization WHERE {rows}") for table, rows in CARRIED.items()
]
_STATEMENTS += [
    Statement(f"DELETE FROM {table} WHERE space = :space AND organization <> :organization")
    for table in ("invites", "integration_placements")
]
_ROOTS = Statement("SELECT DISTINCT root FROM revisions WHERE space IN :spaces[]")
_SHOWN = Statement("SELECT DISTINCT space FROM site_spaces WHERE space IN :spaces[]")


async def carry(at: Connection, space: str, organization: str) -> None:
    """Tell every row of a space that it belongs to another organization; the space's own row is the caller's."""
    for statement in _STATEMENTS:
        await at.run(statement, {"space": space, "organization": organization})


async def roots(at: Connection, spaces: list[str]) -> list[bytes]:
    """The roots of every revision of these spaces."""
    return [bytes(row[0]) for row in await at.rows(_ROOTS, {"spaces": spaces})]


async def shown(at: Connection, spaces: list[str]) -> set[str]:
    """Those of these spaces that a site shows."""
    return {row[0] for row in await at.rows(_SHOWN, {"spaces": spaces})}
