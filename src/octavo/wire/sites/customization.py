"""Customization: how a published site looks. The defaults of these structs are a complete, plain look."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.locales import Locale
from octavo.wire.fields import Condition, DateTime, Emoji, Maybe, WebUrl, code_points, line
from octavo.wire.sites.customization_values import (
    CodeTheme,
    FontDefinition,
    Link,
    LinkTitle,
    Localized,
    LocalizedLink,
    LookTitle,
    Monospace,
    PageAction,
    Part,
    PictureUrl,
    Platform,
    Said,
    ThemedCode,
    ThemedColour,
    ThemedUrl,
    Tint,
    Typeface,
)

_MANY = limits.LOOK_LINKS_MAX


class CodeThemes(Part, frozen=True):
    default: ThemedCode = ThemedCode("default-light", "default-dark")
    openapi: ThemedCode = ThemedCode("default-light", "default-dark")


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
    font: Typeface | FontDefinition = "Inter"
    heading_font: Maybe[Typeface | FontDefinition | None] = UNSET
    monospace_font: Monospace | FontDefinition = "JetBrainsMono"
    background: Literal["plain", "match"] = "plain"
    icons: Literal["regular", "solid", "duotone", "thin", "light"] = "regular"
    code_theme: CodeThemes = CodeThemes()
    sidebar: Sidebar = Sidebar()
    search: Literal["prominent", "subtle"] = "prominent"


class Internationalization(Part, frozen=True):
    locale: Locale = "en"


class Favicon(Part, frozen=True):
    """A picture, or an emoji, or nothing."""

    icon: Maybe[ThemedUrl] = UNSET
    emoji: Maybe[Emoji] = UNSET


class FooterLink(Part, frozen=True):
    title: LinkTitle
    to: Link
    localized_title: LocalizedLink = {}
    condition: Maybe[Condition] = UNSET


class HeaderLink(Part, frozen=True):
    title: LinkTitle
    to: Link | None = None
    style: Literal["link", "button-primary", "button-secondary"] = "link"
    links: Annotated[list[FooterLink], Meta(max_length=_MANY)] = []
    localized_title: LocalizedLink = {}
    condition: Maybe[Condition] = UNSET


class Header(Part, frozen=True):
    preset: Literal["default", "bold", "contrast", "custom", "none"] = "default"
    links: Annotated[list[HeaderLink], Meta(max_length=_MANY)] = []
    logo: Maybe[ThemedUrl] = UNSET
    primary_link: Maybe[Link] = UNSET
    """Where the title of the site leads."""
    background_color: Maybe[ThemedColour] = UNSET
    link_color: Maybe[ThemedColour] = UNSET


class FooterGroup(Part, frozen=True):
    title: LinkTitle
    links: Annotated[list[FooterLink], Meta(max_length=_MANY)] = []
    localized_title: LocalizedLink = {}


class Footer(Part, frozen=True):
    groups: Annotated[list[FooterGroup], Meta(max_length=_MANY)] = []
    logo: Maybe[ThemedUrl] = UNSET
    copyright: Maybe[Annotated[str, line(limits.COPYRIGHT_MAX)]] = UNSET


class Announcement(Part, frozen=True):
    enabled: bool
    message: Said
    style: Literal["info", "warning", "danger", "success"] = "info"
    localized_message: Maybe[Localized] = UNSET
    link: Maybe[FooterLink] = UNSET


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


Question = Annotated[str, line(limits.ASSISTANT_QUESTION_MAX, min_length=limits.ASSISTANT_QUESTION_MIN)]


class Assistant(Part, frozen=True):
    mode: Literal["none", "search", "assistant"] = "none"
    greeting: Maybe[Annotated[str, line(limits.ASSISTANT_GREETING_MAX)]] = UNSET
    localized_greeting: Maybe[Localized] = UNSET
    suggestions: Annotated[list[Question], Meta(max_length=limits.ASSISTANT_QUESTIONS_MAX)] = []
    instructions: Maybe[Annotated[str, Meta(max_length=limits.ASSISTANT_INSTRUCTIONS_MAX)]] = UNSET


class PageActions(Part, frozen=True):
    """What a page offers, in this order; nothing at all where the list is empty."""

    items: Annotated[tuple[PageAction, ...], Meta(max_length=20)] = ("markdown", "external-ai", "mcp", "pdf", "git")


class ExternalLinks(Part, frozen=True):
    target: Literal["self", "blank"] = "self"


class Address(Part, frozen=True):
    url: Maybe[WebUrl] = UNSET


class Preview(Part, frozen=True):
    url: Maybe[PictureUrl] = UNSET


class SocialDisplay(Part, frozen=True):
    header: bool = False
    footer: bool = True


class SocialAccount(Part, frozen=True):
    platform: Platform
    handle: Annotated[str, line(limits.SOCIAL_HANDLE_MAX, min_length=1)]
    display: SocialDisplay = SocialDisplay()


class Insights(Part, frozen=True):
    tracking_cookie: bool = False


class Customization(Part, frozen=True):
    """Every group that clients read without asking whether it is there."""

    title: Maybe[LookTitle] = UNSET
    localized_title: Maybe[Localized] = UNSET
    styling: Styling = Styling()
    internationalization: Internationalization = Internationalization()
    favicon: Favicon = Favicon()
    header: Header = Header()
    footer: Footer = Footer()
    announcement: Maybe[Announcement] = UNSET
    themes: Themes = Themes()
    feedback: Off = Off()
    ai: Assistant = Assistant()
    advanced_customization: On = On()
    page_actions: PageActions = PageActions()
    external_links: ExternalLinks = ExternalLinks()
    pagination: On = On()
    trademark: Off = Off()
    privacy_policy: Address = Address()
    social_preview: Preview = Preview()
    social_accounts: Annotated[list[SocialAccount], Meta(max_length=limits.SOCIAL_ACCOUNTS_MAX)] = []
    insights: Insights = Insights()


class ServedCustomization(Customization, frozen=True):
    updated_at: Maybe[DateTime] = UNSET


DEFAULT = Customization()
_OF_ASSISTANTS = ("external-ai", "mcp")
_GROUPS = frozenset(
    {
        "styling", "codeTheme", "sidebar", "internationalization", "header", "footer", "themes", "feedback", "ai",
        "advancedCustomization", "pageActions", "externalLinks", "pagination", "trademark", "privacyPolicy",
        "socialPreview", "insights",
    }
)  # fmt: skip
"""What is set key by key; everything else is one value, whatever it holds."""


def present(stored: dict[str, Any] | None, over: Customization = DEFAULT) -> Customization:
    """What was set on top of `over`: the defaults for a site, the site's for one of its site-spaces.

    Raises msgspec.ValidationError for what no site may store.
    """
    if not stored:
        return over
    return msgspec.convert(merged(msgspec.to_builtins(over), stored), Customization)


def merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Both as one: groups key by key, lists and values replaced; None takes away what is below it."""
    made = dict(under)
    for name, value in over.items():
        if value is None:
            made.pop(name, None)
        elif name in _GROUPS and isinstance(value, dict):
            below = made.get(name)
            made[name] = merged(below if isinstance(below, dict) else {}, value)
        else:
            made[name] = value
    return made


