"""Places: what the words of paths stand for. Content is primary content, a change request, or a revision by its id."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import msgspec

from octavo.access.locate import (
    SeenChangeRequest,
    SeenCollection,
    SeenOrganization,
    SeenRevision,
    SeenSpace,
    SeenSpaceOrDeleted,
)
from octavo.access.locate_sites import SeenExternalLink, SeenSite, SeenSiteSection, SeenSiteSectionGroup, SeenSiteSpace
from octavo.access.locate_translations import SeenTranslation, SeenTranslationLanguage
from octavo.access.visits import Visit
from octavo.history.contents import Contents
from octavo.kernel.clock import DAY
from octavo.kernel.errors import absent
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.resources.call import Call
from octavo.site.visits import contents_for


class Place(msgspec.Struct, frozen=True):
    """The records that the words of a path stand for, in their order."""


class AtOrganization(Place, frozen=True):
    organization: SeenOrganization


class AtTranslation(AtOrganization, frozen=True):
    translation: SeenTranslation


class AtTranslationLanguage(AtTranslation, frozen=True):
    translation_language: SeenTranslationLanguage


class AtCollection(Place, frozen=True):
    collection: SeenCollection


class AtSite(AtOrganization, frozen=True):
    site: SeenSite


class AtSiteSection(AtSite, frozen=True):
    site_section: SeenSiteSection


class AtSiteSectionGroup(AtSite, frozen=True):
    site_section_group: SeenSiteSectionGroup


class AtSectionInGroup(AtSiteSectionGroup, frozen=True):
    site_section: SeenSiteSection


class AtExternalLink(AtSite, frozen=True):
    external_link: SeenExternalLink


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


class AtContentReusable(AtSpace, frozen=True):
    reusable: str


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
AtReusable: TypeAlias = AtContentReusable | AtDraftReusable | AtRevisionReusable


AFTER = 2 * DAY
"""Milliseconds for which visits still read what was primary content before: renderers ask for what they keep."""
_BEFORE = 50
"""Revisions of primary content that are looked at for it."""


async def contents_at(call: Call, at: At, *, computed: bool = False) -> tuple[Revision, Contents]:
    """The revision that the path names, and what it holds; to a visitor, what she may see of it. `computed` has pages in
    the place of entries that stand for some."""
    if isinstance(at, AtRevision):
        revision = at.revision.record
    else:
        head = at.space.record.revision if isinstance(at, AtSpace) else at.change_request.record.revision
        found = await call.unit.revisions.get(head)
        assert found is not None  # a head is written in the unit that makes the revision
        revision = found
    visiting = call.caller.visiting
    if visiting is not None and not await _is_open(call, at.space.record, visiting.visit, revision):
        raise absent("revision", revision.id)
    return revision, await contents_for(call.unit, call.caller, revision, computed=computed, follows=call.follows)


async def _is_open(call: Call, space: Space, visit: Visit, revision: Revision) -> bool:
    """Whether a revision is what visitors see, or was until lately; or what a visit looks at ahead of them."""
    if revision.id in (space.revision, visit.revision):
        return True
    if visit.change_request is not None:
        record = await call.unit.change_requests.find(space.id, visit.change_request)
        if record is not None and revision.id in (record.revision, record.base):
            return True
    line = await call.unit.revisions.line(space.revision, _BEFORE)
    later = {older.id: newer for newer, older in pairwise(line)}
    return revision.id in later and call.now - later[revision.id].created_at < AFTER


def app_address(call: Call, at: At) -> str:
    """Where people see this place in the application."""
    space = at.space.record
    if isinstance(at, AtChangeRequest):
        return call.view.change_request(space.organization, space.id, at.change_request.record.number)
    return call.view.space(space.organization, space.id)
