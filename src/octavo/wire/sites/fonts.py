"""Fonts: typefaces of an organization, for its sites."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records import sites as records
from octavo.wire.fields import Body, Maybe, Shape, permissions
from octavo.wire.sites.customization_values import FontDefinition, FontFace, FontFamily, FontSource, FontWeight
from octavo.wire.view import View

Key = Annotated[str, Meta(min_length=1, max_length=512, description="The key of an upload")]


class Font(Shape, frozen=True):
    """A typeface with a file for each weight."""

    id: str
    custom: bool
    font_family: str
    font_faces: list[FontFace]
    permissions: Annotated[dict[str, bool], permissions("edit")]


class NewFace(Body, frozen=True):
    weight: FontWeight
    storage_key: Key


class ChangedFace(Body, frozen=True):
    """`storageKey` null keeps the file that the weight has."""

    weight: FontWeight
    storage_key: Key | None


class CreateFont(Body, frozen=True):
    """One of the faces has the weight 400."""

    font_family: FontFamily
    font_faces: Annotated[list[NewFace], Meta(min_length=1, max_length=limits.FONT_FACES_MAX)]


class UpdateFont(Body, frozen=True):
    """`fontFaces` are all faces that the font has afterwards."""

    font_family: Maybe[FontFamily] = UNSET
    font_faces: Maybe[Annotated[list[ChangedFace], Meta(min_length=1, max_length=limits.FONT_FACES_MAX)]] = UNSET


class FontView(msgspec.Struct, frozen=True):
    font: records.Font
    may_edit: bool


def present(shown: FontView, view: View) -> Font:
    """The font as the API serves it."""
    font = shown.font
    return Font(font.id, True, font.family, faces(font, view.app), {"edit": shown.may_edit})


def definition(font: records.Font, view: View) -> FontDefinition:
    """The font as it stands in a customization."""
    return FontDefinition(font.id, True, font.family, faces(font, view.app))


def faces(font: records.Font, base: str) -> list[FontFace]:
    """Its faces, with addresses at which their files are kept for ever."""
    return [
        FontFace(face["weight"], [FontSource(base + face_path(font.id, face), _format(face))])
        for face in font.faces["faces"]
    ]


def face_path(font: str, face: Json) -> str:
    """The path of a face's file, new whenever its bytes are."""
    return f"/~octavo/fonts/{font}/{face['blob'][:12]}.{_format(face)}"


def _format(face: Json) -> Literal["woff2", "woff"]:
    return "woff2" if face["contentType"] == "font/woff2" else "woff"
