"""Every room's operations; a room is in the API when it has its line here."""

from __future__ import annotations

from typing import cast

from octavo.api.router import AnyOperation
from octavo.resources import git, organizations, published_site, revision_content, search, sites, spaces

OPERATIONS: tuple[AnyOperation, ...] = cast(
    "tuple[AnyOperation, ...]",
    (
        *organizations.OPERATIONS,
        *spaces.OPERATIONS,
        *revision_content.OPERATIONS,
        *git.OPERATIONS,
        *sites.OPERATIONS,
        *published_site.OPERATIONS,
        *search.OPERATIONS,
    ),
)
