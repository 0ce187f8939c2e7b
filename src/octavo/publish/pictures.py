"""Pictures of looks, for whoever reads a site: those that the look of a site or a variant names, and no other file."""

from __future__ import annotations

from octavo.kernel.errors import NotFound
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Store, Unit
from octavo.web.answers import FOREVER, Answer
from octavo.wire.sites import pictures

PLACE = "pictures/"
_HEADERS = (
    (b"cache-control", FOREVER.encode()),
    (b"access-control-allow-origin", b"*"),
    (b"x-content-type-options", b"nosniff"),
    # A drawing that somebody opens by itself is a document of this host.
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"),
)


async def picture(store: Store, blobs: Blobs, organization: str, name: str) -> Answer:
    """The picture with that name. Raises NotFound for what no look names."""
    found = pictures.of_name(name)
    if found is None:
        raise NotFound("there is no such picture")
    blob, media = found

    async def is_named(unit: Unit) -> bool:
        if await unit.people.organization(organization) is None:
            return False
        return any(blob in pictures.named(look) for look in await unit.fonts.looks(organization))

    data = await blobs.get(organization, blob) if await store.read(is_named) else None
    if data is None:
        raise NotFound("there is no such picture")
    return Answer(200, data, [(b"content-type", media.encode()), *_HEADERS], f'"{name}"'.encode())
