"""A request for something on one site, as everything that answers it is given it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from octavo.publish.building import Address
from octavo.site.snapshot import Snapshot
from octavo.store.content.blobs import Blobs
from octavo.web.asgi import Headers, Scope
from octavo.web.fields import Fields


@dataclass(frozen=True)
class SiteRequest:
    """Site and path of a request, and how it was asked."""

    snapshot: Snapshot
    address: Address
    path: str
    """Below the site's base, percent-decoded, without a leading slash."""
    query: Fields
    scope: Scope
    blobs: Blobs
    body: bytes | None = None
    """What was posted."""

    @cached_property
    def headers(self) -> dict[bytes, bytes]:
        """By name; of one that came several times, the last."""
        return dict(self.scope["headers"])

    @property
    def accept(self) -> str:
        """The types that are asked for."""
        return self.headers.get(b"accept", b"").decode("latin-1")

    def with_query(self, href: str) -> str:
        """The address with the query of this request."""
        return href + ("?" + urlencode(self.query, doseq=True) if self.query else "")


def is_ahead(headers: Headers) -> bool:
    """Whether a browser fetches or makes a page before somebody wants it; whoever opens it later may never ask for it again."""
    return headers.get(b"sec-purpose", headers.get(b"purpose", b"")).startswith(b"prefetch")
