"""Buttons of integrations' blocks on pages: the script is asked what the button says, and the block is drawn again.

Nothing of it is kept: what a visitor sees after pressing is hers alone. The script is not told who she is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import msgspec

from octavo.access.addresses import client_address, household
from octavo.access.people.attempts import Allowance, spend
from octavo.content.document import block, document
from octavo.content.html.render import render
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, TooMany
from octavo.publish.boards import BOARDS, Asks, Board, Boards, Painter, Pressed
from octavo.publish.context import PageContext
from octavo.publish.endpoints import is_elsewhere
from octavo.publish.feedback import require_own
from octavo.publish.reading import Material, contents_at, material
from octavo.publish.request import SiteRequest
from octavo.publish.views import SiteChrome
from octavo.site.snapshot import Place
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Store
from octavo.web.answers import Answer, plain, zipped
from octavo.web.beside import beside
from octavo.web.fields import first, form_fields

BODY = 64 << 10
"""Bytes of a form: a token, which is a third longer than what it seals, and a number."""


class Pressing(msgspec.Struct, frozen=True):
    """Where buttons are pressed."""

    store: Store
    blobs: Blobs
    painter: Painter
    trusted: tuple[str, ...]
    """Addresses of proxies that are believed."""

    def shown(self, request: SiteRequest, boards: Boards) -> Mapping[Asks, Board]:
        """What blocks show on a page; with buttons on the site's own hosts, as no script runs where there are sessions."""
        allowed = is_elsewhere(request.address.base) and not request.snapshot.visitor.previews
        return self.painter.shown(boards, pressable=allowed)

    async def answer(self, request: SiteRequest, site: SiteChrome, place: Place) -> Answer | None:
        """The block as it is after a button was pressed: HTML of it alone, or 204 where it stays as it is; None where the
        visitor has no such page, and where nothing is pressed."""
        snapshot = request.snapshot
        if request.body is None or snapshot.visitor.previews or not is_elsewhere(request.address.base):
            return None
        contents = await self.store.read(lambda unit: contents_at(unit, snapshot, place.space.id, place.site_space))
        branch = contents.by_id.get(place.rest.removeprefix(BOARDS))
        if branch is None or branch.page.type != "document":
            return None
        require_own(request, "this button stands on another site; open the page and press it there")
        pressed, number = self._said(request)
        given = await material(self.store, self.blobs, snapshot, place, contents, branch, coloured=False)
        if pressed.asks not in given.asked:
            return None
        house = household(client_address(request.scope, request.headers, self.trusted))
        allowance = Allowance(f"boards {house}", limits.BOARD_PRESSES, 1)
        if not await self.store.write(lambda unit: spend(unit, [allowance])):
            raise TooMany("too much was pressed from your address; try again in a minute")
        output = await self.painter.draw(snapshot, place.space.id, pressed, pressed.actions[number])
        board = None if output is None else self.painter.board(pressed.asks, output)
        if board is None:
            return None if output is None else plain(204, "").header("cache-control", "no-store")
        html = await beside(_html, given, site, pressed.asks, board)
        return zipped(200, "text/html", html).header("cache-control", "no-store").header("x-robots-tag", "noindex")

    def _said(self, request: SiteRequest) -> tuple[Pressed, int]:
        fields = form_fields(request.headers, request.body or b"")
        number = first(fields, "press")
        try:
            pressed = self.painter.pressed(first(fields, "token"))
        except ValueError as error:
            raise BadRequest("token: this is not what the page has; load it again") from error
        if not number.isdecimal() or len(number) > 3 or int(number) >= len(pressed.actions):
            raise BadRequest("press: the block has no such button")
        return pressed, int(number)


def _html(given: Material, site: SiteChrome, asks: Asks, board: Board) -> str:
    data = {"integration": asks.integration, "block": asks.block, "props": msgspec.json.decode(asks.props)}
    alone = document([block("integration", data, void=True)])
    return render(alone, PageContext(dataclasses.replace(given, boards={asks: board}), site)).html
