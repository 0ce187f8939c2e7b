"""The colours of code by the names of themes, as far as pygments knows them; others are Octavo's own, light or dark."""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

from octavo.publish.colours import hexed, parse, readable
from octavo.wire.sites.customization import CodeThemes
from octavo.wire.sites.customization_values import CodeTheme, ThemedCode

_LIGHT = ("light", "latte", "dawn", "slack-ochin")
_STYLES = {
    "dark-plus": "native", "dracula": "dracula", "dracula-soft": "dracula", "github-dark": "github-dark",
    "github-dark-default": "github-dark", "github-dark-dimmed": "github-dark",
    "github-dark-high-contrast": "github-dark", "gruvbox-dark-hard": "gruvbox-dark",
    "gruvbox-dark-medium": "gruvbox-dark", "gruvbox-dark-soft": "gruvbox-dark", "gruvbox-light-hard": "gruvbox-light",
    "gruvbox-light-medium": "gruvbox-light", "gruvbox-light-soft": "gruvbox-light", "light-plus": "vs",
    "material-theme": "material", "material-theme-darker": "material", "material-theme-ocean": "material",
    "material-theme-palenight": "material", "monochrome-light": "bw", "monokai": "monokai", "night-owl": "night-owl",
    "nord": "nord", "one-dark-pro": "one-dark", "one-light": "xcode", "solarized-dark": "solarized-dark",
    "solarized-light": "solarized-light", "vitesse-dark": "zenburn",
}  # fmt: skip
"""Theme -> the style of pygments that is it, or is closest to it."""
_TOKENS = {
    "comment": "Comment", "keyword": "Keyword", "string": "String", "number": "Number", "name": "Name.Function",
    "type": "Name.Class", "operator": "Operator",
}  # fmt: skip
"""Custom property `--code-<name>` -> the token that has its colour."""
Tones = dict[str, str]
_OWN: dict[bool, Tones] = {
    True: {
        "surface": "#fbfbfc", "body": "#33363d", "code-comment": "#636a75", "code-keyword": "#9c2f86",
        "code-string": "#1c6b43", "code-number": "#a04a06", "code-name": "#2b51b8", "code-type": "#0b6a77",
        "code-operator": "#575d68",
    },
    False: {
        "surface": "#16181d", "body": "#d3d6dc", "code-comment": "#8d94a1", "code-keyword": "#e39bd3",
        "code-string": "#8fd3a4", "code-number": "#efb27a", "code-name": "#9dbcff", "code-type": "#7fd0db",
        "code-operator": "#aab0bb",
    },
}  # fmt: skip
"""Octavo's own colours on a light ground and on a dark one, as in `tokens.css`."""


def is_light(theme: str) -> bool:
    """Whether a theme stands on a light ground."""
    return any(word in theme for word in _LIGHT)


def named(themes: ThemedCode) -> str:
    """What stands for a pair of themes in the address of the style sheet; empty for Octavo's own."""
    styled = themes.light in _STYLES or themes.dark in _STYLES
    return f"{themes.light}.{themes.dark}" if styled else ""


def named_for_apis(themes: CodeThemes) -> str:
    """The same for what references of APIs show; empty where it looks as other code does."""
    return "" if themes.openapi == themes.default else f"{themes.openapi.light}.{themes.openapi.dark}"


def css(said: str, within: str = "") -> str | None:
    """The style sheet for such a pair, of all code or of that within other elements; None for what is none."""
    pair = said.split(".")
    if len(pair) != 2 or not set(pair) <= set(get_args(CodeTheme)):
        return None
    light, dark = map(_tones, pair)
    rules = (f"--{name}:light-dark({light[name]},{dark[name]})" for name in light)
    return f"{within}.code-block{{{';'.join(rules)}}}\n"


@lru_cache(maxsize=128)
def _tones(theme: str) -> Tones:
    """The colours of a theme, each moved until it reads on the theme's ground."""
    own = _OWN[is_light(theme)]
    if theme not in _STYLES:
        return own
    from pygments.styles import get_style_by_name
    from pygments.token import Token, string_to_tokentype

    style = get_style_by_name(_STYLES[theme])
    ground = parse(style.background_color if len(style.background_color) == 7 else own["surface"])
    away = (0, 0, 0) if is_light(theme) else (255, 255, 255)

    def tone(name: str, usual: str) -> str:
        token = Token if not name else string_to_tokentype(f"Token.{name}")
        colour = style.style_for_token(token)["color"]
        return "#" + hexed(readable(parse(colour or usual), ground, away))

    made = {"surface": "#" + hexed(ground), "body": tone("", own["body"])}
    return made | {f"code-{name}": tone(token, made["body"]) for name, token in _TOKENS.items()}
