"""What customizations are changed by: the whole of a site, or parts of it for one site-space, where null takes away."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.locales import Locale
from octavo.wire.fields import Body, Maybe, Query, WebUrl, line
from octavo.wire.sites import customization as whole
from octavo.wire.sites.customization_values import (
    FontDefinition,
    Link,
    Localized,
    LookTitle,
    Monospace,
    PictureUrl,
    ThemedCode,
    ThemedColour,
    ThemedUrl,
    Tint,
    Typeface,
)


class UpdateCustomization(whole.Customization, frozen=True):
    """The whole look: what is left out is as it is by default."""


class CustomizationQuery(Query, frozen=True):
    """`unmasked` shows what is set also where advanced customization is switched off."""

    unmasked: bool = False


class OverrideCodeThemes(Body, frozen=True):
    default: Maybe[ThemedCode | None] = UNSET
    openapi: Maybe[ThemedCode | None] = UNSET


class OverrideSidebar(Body, frozen=True):
    background: Maybe[Literal["default", "filled"] | None] = UNSET
    list: Maybe[Literal["default", "pill", "line"] | None] = UNSET


class OverrideStyling(Body, frozen=True):
    theme: Maybe[Literal["clean", "muted", "bold", "gradient"] | None] = UNSET
    primary_color: Maybe[ThemedColour | None] = UNSET
    tint: Maybe[Tint | None] = UNSET
    info_color: Maybe[ThemedColour | None] = UNSET
    success_color: Maybe[ThemedColour | None] = UNSET
    warning_color: Maybe[ThemedColour | None] = UNSET
    danger_color: Maybe[ThemedColour | None] = UNSET
    corners: Maybe[Literal["straight", "rounded", "circular"] | None] = UNSET
    depth: Maybe[Literal["subtle", "flat"] | None] = UNSET
    links: Maybe[Literal["default", "accent"] | None] = UNSET
    font: Maybe[Typeface | FontDefinition | None] = UNSET
    heading_font: Maybe[Typeface | FontDefinition | None] = UNSET
    monospace_font: Maybe[Monospace | FontDefinition | None] = UNSET
    background: Maybe[Literal["plain", "match"] | None] = UNSET
    icons: Maybe[Literal["regular", "solid", "duotone", "thin", "light"] | None] = UNSET
    code_theme: Maybe[OverrideCodeThemes | None] = UNSET
    sidebar: Maybe[OverrideSidebar | None] = UNSET
    search: Maybe[Literal["prominent", "subtle"] | None] = UNSET


class OverrideInternationalization(Body, frozen=True):
    locale: Maybe[Locale | None] = UNSET


class OverrideHeader(Body, frozen=True):
    preset: Maybe[Literal["default", "bold", "contrast", "custom", "none"] | None] = UNSET
    logo: Maybe[ThemedUrl | None] = UNSET
    primary_link: Maybe[Link | None] = UNSET
    background_color: Maybe[ThemedColour | None] = UNSET
    link_color: Maybe[ThemedColour | None] = UNSET
    links: Maybe[Annotated[list[whole.HeaderLink], Meta(max_length=limits.LOOK_LINKS_MAX)] | None] = UNSET


class OverrideFooter(Body, frozen=True):
    logo: Maybe[ThemedUrl | None] = UNSET
    groups: Maybe[Annotated[list[whole.FooterGroup], Meta(max_length=limits.LOOK_LINKS_MAX)] | None] = UNSET
    copyright: Maybe[Annotated[str, line(limits.COPYRIGHT_MAX)] | None] = UNSET


class OverrideThemes(Body, frozen=True):
    default: Maybe[Literal["light", "dark", "system"] | None] = UNSET
    toggeable: Maybe[bool | None] = UNSET


class OverrideSwitch(Body, frozen=True):
    enabled: Maybe[bool | None] = UNSET


class OverrideExternalLinks(Body, frozen=True):
    target: Maybe[Literal["self", "blank"] | None] = UNSET


class OverrideAddress(Body, frozen=True):
    url: Maybe[WebUrl | None] = UNSET


class OverridePreview(Body, frozen=True):
    url: Maybe[PictureUrl | None] = UNSET


class OverrideCustomization(Body, frozen=True):
    """What a site-space has otherwise than its site; null takes the site's again."""

    title: Maybe[LookTitle | None] = UNSET
    localized_title: Maybe[Localized | None] = UNSET
    styling: Maybe[OverrideStyling | None] = UNSET
    internationalization: Maybe[OverrideInternationalization | None] = UNSET
    favicon: Maybe[whole.Favicon | None] = UNSET
    announcement: Maybe[whole.Announcement | None] = UNSET
    header: Maybe[OverrideHeader | None] = UNSET
    footer: Maybe[OverrideFooter | None] = UNSET
    themes: Maybe[OverrideThemes | None] = UNSET
    feedback: Maybe[OverrideSwitch | None] = UNSET
    external_links: Maybe[OverrideExternalLinks | None] = UNSET
    pagination: Maybe[OverrideSwitch | None] = UNSET
    trademark: Maybe[OverrideSwitch | None] = UNSET
    privacy_policy: Maybe[OverrideAddress | None] = UNSET
    social_preview: Maybe[OverridePreview | None] = UNSET
