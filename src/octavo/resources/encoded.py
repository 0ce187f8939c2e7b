"""Lists as JSON that is kept: as long as nothing of what a list is made of is another, nobody presents or encodes it again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from octavo.resources.call import Call
from octavo.store.kept import Kind

_bytes = msgspec.msgpack.Encoder().encode


def lists(name: str) -> Kind[msgspec.Raw]:
    """A kind of such lists. What one goes by weighs about as much as itself."""
    return Kind(name, lambda encoded: 2 * memoryview(encoded).nbytes)


async def encoded(
    call: Call, kind: Kind[msgspec.Raw], made_of: object, make: Callable[[], Awaitable[Sequence[msgspec.Struct]]]
) -> msgspec.Raw:
    """The JSON of what `make` presents. All that it depends on but the address book is in `made_of`, as records and plain
    values: what the store has now, and what of the caller decides."""
    # Bytes know their hash and compare at once; a thousand values do neither.
    key = _bytes((call.view, made_of))
    found = call.unit.kept.get(kind, key)
    if found is None:
        found = call.unit.kept.put(kind, key, msgspec.Raw(msgspec.json.encode(await make())))
    return found
