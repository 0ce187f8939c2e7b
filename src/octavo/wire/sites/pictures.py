"""Pictures of looks: files that were uploaded, named in customizations by addresses of this installation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from octavo.wire.fields import Body, Shape
from octavo.wire.sites.fonts import Key
from octavo.wire.view import View

ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/svg+xml": "svg",
}
"""Types that are taken, and how the address of one ends."""
_NAME = re.compile(rf"([0-9a-f]{{64}})\.({'|'.join(ENDINGS.values())})")
# An installation may be called by an address with a path: what is no match is a file that nothing names.
_ADDRESS = re.compile(rf"(?:https?://[^/?#]+(?:/[^?#]*?)?)?/~octavo/(pictures/([\w-]+)/({_NAME.pattern}))")


class AddPicture(Body, frozen=True):
    storage_key: Key


class Picture(Shape, frozen=True):
    """`url` is for looks; it leads somewhere from when the look of a site names it until none does."""

    url: str
    content_type: str
    size: int
    """In bytes."""


class PictureView(msgspec.Struct, frozen=True):
    organization: str
    blob: str
    content_type: str
    size: int


def present(shown: PictureView, view: View) -> Picture:
    """The picture as the API serves it."""
    name = f"{shown.blob}.{ENDINGS[shown.content_type]}"
    return Picture(f"{view.app}/~octavo/pictures/{shown.organization}/{name}", shown.content_type, shown.size)


def of_name(name: str) -> tuple[str, str] | None:
    """(blob, media type) of the last part of an address; None for what is none."""
    found = _NAME.fullmatch(name)
    kinds = {ending: media for media, ending in ENDINGS.items()}
    return None if found is None else (found[1], kinds[found[2]])


def named(stored: Any) -> Iterator[str]:
    """The blobs of the pictures that a customization names."""
    if isinstance(stored, dict):
        for value in stored.values():
            yield from named(value)
    elif isinstance(stored, list | tuple):
        for value in stored:
            yield from named(value)
    elif isinstance(stored, str) and (found := _ADDRESS.fullmatch(stored)) is not None:
        yield found[4]


def below(url: str, organization: str) -> str:
    """`pictures/…`, which stands below `~octavo/` of every site, however the installation was called when it was named; ""
    for the address of anything else than a picture of the organization."""
    found = _ADDRESS.fullmatch(url)
    return found[1] if found is not None and found[2] == organization else ""


def here(stored: Any, organization: str, view: View) -> Any:
    """A customization with the organization's pictures under the address that this installation has now, whatever it was
    when they were named."""
    if isinstance(stored, dict):
        return {name: here(value, organization, view) for name, value in stored.items()}
    if isinstance(stored, list | tuple):
        return [here(value, organization, view) for value in stored]
    if not isinstance(stored, str) or not stored.startswith("http") or not (place := below(stored, organization)):
        return stored
    return f"{view.app}/~octavo/{place}"


def moved(stored: Any, organization: str) -> Any:
    """A customization of another organization with its pictures as they are called in this one."""
    if isinstance(stored, dict):
        return {name: moved(value, organization) for name, value in stored.items()}
    if isinstance(stored, list | tuple):
        return [moved(value, organization) for value in stored]
    found = _ADDRESS.fullmatch(stored) if isinstance(stored, str) else None
    return stored if found is None else stored.replace(f"pictures/{found[2]}/", f"pictures/{organization}/")
