"""Text with marks and inlines, written as Markdown or, within HTML, as HTML."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from octavo.content.document import Node, Ref, action_of, plain
from octavo.content.markdown import printer_escape as escape
from octavo.content.markdown.emoji import characters_of, code_for, shortcode_for

Kind = Literal["open", "close", "raw"]
_DELIMITERS: Final = {"bold": "**", "italic": "_", "strikethrough": "~~"}
_TAGS: Final = {
    "bold": "strong",
    "italic": "em",
    "strikethrough": "del",
    "code": "code",
    "keyboard": "kbd",
    "superscript": "sup",
    "subscript": "sub",
    "color": "mark",
}
_ORDER: Final = ["color", "superscript", "subscript", "bold", "italic", "strikethrough", "keyboard", "code"]


@dataclass
class Notes:
    """Bodies of the annotations met so far, by label; `source` is text whose labels are taken."""

    source: str = ""
    bodies: list[tuple[str, list[Node]]] = field(default_factory=list)

    def add(self, body: list[Node]) -> str:
        number = int(self.bodies[-1][0]) + 1 if self.bodies else 1
        while f"[^{number}]" in self.source:
            number += 1
        self.bodies.append((str(number), body))
        return str(number)


@dataclass(slots=True)
class _Part:
    """A piece of the text under way: text, or one end of a mark."""

    kind: Kind
    text: str = ""
    mark: Node = field(default_factory=dict)


class InlinePrinter:
    """Writes what is in paragraphs, headings, cells, captions and titles."""

    def __init__(self, address: Callable[[Ref], str], notes: Notes) -> None:
        self._address = address
        self._notes = notes

    def paragraph(self, nodes: list[Node]) -> str:
        """Markdown, one line but for hard breaks."""
        alone = len(nodes) == 1 and nodes[0].get("type") == "inline-image"
        made = self._compose(_trimmed(nodes), "\\\n", alone=alone)
        # A backslash at the very end breaks no line.
        breaks = 0
        while made.endswith("\\\n"):
            made, breaks = made[:-2], breaks + 1
        return escape.line_starts(made) + "<br>" * breaks

    def line(self, nodes: list[Node]) -> str:
        """Markdown on one line: hard breaks are `<br>`."""
        return escape.edges(self._compose(_trimmed(nodes), "<br>"))

    def cell(self, nodes: list[Node]) -> str:
        """Markdown for a cell of a pipe table."""
        return self.line(nodes).replace("|", "\\|")

    def html(self, nodes: list[Node]) -> str:
        """HTML on one line."""
        alone = len(nodes) == 1 and nodes[0].get("type") == "inline-image"
        return self._html(_trimmed(nodes), alone=alone)

    def _compose(self, nodes: list[Node], newline: str, *, linked: bool = False, alone: bool = False) -> str:
        parts: list[_Part] = []
        for place, node in enumerate(nodes):
            followed = place + 1 < len(nodes)
            if node["object"] == "text":
                self._leaves(parts, node["leaves"], newline, followed=followed, linked=linked)
            else:
                parts.append(_Part("raw", self._inline(node, newline, alone=alone)))
        return _join([part for part in parts if part.kind != "raw" or part.text])

    def _leaves(self, parts: list[_Part], leaves: list[Node], newline: str, *, followed: bool, linked: bool) -> None:
        opened: list[int] = []
        for place, leaf in enumerate(leaves):
            wanted = _ordered(leaves, place)
            kept = _common([parts[at].mark for at in opened], wanted)
            _close(parts, opened, kept)
            for mark in wanted[kept:]:
                if mark["type"] != "code" or "\n" in leaf["text"]:
                    opened.append(len(parts))
                    parts.append(_Part("open", mark=mark))
            if "code" in _types(leaf) and "\n" not in leaf["text"]:
                parts.append(_Part("raw", escape.backticked(leaf["text"])))
                continue
            last = followed or place + 1 < len(leaves) or bool(opened)
            text = escape.markdown(re.sub(r"(?<! ) +(?=\n)", "", leaf["text"]), followed=last, linked=linked)
            text = re.sub(r"(?<=\n)[ \t]", lambda found: f"&#x{ord(found[0]):X};", text)
            parts.append(_Part("raw", text.replace("\n", newline)))
        _close(parts, opened, 0)

    def _inline(self, node: Node, newline: str, *, alone: bool) -> str:
        data = node.get("data", {})
        match node.get("type"):
            case "link":
                return self._link(self._compose(_merged(node.get("nodes", [])), newline, linked=True), data)
            case "mention":
                href = self._address(data["ref"])
                return f'[{escape.markdown(href, linked=True)}]({escape.destination(href)} "mention")'
            case "emoji":
                name = shortcode_for(data["code"])
                return f":{name}:" if name and code_for(name) == data["code"] else _emoji(data["code"])
            case "inline-math":
                return f"$${' '.join(data['formula'].split(chr(10)))}$$"
            case "annotation":
                label = self._notes.add(_annotation(node))
                return f"{self._compose(_merged(node.get('nodes', [])), newline)}[^{label}]"
            case _:
                return self._element(node, _between_tags, alone=alone)

    def _link(self, text: str, data: dict[str, Any]) -> str:
        return f"[{text}]({escape.destination(self._address(data['ref']))})"

    def _element(self, node: Node, safe: Callable[[str], str], *, alone: bool) -> str:
        """Inlines that are HTML everywhere; `safe` writes the text between their tags."""
        data = node.get("data", {})
        match node.get("type"):
            case "emoji":
                return _emoji(data["code"])
            case "icon":
                colour = f"color:{data['color']};" if data.get("color") else None
                given = escape.attributes(class_=f"fa-{data['icon']}", style=colour)
                return f"<i{given}>:{escape.html(data['icon'])}:</i>"
            case "inline-image":
                return self._image(data, alone=alone)
            case "expression":
                return f'<code class="expression">{escape.html(data["expression"])}</code>'
            case "button":
                return self._button(data, safe)
            case "mention":
                href = self._address(data["ref"])
                return f"<a{escape.attributes(href=href)} data-mention>{escape.html(href)}</a>"
            case _:
                return safe(plain(node))

    def _image(self, data: dict[str, Any], *, alone: bool) -> str:
        size = data.get("size") or ("" if alone else None)
        more = {"alt": data.get("alt") or "", "title": data.get("caption"), "data_size": size}
        image = f"<img{escape.attributes(src=self._address(data['ref']), **more)}>"
        if "refDark" not in data:
            return image
        return picture(image, self._address(data["refDark"]))

    def _button(self, data: dict[str, Any], safe: Callable[[str], str]) -> str:
        of = escape.attributes(class_=f"button {data['kind']}", data_size=data.get("size"))
        icon = escape.attributes(data_icon=data.get("icon"))
        label = safe(" ".join(data["label"].split()))
        if "ref" in data:
            return f"<a{escape.attributes(href=self._address(data['ref']))}{of}{icon}>{label}</a>"
        given = escape.attributes(**{f"data_{name}": value or None for name, value in action_of(data).items()})
        return f'<button type="button"{of}{given}{icon}>{label}</button>'

    def _html(self, nodes: list[Node], *, alone: bool = False) -> str:
        made = ""
        for node in nodes:
            if node["object"] == "text":
                made += _html_leaves(node["leaves"], after=made)
                continue
            inner = self._html(_merged(node.get("nodes", [])))
            if node["type"] == "link":
                made += f"<a{escape.attributes(href=self._address(node['data']['ref']))}>{inner}</a>"
            elif node["type"] == "inline-math":
                made += escape.html(f"$${node['data']['formula']}$$")
            elif node["type"] == "annotation":
                made += inner + "".join(f" ({escape.html(plain(part))})" for part in _annotation(node))
            else:
                made += self._element(node, escape.html, alone=alone)
        return made


def picture(image: str, dark: str) -> str:
    """An image with another one for dark surroundings."""
    # A srcset ends at the first space.
    source = escape.attributes(srcset=dark.replace(" ", "%20"), media="(prefers-color-scheme: dark)")
    return f"<picture><source{source}>{image}</picture>"


def _between_tags(text: str) -> str:
    return escape.markdown(text, followed=True, linked=True)


def _emoji(code: str) -> str:
    given = escape.attributes(data_gb_custom_inline=True, data_tag="emoji", data_code=code)
    return f"<span{given}>{escape.html(characters_of(code))}</span>"


def _annotation(node: Node) -> list[Node]:
    return [block for part in node.get("fragments", []) for block in part["nodes"]]


def _types(leaf: Node) -> list[str]:
    return [mark["type"] for mark in leaf["marks"]]


def _merged(nodes: list[Node]) -> list[Node]:
    """The nodes with neighbouring texts made one, and neighbouring leaves of the same marks."""
    made: list[Node] = []
    for node in nodes:
        if node["object"] != "text":
            made.append(node)
            continue
        if not made or made[-1]["object"] != "text":
            made.append({"object": "text", "leaves": []})
        leaves = made[-1]["leaves"]
        for leaf in node["leaves"]:
            marks = [mark for mark in leaf.get("marks", []) if mark["type"] in _TAGS]
            marks.sort(key=lambda mark: _ORDER.index(mark["type"]))
            if leaves and leaves[-1]["marks"] == marks:
                leaves[-1] = {**leaves[-1], "text": leaves[-1]["text"] + leaf["text"]}
            elif leaf["text"]:
                leaves.append({"object": "leaf", "text": leaf["text"], "marks": marks})
    return [node for node in made if node["object"] != "text" or node["leaves"]]


def _trimmed(nodes: list[Node]) -> list[Node]:
    """Merged, without the spaces at both ends that Markdown and HTML cannot hold."""
    made = _merged(nodes)
    for side in (0, -1):
        while made and made[side]["object"] == "text":
            leaves = made[side]["leaves"]
            if "code" in _types(leaves[side]):
                break
            text = leaves[side]["text"]
            text = text.lstrip(" ") if side == 0 else text.rstrip(" ")
            leaves[side] = {**leaves[side], "text": text}
            if text:
                break
            leaves.pop(side)
            if not leaves:
                made.pop(side)
    return made


def _ordered(leaves: list[Node], at: int) -> list[Node]:
    """The marks of a leaf, those outermost that go on for longest; code is always innermost."""

    def reach(mark: Node) -> int:
        end = at
        while end < len(leaves) and end < at + 50 and mark in leaves[end]["marks"]:
            end += 1
        return end

    begun = [(mark, at) for mark in leaves[at]["marks"]]
    for place, (mark, start) in enumerate(begun):
        while start > 0 and start > at - 50 and mark in leaves[start - 1]["marks"]:
            start -= 1
        begun[place] = (mark, start)
    begun.sort(key=lambda one: (one[0]["type"] == "code", one[1], -reach(one[0]), _ORDER.index(one[0]["type"])))
    return [mark for mark, _ in begun]


def _common(opened: list[Node], wanted: list[Node]) -> int:
    kept = 0
    while kept < min(len(opened), len(wanted)) and opened[kept] == wanted[kept]:
        kept += 1
    return kept


def _close(parts: list[_Part], opened: list[int], keep: int) -> None:
    while len(opened) > keep:
        parts.append(_Part("close", mark=parts[opened.pop()].mark))


def _join(parts: list[_Part]) -> str:
    """The parts with their marks: delimiters where Markdown would see them as such, else HTML."""
    made = [part.text for part in parts]
    opened: list[int] = []
    for place, part in enumerate(parts):
        if part.kind == "open":
            opened.append(place)
        elif part.kind == "close":
            start = opened.pop()
            delimiter = _DELIMITERS.get(part.mark["type"])
            if delimiter and _flanks(parts, start, delimiter, opens=True) and _flanks(parts, place, delimiter):
                made[start] = made[place] = delimiter
            else:
                made[start], made[place] = _tags(part.mark)
    return "".join(made)


def _tags(mark: Node) -> tuple[str, str]:
    name = _TAGS[mark["type"]]
    if name != "mark":
        return f"<{name}>", f"</{name}>"
    given = mark.get("data", {})
    style = "".join(
        f"{rule}:{given[key]};"
        for key, rule in (("text", "color"), ("background", "background-color"))
        if given.get(key, "default") != "default"
    )
    return f"<mark{escape.attributes(style=style or 'color:default;')}>", "</mark>"


def _flanks(parts: list[_Part], at: int, delimiter: str, *, opens: bool = False) -> bool:
    before = _edge(parts, at - 1, -1)
    behind = _edge(parts, at + 1, 0)
    left = not _blank(behind) and (not _sign(behind) or _blank(before) or _sign(before))
    right = not _blank(before) and (not _sign(before) or _blank(behind) or _sign(behind))
    if delimiter != "_":
        return left if opens else right
    return (left and (not right or _sign(before))) if opens else (right and (not left or _sign(behind)))


def _edge(parts: list[_Part], at: int, side: int) -> str:
    if not 0 <= at < len(parts):
        return "\n"
    return parts[at].text[side] if parts[at].kind == "raw" else "*"


def _blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Zs"


def _sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _html_leaves(leaves: list[Node], *, after: str) -> str:
    made = ""
    spaced = not after
    opened: list[Node] = []
    for place, leaf in enumerate(leaves):
        wanted = _ordered(leaves, place)
        kept = _common(opened, wanted)
        made += "".join(_tags(mark)[1] for mark in reversed(opened[kept:]))
        made += "".join(_tags(mark)[0] for mark in wanted[kept:])
        opened = wanted
        text = re.sub(r"(?<! ) +(?=\n)", "", leaf["text"])
        for character in re.split(r"([ \t\r\n\f])", text):
            if character == "\n":
                made += "<br>"
            elif character.isspace() and character in "\t\r\f " and (spaced or character != " "):
                made += f"&#x{ord(character):X};"
            else:
                made += escape.html(character)
            spaced = character in (" ", "\n") or (spaced and not character)
    return made + "".join(_tags(mark)[1] for mark in reversed(opened))
