"""Every room's operations; a room is in the API when it has its line here."""

from __future__ import annotations

from typing import cast

from octavo.api.router import AnyOperation
from octavo.resources import (
    change_requests,
    changes,
    collections,
    comments,
    content_import,
    content_writing,
    git,
    links,
    organizations,
    pdf,
    permissions,
    published_site,
    reviews,
    revision_content,
    revisions,
    search,
    sites,
    spaces,
    teams,
    transfers,
    uploads,
)

OPERATIONS: tuple[AnyOperation, ...] = cast(
    "tuple[AnyOperation, ...]",
    (
        *organizations.OPERATIONS,
        *teams.OPERATIONS,
        *collections.OPERATIONS,
        *spaces.OPERATIONS,
        *transfers.OPERATIONS,
        *permissions.OPERATIONS,
        *revision_content.OPERATIONS,
        *revisions.OPERATIONS,
        *change_requests.OPERATIONS,
        *content_writing.OPERATIONS,
        *content_import.OPERATIONS,
        *changes.OPERATIONS,
        *reviews.OPERATIONS,
        *comments.OPERATIONS,
        *git.OPERATIONS,
        *links.OPERATIONS,
        *pdf.OPERATIONS,
        *sites.OPERATIONS,
        *published_site.OPERATIONS,
        *search.OPERATIONS,
        *uploads.OPERATIONS,
    ),
)
