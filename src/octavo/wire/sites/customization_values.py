"""Values of a customization: colours, pictures, typefaces, themes of code, accounts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from octavo.kernel import limits
from octavo.wire.fields import Id, Language, Maybe, Ref, line, matching

Colour = Annotated[str, matching("^#(?:[0-9a-fA-F]{3}){1,2}", "a colour as #rgb or #rrggbb")]
CodeTheme = Literal[
    "default-light", "default-dark", "monochrome-light", "monochrome-dark", "andromeeda", "aurora-x",
    "ayu-dark", "catppuccin-frappe", "catppuccin-latte", "catppuccin-macchiato", "catppuccin-mocha",
    "dark-plus", "dracula", "dracula-soft", "everforest-dark", "everforest-light", "github-dark",
    "github-dark-default", "github-dark-dimmed", "github-dark-high-contrast", "github-light",
    "github-light-default", "github-light-high-contrast", "gruvbox-dark-hard", "gruvbox-dark-medium",
    "gruvbox-dark-soft", "gruvbox-light-hard", "gruvbox-light-medium", "gruvbox-light-soft", "houston",
    "kanagawa-dragon", "kanagawa-lotus", "kanagawa-wave", "laserwave", "light-plus", "material-theme",
    "material-theme-darker", "material-theme-lighter", "material-theme-ocean", "material-theme-palenight",
    "min-dark", "min-light", "monokai", "night-owl", "nord", "one-dark-pro", "one-light", "plastic",
    "poimandres", "red", "rose-pine", "rose-pine-dawn", "rose-pine-moon", "slack-dark", "slack-ochin",
    "snazzy-light", "solarized-dark", "solarized-light", "synthwave-84", "tokyo-night", "vesper",
    "vitesse-black", "vitesse-dark", "vitesse-light",
]  # fmt: skip
Typeface = Literal[
    "ABCFavorit", "Inter", "Roboto", "RobotoSlab", "OpenSans", "SourceSansPro", "Lato", "Ubuntu", "Raleway",
    "Merriweather", "Overpass", "NotoSans", "IBMPlexSerif", "Poppins", "FiraSans",
]  # fmt: skip
"""Of text and headings."""
Monospace = Literal[
    "FiraCode", "IBMPlexMono", "JetBrainsMono", "SourceCodePro", "RobotoMono", "SpaceMono", "DMMono",
    "Inconsolata",
]  # fmt: skip
"""Of code."""
Platform = Literal[
    "twitter", "instagram", "facebook", "linkedin", "github", "discord", "slack", "youtube", "tiktok", "reddit",
    "bluesky", "mastodon", "threads", "medium",
]  # fmt: skip
PageAction = Literal[
    "assistant", "external-ai", "markdown", "mcp", "git", "pdf",
]  # fmt: skip

PictureUrl = Annotated[
    str,
    matching(
        r"^(?:[hH][tT][tT][pP][sS]?://\S+|/[^/\s]\S*)",
        "an address that begins with http:// or https://, or with / for one on the site's own host",
        max_length=limits.URL_MAX,
    ),
]
LookTitle = Annotated[str, line(limits.SITE_TITLE_MAX, min_length=limits.SITE_TITLE_MIN)]
LinkTitle = Annotated[str, line(limits.LOOK_LINK_TITLE_MAX)]
Said = Annotated[str, line(limits.ANNOUNCEMENT_MAX, min_length=limits.ANNOUNCEMENT_MIN)]
Localized = Annotated[dict[Language, LookTitle], Meta(description="Language -> words")]
LocalizedLink = Annotated[dict[Language, LinkTitle], Meta(description="Language -> title")]
FontFamily = Annotated[str, line(limits.FONT_FAMILY_MAX, min_length=1)]
FontWeight = Annotated[int, Meta(ge=1, le=1000)]


class Part(msgspec.Struct, frozen=True, rename="camel"):
    """The base of every group."""


class ThemedUrl(Part, frozen=True):
    """A picture for each theme."""

    light: PictureUrl
    dark: PictureUrl


class ThemedCode(Part, frozen=True):
    light: CodeTheme
    dark: CodeTheme


class ThemedColour(Part, frozen=True):
    light: Colour
    dark: Colour


class Tint(Part, frozen=True):
    color: ThemedColour


class FontSource(Part, frozen=True):
    url: str
    format: Maybe[Literal["woff2", "woff"]] = msgspec.UNSET


class FontFace(Part, frozen=True):
    weight: FontWeight
    sources: list[FontSource]


class FontDefinition(Part, frozen=True):
    """A font of the organization. What it is made of is read only: `id` names it."""

    id: Id
    custom: bool = True
    font_family: Maybe[str] = msgspec.UNSET
    font_faces: Maybe[list[FontFace]] = msgspec.UNSET


Link = Annotated[Ref, Meta(description="A reference to a page, an anchor, a file, a space or an address")]
