"""Code blocks, highlighted line by line; diagrams; prompts."""

from __future__ import annotations

from octavo.content.document import Node
from octavo.content.html.escape import escape, name, string
from octavo.content.html.links import attribute
from octavo.content.html.text import listed
from octavo.content.html.writer import Handler, Writer, data, full, nodes

_LANGUAGE = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}


def code(writer: Writer, node: Node) -> None:
    """A listing, or a diagram when its language is mermaid."""
    of = data(node)
    syntax = string(of.get("syntax")).strip()
    lines = nodes(node)
    title = string(of.get("title"))
    if syntax.lower() == "mermaid":
        _diagram(writer, lines, title)
        return
    writer.needs.add("code")
    language = name(_LANGUAGE.get(syntax.lower(), syntax))
    put = writer.put
    put(f'<figure class="code-block{full(of)}"{attribute("language", language)}{_collapsed(of)}>')
    if title:
        put(f'<figcaption class="code-title">{escape(title)}</figcaption>')
    wrap = " wrap" if of.get("overflow") == "wrap" else ""
    numbers = " line-numbers" if of.get("lineNumbers") is True else ""
    put(f'<pre class="code{wrap}{numbers}" tabindex="0"><code')
    put(f' class="language-{language}">' if language else ">")
    _lines(writer, lines, syntax)
    put("</code></pre></figure>")


def code_line(writer: Writer, node: Node) -> None:
    """A line outside of a listing, which is not expected."""
    code(writer, {"nodes": [node]})


def prompt(writer: Writer, node: Node) -> None:
    """A text to give to an assistant, with what it is for."""
    of = data(node)
    writer.put('<section class="prompt"><div class="prompt-header">')
    writer.icon(of.get("icon") or "sparkles", "prompt-icon")
    if description := string(of.get("description")):
        writer.put(f'<p class="prompt-description">{escape(description)}</p>')
    shown = " open" if of.get("defaultExpanded") in ("partial", "full") else ""
    writer.put(f'</div><details class="prompt-text"{shown}><summary>{writer.phrase("Show prompt")}</summary>')
    writer.quiet(nodes(node))
    writer.put("</details></section>")


def _lines(writer: Writer, lines: list[Node], syntax: str) -> None:
    put = writer.put
    texts = [_text(line) for line in lines]
    highlighted = writer.context.highlight(syntax, "\n".join(texts)) if syntax else None
    if highlighted is not None and len(highlighted) != len(texts):
        highlighted = None
    for number, line in enumerate(lines):
        put('<span class="line highlighted">' if data(line).get("highlighted") is True else '<span class="line">')
        below = nodes(line)
        if any(child.get("object") != "text" for child in below):
            writer.inlines(below)
        else:
            put(highlighted[number] if highlighted is not None else escape(texts[number]))
        put("\n</span>")


def _text(line: Node) -> str:
    """The characters of a line as they stand; a line never holds a break of its own."""
    leaves = [leaf for child in nodes(line) for leaf in listed(child.get("leaves"))]
    return "".join(string(leaf.get("text")) for leaf in leaves).replace("\n", " ")


def _diagram(writer: Writer, lines: list[Node], title: str) -> None:
    writer.needs.add("mermaid")
    source = escape("\n".join(_text(line) for line in lines))
    caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    writer.put(f'<figure class="diagram"><pre class="mermaid">{source}</pre>{caption}</figure>')


def _collapsed(of: Node) -> str:
    if of.get("expandable") is not True:
        return ""
    count = of.get("collapsedLineCount")
    return f' data-lines="{count if isinstance(count, int) and count > 0 else 10}"'


BLOCKS: dict[str, Handler] = {"code": code, "code-line": code_line, "prompt": prompt}
