"""The words of ASGI: what a server hands to a door, and what a door hands back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]
Headers = dict[bytes, bytes]
"""Headers of a request by name, in lower case; of one that comes twice the last."""
