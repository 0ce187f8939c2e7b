"""Characters made safe: text that Markdown, HTML and tags read back as itself, escaped only where it must be."""

from __future__ import annotations

import re
from typing import Final

from octavo.content.markdown.emoji import code_for

_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SPECIAL = re.compile(r"[\\`*_~\[\]<&$:{!\t\r\f]")
_ENTITY = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,48});")
_SHORTCODE = re.compile(r":([a-zA-Z0-9_+-]{1,80}):")
_OPEN_SHORTCODE = re.compile(r":[a-zA-Z0-9_+-]{0,80}\Z")
_NUMBERED = re.compile(r"(\d{1,9})(?=[.)](?:\s|$))", re.ASCII)
_BULLET = re.compile(r"[-+](?=\s|$)|#{1,6}(?=\s|$)|>")
_RULED = re.compile(r"(?:=+|-+)[ \t]*$|[|:\-][|:\- \t]*$")
# Wide spaces, which some readers take off both ends of a line as if they were plain ones.
_EDGES = re.compile(r"^[^\S\x00-\x9f]+|(?<![^\S\x00-\x9f])[^\S\x00-\x9f]+(?=\\?$)", re.MULTILINE)
_PLAIN_ADDRESS = re.compile(r"[^\s<>()\\\x00-\x1f\x7f]+")


def markdown(text: str, *, followed: bool = False, linked: bool = False) -> str:
    """Text within a paragraph; `followed` where something else comes behind it, `linked` within a link."""
    made: list[str] = []
    at = 0
    for found in _SPECIAL.finditer(text):
        place = found.start()
        if (safe := _escaped(text, place, followed=followed, linked=linked)) is not None:
            made += (text[at:place], safe)
            at = place + 1
    return "".join(made) + text[at:]


def _escaped(text: str, at: int, *, followed: bool, linked: bool) -> str | None:
    """How the special character is written; None where it may stand as it is."""
    character = text[at]
    following = text[at + 1 : at + 2]
    last = not following and followed
    match character:
        case "\t" | "\r" | "\f":
            inner = character == "\t" and at and following and following not in "\n\t"
            return None if inner else f"&#x{ord(character):X};"
        case "`" | "[":
            needed = True
        case "]":
            needed = linked
        case "*":
            needed = not (text[at - 1 : at].isspace() and following.isspace() and text[at - 1] != "\n")
        case "_":
            needed = not _within_word(text, at)
        case "\\":
            needed = not following or following == "\n" or following in _PUNCTUATION
        case "<":
            needed = last or following in "/!?" or (following.isascii() and following.isalpha())
        case "&":
            needed = _ENTITY.match(text, at) is not None
        case ":":
            shortcode = _SHORTCODE.match(text, at)
            needed = shortcode is not None and code_for(shortcode[1]) is not None
            needed = needed or (followed and _OPEN_SHORTCODE.match(text, at) is not None)
        case "{":
            return "{\\" if following == "%" else None
        case "!":
            needed = last
        case _:
            needed = last or at == 0 or following == character or text[at - 1] == character
    return "\\" + character if needed else None


def _within_word(text: str, at: int) -> bool:
    """Whether an underscore, or the run of them that it is in, has letters or digits on both sides."""
    before, behind = at, at + 1
    if "_" in (text[at - 1 : at], text[behind : behind + 1]):
        return False
    return text[before - 1 : before].isalnum() and text[behind : behind + 1].isalnum()


def edges(made: str) -> str:
    """A finished text whose wide spaces survive at the ends of its lines."""
    return _EDGES.sub(lambda found: "".join(f"&#x{ord(each):X};" for each in found[0]), made)


def line_starts(made: str) -> str:
    """A finished paragraph whose lines start no list, heading, quote, rule or table by accident."""
    lines = edges(made).split("\n")
    return "\n".join(_line_start(line, first=place == 0) for place, line in enumerate(lines))


def _line_start(line: str, *, first: bool) -> str:
    if found := _NUMBERED.match(line):
        return f"{found[1]}\\{line[found.end() :]}"
    if _BULLET.match(line) or (line and (not first or line[0] == "-") and _RULED.match(line)):
        return "\\" + line
    return line


def html(text: str) -> str:
    """Text within an HTML block; white space other than single spaces must be gone already."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("{%", "{&#37;")


def attribute(value: object) -> str:
    """The value of an HTML attribute, without its quotes."""
    text = html(str(value)).replace('"', "&quot;")
    return re.sub(r"[\t\r\n\f]", lambda found: f"&#{ord(found[0])};", text)


def attributes(**given: object) -> str:
    """` name="value"` for every value that is neither None nor False; True gives the bare name, `_` stands for `-`."""
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{attribute(value)}"')
        for name, value in given.items()
        if value is not None and value is not False
    )


def quoted(value: object) -> str:
    """The value of a tag's attribute, with its quotes; line breaks become spaces."""
    text = " ".join(str(value).splitlines())
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def destination(href: str) -> str:
    """The address of a Markdown link."""
    if _PLAIN_ADDRESS.fullmatch(href) and not _ENTITY.search(href) and "{%" not in href:
        return href
    text = _ENTITY.sub(lambda found: "\\" + found[0], href.replace("\\", "\\\\"))
    text = text.replace("<", "\\<").replace(">", "\\>").replace("{%", "{\\%")
    return "<" + text.replace("\n", "%0A").replace("\r", "%0D") + ">"


def backticked(text: str) -> str:
    """Inline code."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * (1 if longest == 0 else longest + 1)
    padded = text[:1] == "`" or text[-1:] == "`" or (text[0] == text[-1] == " " and text.strip(" ") != "")
    return f"{ticks} {text} {ticks}" if padded else ticks + text + ticks


def heading(text: str) -> str:
    """The line of a heading: number signs at its end would close it, and be gone.

    >>> print(heading("C #"), heading("C#"), heading("#"))
    C \\# C# \\#
    """
    return re.sub(r"(?:(?<=\s)|^)(?=#+$)", r"\\", text)
