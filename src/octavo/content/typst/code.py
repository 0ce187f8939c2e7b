"""Listings, coloured line by line; diagrams by their source; prompts."""

from __future__ import annotations

from functools import cache

from octavo.content.document import Node
from octavo.content.highlight import tokens
from octavo.content.html.escape import string
from octavo.content.html.text import listed
from octavo.content.html.writer import data, nodes
from octavo.content.typst.source import array, literal, pieces
from octavo.content.typst.writer import Handler, Writer

LINE = 76
"""Characters that a line has room for; longer ones may break within words, and go on below where they begin."""
_NEVER = 1 << 30
_WORD = 12

# Pygments' short classes by what they look like; the names are those of the sheet.
_LOOKS = {
    "cc": ("c", "c1", "ch", "cm", "cs", "cpf", "cp", "gp"),
    "ck": ("k", "kc", "kd", "kn", "kp", "kr", "ow"),
    "cs": ("s", "s1", "s2", "sa", "sb", "sc", "dl", "sd", "se", "sh", "si", "sx", "sr", "ss", "ld"),
    "cn": ("m", "mb", "mf", "mh", "mi", "mo", "il", "kt"),
    "cf": ("nf", "fm", "nt", "nd", "nl"),
    "ct": ("nc", "nn", "ne", "nb", "bp", "no", "na", "vc", "vg", "vi"),
    "co": ("o", "p"),
    "cd": ("gd",),
    "ci": ("gi",),
    "ch": ("gh", "gu", "gs"),
}


def code(writer: Writer, node: Node) -> None:
    """A listing; that of a diagram is its source, which only browsers draw."""
    of = data(node)
    lines = nodes(node)
    marked = [str(number) for number, line in enumerate(lines) if data(line).get("highlighted") is True]
    numbered = "true" if of.get("lineNumbers") is True else "false"
    writer.put(f"listing({literal(string(of.get('title')))},{numbered},{array(marked)},")
    texts = [_text(line) for line in lines]
    coloured = tokens(string(of.get("syntax")), "\n".join(texts))
    for line, said, parts in zip(lines, texts, coloured):
        if any(child.get("object") != "text" for child in nodes(line)):
            writer.put("{")
            writer.inlines(nodes(line))
            writer.put("},")
        else:
            _line(writer, parts, said)
    writer.put(");")


def code_line(writer: Writer, node: Node) -> None:
    """A line outside of a listing, which is not expected."""
    code(writer, {"nodes": [node]})


def prompt(writer: Writer, node: Node) -> None:
    """A text to give to an assistant, with what it is for."""
    writer.put(f"prompt({literal(string(data(node).get('description')))},{{")
    writer.quiet(nodes(node))
    writer.put("});")


def _text(line: Node) -> str:
    """The characters of a line as they stand; a line never holds a break of its own."""
    leaves = [leaf for child in nodes(line) for leaf in listed(child.get("leaves"))]
    return "".join(string(leaf.get("text")) for leaf in leaves).replace("\n", " ")


def _line(writer: Writer, parts: list[tuple[str, str]], said: str) -> None:
    long = len(said) > LINE
    indent = min(len(said) - len(said.lstrip(" ")), LINE // 2)
    writer.put(f"({indent},{{" if long else "{")
    for class_, piece in _joined(parts):
        shown = pieces(piece, _WORD if long else _NEVER)
        writer.put(f"{class_}({{{shown}}});" if class_ else shown)
    writer.put("})," if long else "},")


def _joined(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pieces that look alike as one; white space looks like anything."""
    made: list[tuple[str, str]] = []
    for class_, said in parts:
        look = _looks().get(class_, "")
        if made and (made[-1][0] == look or not said.strip()):
            made[-1] = (made[-1][0], made[-1][1] + said)
        else:
            made.append((look, said))
    return made


@cache
def _looks() -> dict[str, str]:
    return {class_: look for look, classes in _LOOKS.items() for class_ in classes}


BLOCKS: dict[str, Handler] = {"code": code, "code-line": code_line, "prompt": prompt}
