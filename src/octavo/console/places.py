"""Addresses below /o: what the API and letters call a thing's page. It says what the thing is, and where to find it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from octavo.access import locate, locate_integrations, locate_openapi, locate_sites
from octavo.access.caller import Caller
from octavo.console.request import ConsoleRequest
from octavo.history.contents import ADDRESSED, contents_of
from octavo.kernel.errors import NotFound
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization
from octavo.site.addresses import page_path
from octavo.site.shown import show_site, show_spaces
from octavo.store.unit import Unit
from octavo.web.answers import Answer, html
from octavo.wire.openapi import public_url
from octavo.wire.view import View

_WORD = r"([\w-]{1,64})"
_NOWHERE = "There is nothing at this address that you may see."


@dataclass(frozen=True)
class Thing:
    """What an address names."""

    kind: str
    title: str
    api: str
    """Where programs ask for it."""
    published: str | None = None
    """Where visitors read it."""
    within: str = ""
    """What it is part of."""


@dataclass(frozen=True)
class _Asked:
    """Who asks, and how things are shown."""

    unit: Unit
    caller: Caller
    view: View
    organization: Organization


async def show(request: ConsoleRequest, caller: Caller, path: str) -> Answer:
    """GET /o/…. Raises NotFound for what is not there, or not to be seen by the caller."""
    view = View(api=request.services.base, app=request.services.base)

    async def work(unit: Unit) -> Thing:
        for pattern, find in _FINDERS:
            found = pattern.fullmatch(path)
            if found is not None:
                seen = await locate.organization(unit, caller, found[1])
                return await find(_Asked(unit, caller, view, seen.record), *found.groups()[1:])
        raise NotFound(_NOWHERE)

    try:
        thing = await request.services.store.read(work)
    except NotFound as absent:
        raise NotFound(_NOWHERE) from absent
    return html(200, request.render("place.html", thing=thing))


async def _organization(asked: _Asked) -> Thing:
    one = asked.organization
    return Thing("Organization", one.title, asked.view.location("orgs", one.id))


async def _collection(asked: _Asked, word: str) -> Thing:
    one = (await locate.collection(asked.unit, asked.caller, word)).record
    _belongs(asked, one.organization)
    return Thing("Collection", one.title, asked.view.location("collections", one.id), within=asked.organization.title)


async def _site(asked: _Asked, word: str) -> Thing:
    seen = await locate_sites.site(asked.unit, asked.caller, word, asked.organization)
    shown = show_site(seen.record, seen.role, asked.view)
    api = asked.view.location("orgs", asked.organization.id, "sites", seen.record.id)
    return Thing("Site", seen.record.title, api, shown.published, asked.organization.title)


async def _specification(asked: _Asked, word: str) -> Thing:
    spec = (await locate_openapi.spec(asked.unit, asked.caller, word, asked.organization)).record
    api = asked.view.location("orgs", asked.organization.id, "openapi", spec.slug)
    return Thing("OpenAPI specification", spec.slug, api, public_url(spec, asked.view), asked.organization.title)


async def _integration(asked: _Asked, word: str) -> Thing:
    one = (await locate_integrations.integration(asked.unit, asked.caller, word)).record
    _belongs(asked, one.organization)
    return Thing("Integration", one.title, asked.view.location("integrations", one.id), within=asked.organization.title)


async def _space(asked: _Asked, word: str, page: str | None) -> Thing:
    space, published = await _found(asked, word)
    api = asked.view.location("spaces", space.id)
    if page is None:
        return Thing("Space", space.title, api, published, asked.organization.title)
    head = await asked.unit.revisions.get(space.revision)
    contents = None if head is None else await contents_of(asked.unit, head)
    branch = None if contents is None else contents.by_id.get(page)
    if contents is None or branch is None:
        raise NotFound(_NOWHERE)
    at = None
    if published is not None and branch.page.type in ADDRESSED:
        first = contents.landing is not None and contents.landing.page.id == page
        at = published if first else published + page_path(branch.path)
    return Thing("Page", branch.page.title, f"{api}/content/page/{page}", at, space.title)


async def _change_request(asked: _Asked, word: str, number: str, page: str | None) -> Thing:
    space, _ = await _found(asked, word)
    one = (await locate.change_request(asked.unit, asked.caller, number, space)).record
    api = asked.view.location("spaces", space.id, "change-requests", one.id)
    title = f"#{one.number} {one.subject}"
    return Thing("Change request", title, api if page is None else f"{api}/content/page/{page}", within=space.title)


async def _revision(asked: _Asked, word: str, revision: str, page: str | None) -> Thing:
    space, _ = await _found(asked, word)
    one = (await locate.revision(asked.unit, revision, space)).record
    api = asked.view.location("spaces", space.id, "revisions", one.id)
    return Thing("Revision", one.id, api if page is None else f"{api}/page/{page}", within=space.title)


async def _found(asked: _Asked, word: str) -> tuple[Space, str | None]:
    """A space of the organization, and where visitors read it."""
    seen = await locate.space(asked.unit, asked.caller, word)
    _belongs(asked, seen.record.organization)
    shown = await show_spaces(asked.unit, asked.view, [seen.record], {seen.record.id: seen.role})
    return seen.record, shown[0].published


def _belongs(asked: _Asked, organization: str) -> None:
    if organization != asked.organization.id:
        raise NotFound(_NOWHERE)


_PAGE = f"(?:/{_WORD})?"
_FINDERS: tuple[tuple[re.Pattern[str], Callable[..., Awaitable[Thing]]], ...] = (
    (re.compile(f"/o/{_WORD}"), _organization),
    (re.compile(f"/o/{_WORD}/c/{_WORD}"), _collection),
    (re.compile(f"/o/{_WORD}/sites/{_WORD}"), _site),
    (re.compile(f"/o/{_WORD}/openapi/([a-z0-9-]{{1,100}})"), _specification),
    (re.compile(f"/o/{_WORD}/integrations/([a-zA-Z0-9-_.]+)"), _integration),
    (re.compile(f"/o/{_WORD}/s/{_WORD}{_PAGE}"), _space),
    (re.compile(f"/o/{_WORD}/s/{_WORD}/~/changes/{_WORD}{_PAGE}"), _change_request),
    (re.compile(f"/o/{_WORD}/s/{_WORD}/~/revisions/{_WORD}{_PAGE}"), _revision),
)
"""The addresses that `wire.view` writes."""
