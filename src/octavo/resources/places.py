"""Places: what the words of paths stand for. Content is primary content, a change request, or a revision by its id."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from octavo.access.locate import (
    SeenChangeRequest,
    SeenCollection,
    SeenOrganization,
    SeenRevision,
    SeenSite,
    SeenSiteSpace,
    SeenSpace,
    SeenSpaceOrDeleted,
)
from octavo.history.contents import Contents, contents_of
from octavo.kernel.records.content import Revision
from octavo.resources.call import Call


class Place(msgspec.Struct, frozen=True):
    """The records that the words of a path stand for, in their order."""


class AtOrganization(Place, frozen=True):
    organization: SeenOrganization


class AtCollection(Place, frozen=True):
    collection: SeenCollection


class AtSite(AtOrganization, frozen=True):
    site: SeenSite


class AtSiteSpace(AtSite, frozen=True):
    site_space: SeenSiteSpace


class AtSpaceOrDeleted(Place, frozen=True):
    space: SeenSpaceOrDeleted


class AtSpace(Place, frozen=True):
    """A space, or its primary content."""

    space: SeenSpace


class AtContentPage(AtSpace, frozen=True):
    page: str


class AtContentFile(AtSpace, frozen=True):
    file: str


class AtContentPath(AtSpace, frozen=True):
    path: str


class AtChangeRequest(Place, frozen=True):
    """A change request, or the content of its head."""

    space: SeenSpace
    change_request: SeenChangeRequest


class AtDraftPage(AtChangeRequest, frozen=True):
    page: str


class AtDraftFile(AtChangeRequest, frozen=True):
    file: str


class AtDraftPath(AtChangeRequest, frozen=True):
    path: str


class AtDraftReusable(AtChangeRequest, frozen=True):
    reusable: str


class AtRevision(Place, frozen=True):
    space: SeenSpace
    revision: SeenRevision


class AtRevisionPage(AtRevision, frozen=True):
    page: str


class AtRevisionFile(AtRevision, frozen=True):
    file: str


class AtRevisionPath(AtRevision, frozen=True):
    path: str


class AtRevisionReusable(AtRevision, frozen=True):
    reusable: str


At: TypeAlias = AtSpace | AtChangeRequest | AtRevision
AtPage: TypeAlias = AtContentPage | AtDraftPage | AtRevisionPage
AtFile: TypeAlias = AtContentFile | AtDraftFile | AtRevisionFile
AtPath: TypeAlias = AtContentPath | AtDraftPath | AtRevisionPath
AtReusable: TypeAlias = AtDraftReusable | AtRevisionReusable


async def contents_at(call: Call, at: At) -> tuple[Revision, Contents]:
    """The revision that the path names, and what it holds."""
    if isinstance(at, AtRevision):
        revision = at.revision.record
    else:
        head = at.space.record.revision if isinstance(at, AtSpace) else at.change_request.record.revision
        found = await call.unit.revisions.get(head)
        assert found is not None  # a head is written in the unit that makes the revision
        revision = found
    return revision, await contents_of(call.unit, revision)


def app_address(call: Call, at: At) -> str:
    """Where people see this place in the application."""
    space = at.space.record
    if isinstance(at, AtChangeRequest):
        return call.view.change_request(space.organization, space.id, at.change_request.record.number)
    return call.view.space(space.organization, space.id)
