"""What a row's function is given: its unit, its caller, its address book; and how lists are cut into pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

import msgspec

from octavo.access.caller import Caller
from octavo.access.signing import Download, Key, Signer
from octavo.content.revision import File
from octavo.kernel.events import Event
from octavo.kernel.operation import given_by
from octavo.kernel.records import Json
from octavo.kernel.settings import Settings
from octavo.site.waiting import done
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Provenance, Store, Unit
from octavo.wire.lists import Listing, ListQuery, listing
from octavo.wire.view import View

T = TypeVar("T")
Out = TypeVar("Out")


class Slice(msgspec.Struct, Generic[T], frozen=True):
    """Some entries of a list, how many there are in all where that is known, and the token of the rest."""

    items: list[T]
    count: int | None
    next: str | None


class EncodedSlice(msgspec.Struct, frozen=True):
    """The same with its entries presented, as one JSON array."""

    items: msgspec.Raw
    count: int | None
    next: str | None


class listed(Generic[T, Out]):
    """A presenter of slices from the presenter of one entry."""

    def __init__(self, one: Callable[[T, View], Out]) -> None:
        self._one = one

    def __call__(self, found: Slice[T] | EncodedSlice, view: View) -> Listing[Out]:
        if isinstance(found, EncodedSlice):
            return listing(cast("list[Out]", found.items), found.count, found.next)
        one = self._one
        return listing([one(item, view) for item in found.items], found.count, found.next)

    @property
    def gives(self) -> Any:
        """The shape of the list."""
        return Listing[given_by(self._one)]  # type: ignore[misc]


async def no_turns() -> None:
    """Where there is no locked row, nobody waits."""


class Ahead(msgspec.Struct, frozen=True):
    """What a row's `before` is given: there is no unit around it, so it may take its time."""

    store: Store
    blobs: Blobs
    caller: Caller
    provenance: Provenance
    settings: Settings
    signer: Signer
    view: View
    query: Any = None
    attempt: int = 1
    """How often this has been prepared, while others were faster."""
    take_turn: Callable[[], Awaitable[None]] = no_turns
    """Wait for everybody in this process who prepares for the same locked row and has said so; the turn ends with the
    row's unit, or with what breaks."""

    async def read(self, work: Callable[[Unit], Awaitable[T]]) -> T:
        """Run `work` on one view of the data."""
        return await self.store.read(work, self.provenance)

    def call(self, unit: Unit) -> Call:
        """The same request inside a unit, for what asks as its row does."""
        return Call(unit, self.caller, self.view, self.settings, self.signer, "", self.query)

    async def done(self, event: Event, seconds: float) -> Json:
        """Emit an event that asks for one job, and wait for it: its result. Raises as `site.waiting.done` does."""
        return await done(self.store, event, seconds, self.provenance)


_ORDERS = ("order", "order_by", "sort")
"""Names by which queries say how a list is sorted."""


class Call(msgspec.Struct, frozen=True):
    """One request inside its unit."""

    unit: Unit
    caller: Caller
    view: View
    settings: Settings
    signer: Signer
    list_name: str
    """The address of the list that a page token belongs to."""
    query: Any = None
    prepared: Any = None
    """What the row's `before` returned."""
    actions: Mapping[str, str] = {}
    """Every action of the audit log, with words for people."""
    follows: set[str] = msgspec.field(default_factory=set)
    """What else than the path's own resources the answer follows, by the tags that renderers keep answers under."""

    @property
    def now(self) -> int:
        return self.unit.now

    def download(self, organization: str, space: str, file: File) -> str:
        """Where the bytes of a file of that space are fetched, as long as the space is there."""
        named = Download(organization, space, file.blob, file.content_type)
        return self.view.app + self.signer.download_path(named, file.name, self.now, self.settings.file_days)

    def behind(self, query: ListQuery) -> Key | None:
        """Where the asked page begins: behind this key; None = at the start."""
        return None if query.page is msgspec.UNSET else self.signer.read_cursor(self._list(query), query.page)

    def newest_behind(self, query: ListQuery) -> tuple[int, str]:
        """The same for lists by (created, id), newest first; the start is later than everything."""
        key = self.behind(query)
        return (1 << 62, "") if key is None else (int(key[0]), str(key[1]))

    def listing(self, items: Sequence[T], total: int, query: ListQuery, key: Callable[[T], Key]) -> Slice[T]:
        """A page from `limit + 1` entries that begin where the page does."""
        limit = query.limit
        more = len(items) > limit > 0
        shown = items[:limit]
        return Slice(list(shown), total, self.signer.write_cursor(self._list(query), key(shown[-1])) if more else None)

    def _list(self, query: ListQuery) -> str:
        """What a page token belongs to: a place in one order is none in another."""
        return "?".join([self.list_name, *(str(getattr(query, name)) for name in _ORDERS if hasattr(query, name))])

    def cut(self, items: Sequence[T], query: ListQuery, key: Callable[[T], Key]) -> Slice[T]:
        """A page of a whole list that is sorted by `key`, ascending."""
        behind = self.behind(query)
        rest = list(items) if behind is None else [item for item in items if key(item) > behind]
        return self.listing(rest[: query.limit + 1], len(items), query, key)
