"""PDFs of content: what makes one what it is, and where a finished one is kept."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from octavo import __version__
from octavo.kernel.records import Json
from octavo.store.unit import Unit


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a PDF is made of: equal orders make equal PDFs."""

    organization: str
    space: str
    root: str
    """Digest of the content's root object, hexadecimal."""
    page: str | None
    """The page to begin with; None for the whole content."""
    only: bool
    """That page without those below it."""
    title: str
    """Of the space."""
    emoji: str
    language: str
    owner: str
    """Title of the organization."""
    change_request: str = ""
    """Number and subject; empty for primary content."""
    address: str = ""
    """Where visitors find the space; empty while it is not published."""
    first: str | None = None
    """The page that stands there, where that is not the content's own first one."""
    claims: Json = {}
    """What is known of the visitor of a site for whom it is made: what she may not see is not in it."""
    apis: list[str] = []
    """The newest versions of the descriptions of APIs that pages may show."""

    @property
    def blob(self) -> str:
        """The name of the PDF among the organization's blobs; another version of Octavo gives another."""
        made_of = f"{__version__}\n".encode() + msgspec.json.encode(self)
        return f"pdf-{blake2b(made_of, digest_size=20).hexdigest()}"


async def kept(unit: Unit, order: Order) -> bool:
    """Whether the PDF is there. In a unit that writes: it then stays for longer than its address serves."""
    if not await unit.blobs.has(order.organization, order.blob):
        return False
    await keep(unit, order, 0)  # the size of what is there already is not changed
    return True


async def keep(unit: Unit, order: Order, size: int) -> None:
    """Note that the bytes of the PDF are stored."""
    await unit.blobs.put(order.organization, {order.blob: size}, unit.now)
