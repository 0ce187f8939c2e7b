"""Places of content: primary content, a change request, any revision by its id; alone, or down to one thing in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from octavo.access.locate import SeenChangeRequest, SeenRevision, SeenSpace
from octavo.history.contents import Contents, contents_of
from octavo.kernel.records.content import Revision
from octavo.resources.call import Call


@dataclass(frozen=True)
class AtContent:
    space: SeenSpace


@dataclass(frozen=True)
class AtContentPage(AtContent):
    page: str


@dataclass(frozen=True)
class AtContentFile(AtContent):
    file: str


@dataclass(frozen=True)
class AtContentPath(AtContent):
    path: str


@dataclass(frozen=True)
class AtDraft:
    """The head of a change request."""

    space: SeenSpace
    change_request: SeenChangeRequest


@dataclass(frozen=True)
class AtDraftPage(AtDraft):
    page: str


@dataclass(frozen=True)
class AtDraftFile(AtDraft):
    file: str


@dataclass(frozen=True)
class AtDraftPath(AtDraft):
    path: str


@dataclass(frozen=True)
class AtDraftReusable(AtDraft):
    reusable: str


@dataclass(frozen=True)
class AtRevision:
    space: SeenSpace
    revision: SeenRevision


@dataclass(frozen=True)
class AtRevisionPage(AtRevision):
    page: str


@dataclass(frozen=True)
class AtRevisionFile(AtRevision):
    file: str


@dataclass(frozen=True)
class AtRevisionPath(AtRevision):
    path: str


@dataclass(frozen=True)
class AtRevisionReusable(AtRevision):
    reusable: str


At: TypeAlias = AtContent | AtDraft | AtRevision
AtPage: TypeAlias = AtContentPage | AtDraftPage | AtRevisionPage
AtFile: TypeAlias = AtContentFile | AtDraftFile | AtRevisionFile
AtPath: TypeAlias = AtContentPath | AtDraftPath | AtRevisionPath
AtReusable: TypeAlias = AtDraftReusable | AtRevisionReusable


async def contents_at(call: Call, at: At) -> tuple[Revision, Contents]:
    """The revision that the path names, and what it holds."""
    if isinstance(at, AtRevision):
        revision = at.revision.record
    else:
        head = at.space.record.revision if isinstance(at, AtContent) else at.change_request.record.revision
        found = await call.unit.revisions.get(head)
        assert found is not None  # a head is written in the unit that makes the revision
        revision = found
    return revision, await contents_of(call.unit, revision)


def app_address(call: Call, at: At) -> str:
    """Where people see this place in the application."""
    space = at.space.record
    if isinstance(at, AtDraft):
        return call.view.change_request(space.organization, space.id, at.change_request.record.number)
    return call.view.space(space.organization, space.id)
