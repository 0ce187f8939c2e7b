"""What a row's function is given: its unit, its caller, its address book; and how lists are cut into pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from octavo.access.caller import Caller
from octavo.access.signing import Download, Key, Signer
from octavo.content.revision import File
from octavo.kernel.settings import Settings
from octavo.store.unit import Unit
from octavo.wire.lists import Listing, ListQuery, listing
from octavo.wire.view import View

T = TypeVar("T")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some entries of a list, how many there are in all, and the token of the rest."""

    items: list[T]
    count: int
    next: str | None

    def present(self, one: Callable[[T], Out]) -> Listing[Out]:
        """The list envelope, each entry presented by `one`."""
        return listing([one(item) for item in self.items], self.count, self.next)


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

    @property
    def now(self) -> int:
        return self.unit.now

    def download(self, organization: str, file: File) -> str:
        """Where the bytes of a file are fetched."""
        path = self.signer.download_path(Download(organization, file.blob, file.content_type), file.name)
        return self.view.app + path

    def behind(self, query: ListQuery) -> Key | None:
        """Where the asked page begins: behind this key; None = at the start."""
        return None if query.page is msgspec.UNSET else self.signer.read_cursor(self.list_name, query.page)

    def newest_behind(self, query: ListQuery) -> tuple[int, str]:
        """The same for lists by (created, id), newest first; the start is later than everything."""
        key = self.behind(query)
        return (1 << 62, "") if key is None else (int(key[0]), str(key[1]))

    def listing(self, items: Sequence[T], total: int, query: ListQuery, key: Callable[[T], Key]) -> Page[T]:
        """A page from `limit + 1` entries that begin where the page does."""
        limit = query.limit
        more = len(items) > limit > 0
        shown = items[:limit]
        return Page(list(shown), total, self.signer.write_cursor(self.list_name, key(shown[-1])) if more else None)

    def cut(self, items: Sequence[T], query: ListQuery, key: Callable[[T], Key]) -> Page[T]:
        """A page of a whole list that is sorted by `key`, ascending."""
        behind = self.behind(query)
        rest = list(items) if behind is None else [item for item in items if key(item) > behind]
        return self.listing(rest[: query.limit + 1], len(items), query, key)
