"""What blocks of integrations show on pages: drawn by their scripts, kept, drawn anew when it is old; never waited for long."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from octavo.access.signing import Signer
from octavo.content.contentkit import blocks_of
from octavo.content.document import Node, walk
from octavo.kernel import drawings
from octavo.kernel.clock import MINUTE
from octavo.kernel.drawings import Drawing
from octavo.kernel.errors import Failure, TookTooLong, Unavailable
from octavo.kernel.events import IntegrationBlockWanted, IntegrationRenderWanted
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.settings import Settings
from octavo.site.injected import runs
from octavo.site.integrations import Active, active_on
from octavo.site.snapshot import Snapshot
from octavo.site.waiting import done
from octavo.store.unit import Store, Unit

BOARDS = "~octavo/boards/"
"""Where buttons of blocks are pressed: ahead of the id of their page, below the address of its space."""
SECONDS = 3.0
"""For which a page waits for what was never drawn."""
MOST = 20
"""Blocks of a page that are drawn; the others show what they are."""
PRESS_SECONDS = 15.0
"""For which somebody waits who pressed a button."""
TOKEN = 16 << 10
"""Bytes of state, properties and actions up to which buttons are there."""
_PAUSE = 1 * MINUTE
"""Before a page waits again for a block that did not come."""
_REMEMBERED = 1_000
_encode = msgspec.json.Encoder(order="deterministic").encode


class Asks(NamedTuple):
    """A block on a page."""

    integration: str
    block: str
    props: bytes
    """As JSON."""


class Board(NamedTuple):
    """What a block shows, as blocks; where its buttons may be pressed, all that they need, sealed."""

    blocks: list[Node]
    token: str = ""


class Pressed(msgspec.Struct, frozen=True, array_like=True):
    """What the token of a block says: so a visitor sends nothing that its script did not offer."""

    asks: Asks
    props: Json
    state: Json
    actions: list[Json]


class _Found(NamedTuple):
    """A block that something draws: under which key it is kept, and what is kept there."""

    active: Active
    key: bytes
    drawing: Drawing | None


Boards = Mapping[Asks, Drawing | None]
NONE: Boards = MappingProxyType({})


def asks_of(node: Node) -> Asks:
    """What a block of an integration asks for."""
    data = node.get("data") or {}
    return Asks(str(data.get("integration")), str(data.get("block")), _encode(data.get("props") or {}))


def asked_in(documents: Iterable[Node]) -> frozenset[Asks]:
    """The blocks of integrations on a page."""
    found = (asks_of(node) for one in documents for node in walk(one) if node.get("type") == "integration")
    return frozenset(sorted(found)[:MOST])


def state_of(boards: Boards) -> bytes:
    """A digest of what is shown: pages that show the same are the same."""
    outputs = [(asks, None if one is None else one.output) for asks, one in sorted(boards.items())]
    return blake2b(_encode(outputs), digest_size=12).digest()


class Painter:
    """Looks up what was drawn, and asks for what was not."""

    def __init__(self, store: Store, settings: Settings, signer: Signer) -> None:
        self._store, self._settings, self._signer = store, settings, signer
        self._waited: OrderedDict[bytes, int] = OrderedDict()
        """When a page last waited for it in vain."""

    async def drawn(self, snapshot: Snapshot, space: str, asked: Collection[Asks]) -> Boards:
        """What each of them shows now; None where nothing is there."""
        if not asked:
            return {}
        found = await self._store.read(lambda unit: self._found(unit, snapshot, space, asked))
        now = self._store.clock()
        old = [(asks, one) for asks, one in found.items() if one.drawing is None or one.drawing.until <= now]
        await asyncio.gather(*(self._ask(space, asks, one, now) for asks, one in old))
        if any(one.drawing is None for _, one in old):
            found = await self._store.read(lambda unit: self._found(unit, snapshot, space, asked))
        known = {asks: one.drawing for asks, one in found.items()}
        return {asks: known.get(asks) for asks in asked}

    def shown(self, boards: Boards, *, pressable: bool) -> dict[Asks, Board]:
        """What was drawn, as blocks; with buttons that ask its script where these may be pressed."""
        made = {
            asks: self.board(asks, one.output, pressable=pressable)
            for asks, one in boards.items()
            if one is not None and one.output is not None
        }
        return {asks: board for asks, board in made.items() if board is not None}

    def board(self, asks: Asks, output: Json, *, pressable: bool = True) -> Board | None:
        """What one block shows; None where nothing of it can be shown."""
        actions: list[Json] = []
        blocks = blocks_of(output, actions) if pressable else blocks_of(output)
        if blocks is None or not actions:
            return None if blocks is None else Board(blocks)
        props = output.get("props")
        state = output.get("state")
        own = props if isinstance(props, dict) else msgspec.json.decode(asks.props)
        said = _encode(Pressed(asks, own, state if isinstance(state, dict) else {}, actions))
        if len(said) > TOKEN:
            return Board(blocks_of(output) or [])
        return Board(blocks, self._signer.seal(said.decode()))

    def pressed(self, token: str) -> Pressed:
        """What a token says. Raises ValueError for one that is not ours."""
        return msgspec.json.decode(self._signer.unseal(token), type=Pressed)

    async def draw(self, snapshot: Snapshot, space: str, pressed: Pressed, action: Json) -> Json | None:
        """What the script draws when a button was pressed; None where nothing draws the block any more.

        Raises Unavailable where it draws nothing, TookTooLong where it takes too long.
        """
        asks = pressed.asks
        found = await self._store.read(lambda unit: self._found(unit, snapshot, space, [asks]))
        if asks not in found:
            return None
        said = _said(found[asks], space, asks) | {"props": pressed.props, "state": pressed.state, "action": action}
        wanted = IntegrationRenderWanted(
            organization=found[asks].active.installation.organization,
            integration=asks.integration,
            installation=found[asks].active.installation.id,
            sealed_payload=self._signer.seal(msgspec.json.encode(said).decode()),
        )
        try:
            made = await done(self._store, wanted, PRESS_SECONDS)
        except TookTooLong as failure:
            raise TookTooLong("the integration took too long to answer") from failure
        except Failure as failure:  # its mistakes are told to its authors, not to strangers
            raise Unavailable("the integration did not answer") from failure
        output: Json = msgspec.json.decode(self._signer.unseal(made["sealed_output"]))
        return output

    async def _found(self, unit: Unit, snapshot: Snapshot, space: str, asked: Collection[Asks]) -> dict[Asks, _Found]:
        organization = snapshot.site.organization
        active = await active_on(unit, organization, space, "space")
        active += await active_on(unit, organization, snapshot.site.id, "site")
        offers = {
            (one.integration.id, str(block["id"])): one
            for one in reversed(active)
            if runs(self._settings, one.integration, organization)
            for block in one.integration.blocks
        }
        keys = {
            asks: (one, _key(one, space, asks)) for asks in asked if (one := offers.get((asks.integration, asks.block)))
        }
        kept = await unit.cache.get(key for _, key in keys.values())
        return {
            asks: _Found(one, key, drawings.decode.decode(kept[key]) if key in kept else None)
            for asks, (one, key) in keys.items()
        }

    async def _ask(self, space: str, asks: Asks, board: _Found, now: int) -> None:
        """Have it drawn; what was never drawn is waited for, once a while."""
        waited = self._waited.get(board.key)
        if waited is not None and now - waited < _PAUSE:
            return
        self._waited[board.key] = now
        if len(self._waited) > _REMEMBERED:
            self._waited.popitem(last=False)
        said = _said(board, space, asks) | {"props": msgspec.json.decode(asks.props)}
        wanted = IntegrationBlockWanted(
            organization=board.active.installation.organization,
            integration=asks.integration,
            installation=board.active.installation.id,
            key=board.key.hex(),
            sealed_payload=self._signer.seal(msgspec.json.encode(said).decode()),
        )
        if board.drawing is not None:
            await self._store.write(lambda unit: unit.emit(wanted))
            return
        try:
            await done(self._store, wanted, SECONDS)
        except Failure:
            return  # the page shows what the block is
        self._waited.pop(board.key, None)


def _said(board: _Found, space: str, asks: Asks) -> Json:
    """What a script is told that is to draw a block of a page; it is not told who reads."""
    return {
        "type": "ui_render",
        "eventId": new_id(),
        "installationId": board.active.installation.id,
        "spaceId": space,
        "componentId": asks.block,
        "context": {"type": "document", "theme": "light", "spaceId": space, "editable": False},
    }


def _key(one: Active, space: str, asks: Asks) -> bytes:
    """All that a drawing is made of."""
    told: list[Any] = [one.integration.script, one.integration.sealed_secrets, one.installation.sealed_configuration]
    told += [None if one.place is None else one.place.sealed_configuration, space, *asks]
    return blake2b(repr(told).encode(), digest_size=16, person=b"octavo-board").digest()
