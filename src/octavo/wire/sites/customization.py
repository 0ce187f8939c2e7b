"""Customization: how a published site looks. The defaults of these structs are a complete, plain look."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.wire.fields import Json, Maybe, Ref, code_points

Colour = Annotated[str, Meta(pattern="^#(?:[0-9a-fA-F]{3}){1,2}$")]
Font = Annotated[str | Json, Meta(description="The name of a font, or the definition of one")]


class Part(msgspec.Struct, frozen=True, rename="camel"):
    """The base of every group."""


class Themed(Part, frozen=True):
    """One value for each theme: a colour, an address, the name of a code theme."""

    light: str
    dark: str


class ThemedColour(Part, frozen=True):
    light: Colour
    dark: Colour


class Tint(Part, frozen=True):
    color: ThemedColour


class CodeThemes(Part, frozen=True):
    default: Themed = Themed("default-light", "default-dark")
    openapi: Themed = Themed("default-light", "default-dark")


class Sidebar(Part, frozen=True):
    background: Literal["default", "filled"] = "default"
    list: Literal["default", "pill", "line"] = "default"


class Styling(Part, frozen=True):
    theme: Literal["clean", "muted", "bold", "gradient"] = "clean"
    primary_color: ThemedColour = ThemedColour("#3457d5", "#3457d5")
    tint: Maybe[Tint] = UNSET
    info_color: ThemedColour = ThemedColour("#2563eb", "#60a5fa")
    success_color: ThemedColour = ThemedColour("#15803d", "#4ade80")
    warning_color: ThemedColour = ThemedColour("#b45309", "#fbbf24")
    danger_color: ThemedColour = ThemedColour("#b91c1c", "#f87171")
    corners: Literal["straight", "rounded", "circular"] = "rounded"
    depth: Literal["subtle", "flat"] = "subtle"
    links: Literal["default", "accent"] = "default"
    font: Font = "Inter"
    monospace_font: Font = "JetBrainsMono"
    background: Literal["plain", "match"] = "plain"
    icons: Literal["regular", "solid", "duotone", "thin", "light"] = "regular"
    code_theme: CodeThemes = CodeThemes()
    sidebar: Sidebar = Sidebar()
    search: Literal["prominent", "subtle"] = "prominent"


class Internationalization(Part, frozen=True):
    locale: Literal["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"] = "en"


class Favicon(Part, frozen=True):
    icon: Maybe[Themed] = UNSET
    emoji: Maybe[str] = UNSET


class FooterLink(Part, frozen=True):
    title: str
    to: Ref
    localized_title: dict[str, str] = {}
    condition: Maybe[str] = UNSET


class HeaderLink(Part, frozen=True):
    title: str
    to: Ref | None = None
    style: Literal["link", "button-primary", "button-secondary"] = "link"
    links: list[FooterLink] = []
    localized_title: dict[str, str] = {}
    condition: Maybe[str] = UNSET


class Header(Part, frozen=True):
    preset: Literal["default", "bold", "contrast", "custom", "none"] = "default"
    links: list[HeaderLink] = []
    logo: Maybe[Themed] = UNSET
    primary_link: Maybe[Ref] = UNSET
    background_color: Maybe[ThemedColour] = UNSET
    link_color: Maybe[ThemedColour] = UNSET


class FooterGroup(Part, frozen=True):
    title: str
    links: list[FooterLink] = []
    localized_title: dict[str, str] = {}


class Footer(Part, frozen=True):
    groups: list[FooterGroup] = []
    logo: Maybe[Themed] = UNSET
    copyright: Maybe[Annotated[str, Meta(max_length=300)]] = UNSET


class AnnouncementLink(Part, frozen=True):
    to: Ref
    title: str


class Announcement(Part, frozen=True):
    enabled: bool
    message: str
    style: Literal["info", "warning", "danger", "success"] = "info"
    link: Maybe[AnnouncementLink] = UNSET


class Themes(Part, frozen=True):
    default: Literal["light", "dark", "system"] = "system"
    toggeable: bool = True
    """So spelled by the API."""


class On(Part, frozen=True):
    """A switch that is on unless turned off."""

    enabled: bool = True


class Off(Part, frozen=True):
    """A switch that is off unless turned on."""

    enabled: bool = False


class Assistant(Part, frozen=True):
    mode: Literal["none", "search", "assistant"] = "none"
    suggestions: list[Annotated[str, Meta(min_length=3, max_length=64)]] = []


class PageActions(Part, frozen=True):
    items: tuple[str, ...] = ("markdown", "external-ai", "mcp", "pdf", "git")
    external_ai: bool = msgspec.field(name="externalAI", default=False)
    markdown: bool = True


class GitLinks(Part, frozen=True):
    show_edit_link: bool = False


class ExternalLinks(Part, frozen=True):
    target: Literal["self", "blank"] = "self"


class Address(Part, frozen=True):
    url: Maybe[str] = UNSET


class SocialDisplay(Part, frozen=True):
    header: bool = False
    footer: bool = True


class SocialAccount(Part, frozen=True):
    platform: str
    handle: str
    display: SocialDisplay = SocialDisplay()


class Insights(Part, frozen=True):
    tracking_cookie: bool = False


class Customization(Part, frozen=True):
    """Every group that clients read without asking whether it is there."""

    title: Maybe[str] = UNSET
    localized_title: Maybe[dict[str, str]] = UNSET
    styling: Styling = Styling()
    internationalization: Internationalization = Internationalization()
    favicon: Favicon = Favicon()
    header: Header = Header()
    footer: Footer = Footer()
    announcement: Maybe[Announcement] = UNSET
    themes: Themes = Themes()
    pdf: On = On()
    feedback: Off = Off()
    ai: Assistant = Assistant()
    advanced_customization: On = On()
    page_actions: PageActions = PageActions()
    git: GitLinks = GitLinks()
    external_links: ExternalLinks = ExternalLinks()
    pagination: On = On()
    trademark: Off = Off()
    privacy_policy: Address = Address()
    social_preview: Address = Address()
    social_accounts: list[SocialAccount] = []
    insights: Insights = Insights()


DEFAULT = Customization()
_OF_ASSISTANTS = ("external-ai", "mcp")


def present(stored: dict[str, Any] | None, over: Customization = DEFAULT) -> Customization:
    """What was set on top of `over`: the defaults for a site, the site's for one of its site-spaces.

    Groups merge key by key, lists and values are replaced. Raises msgspec.ValidationError for what no site may store.
    """
    if not stored:
        return over
    return msgspec.convert(_merged(msgspec.to_builtins(over), stored), Customization)


def served(look: Customization, agents: bool) -> Customization:
    """A look as clients read it: its emoji as code points, and buttons of assistants only where `agents` may come."""
    favicon, actions = look.favicon, look.page_actions
    if favicon.emoji is not UNSET:
        favicon = msgspec.structs.replace(favicon, emoji=code_points(favicon.emoji))
    if not agents:
        items = tuple(item for item in actions.items if item not in _OF_ASSISTANTS)
        actions = msgspec.structs.replace(actions, items=items)
    return msgspec.structs.replace(look, favicon=favicon, page_actions=actions)


def _merged(under: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    made = dict(under)
    for name, value in stored.items():
        below = made.get(name)
        made[name] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return made