def without_defaults(look: Customization) -> dict[str, Any]:
    """What is stored of a look: what it has otherwise than the plain one."""
    return _difference(msgspec.to_builtins(look), msgspec.to_builtins(DEFAULT))


def without_empty_groups(stored: dict[str, Any]) -> dict[str, Any]:
    """The same customization without groups in which nothing is set."""
    made = {
        name: without_empty_groups(value) if name in _GROUPS and isinstance(value, dict) else value
        for name, value in stored.items()
    }
    return {name: value for name, value in made.items() if value != {} or name not in _GROUPS}


ADVANCED: dict[str, tuple[str, ...]] = {
    "styling": ("theme", "font", "headingFont", "monospaceFont", "infoColor", "successColor", "warningColor",
                "dangerColor"),
    "header": ("logo", "primaryLink"),
    "favicon": ("icon",),
    "footer": ("logo", "groups", "copyright"),
}  # fmt: skip
"""What belongs to advanced customization: group -> what in it."""


def unadvanced(look: Customization) -> Customization:
    """The look; where advanced customization is switched off, what belongs to it is as it is by default."""
    if look.advanced_customization.enabled:
        return look
    made = msgspec.to_builtins(look)
    for group, names in ADVANCED.items():
        made[group] = {name: value for name, value in made[group].items() if name not in names}
    return msgspec.convert(made, Customization)


def served(look: Customization, agents: bool) -> Customization:
    """A look as clients read it: its emoji as code points, and buttons of assistants only where `agents` may come."""
    favicon, actions = look.favicon, look.page_actions
    if favicon.emoji is not UNSET:
        favicon = msgspec.structs.replace(favicon, emoji=code_points(favicon.emoji))
    if not agents:
        items = tuple(item for item in actions.items if item not in _OF_ASSISTANTS)
        actions = msgspec.structs.replace(actions, items=items)
    return msgspec.structs.replace(look, favicon=favicon, page_actions=actions)


def _difference(look: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in look.items():
        below = usual.get(name)
        if name in _GROUPS and isinstance(value, dict) and isinstance(below, dict):
            value, below = _difference(value, below), {}
        if value != below:
            made[name] = value
    return made


__all__ = ["DEFAULT", "CodeTheme", "Customization", "Styling", "ThemedColour", "present", "served"]
