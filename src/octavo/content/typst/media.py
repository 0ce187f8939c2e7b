"""Pictures, files and what is embedded from elsewhere."""

from __future__ import annotations

from octavo.content.document import Node
from octavo.content.html.escape import host, string
from octavo.content.html.links import ref_of
from octavo.content.html.media import pixels, readable_size
from octavo.content.html.writer import data, nodes, part
from octavo.content.revision import File
from octavo.content.typst.context import Goal
from octavo.content.typst.source import literal
from octavo.content.typst.writer import Handler, Writer

COLUMN = 431.0
"""Width of the text in points."""
_SCREEN = 720
"""Width of the text on screen in pixels."""
_HIGHEST = 540.0
"""Points that a picture may be high, so that its caption has room beneath."""
_ALIGNED = {"left": "start", "right": "end"}


def images(writer: Writer, node: Node) -> None:
    """One or more figures beside each other."""
    of, items = data(node), nodes(node)
    framed = "true" if of.get("withFrame") is True else "false"
    if not items:
        return
    writer.put(f"figures({_ALIGNED.get(string(of.get('align')), 'center')},{framed},")
    for item in items:
        _figure(writer, item)
    writer.put(");")


def image(writer: Writer, node: Node) -> None:
    """A picture alone."""
    images(writer, {"nodes": [node]})


def picture(writer: Writer, of: Node) -> None:
    """The picture that `of["ref"]` names, as an expression; in its place what it shows, where there is none."""
    ref = ref_of({"data": of})
    found = writer.around.picture(ref)
    alt = string(of.get("alt"))
    if found is None:
        goal = writer.around.goal(ref, writer.page)
        shown = alt or goal.title or string(ref.get("url"))
        writer.put("missing({")
        writer.link(goal, lambda: writer.text(shown))
        writer.put("})")
        return
    name, file = found
    writer.put(f"picture({literal(name)},{_width(of, file)},{literal(alt)})")


def inline_picture(writer: Writer, node: Node) -> None:
    """A picture that runs with the text."""
    of = data(node)
    found = writer.around.picture(ref_of(node))
    if found is None:
        writer.text(string(of.get("alt")))
        return
    name, file = found
    height = "1.15em" if of.get("size") == "line" else "auto"
    width = "auto" if of.get("size") == "line" else _width(of, file)
    writer.put(f"inline-picture({literal(name)},{width},{height},{literal(string(of.get('alt')))});")


def file(writer: Writer, node: Node) -> None:
    """A file, by its name and size: where it could be fetched, its address would soon have expired."""
    found = writer.around.file(ref_of(node))
    shown = found.name if found else string(ref_of(node).get("url")) or string(ref_of(node).get("file"))
    goal = Goal() if found else writer.around.goal(ref_of(node), writer.page)
    _card(writer, node, goal, shown, readable_size(found.size) if found and found.size else "")


def embed(writer: Writer, node: Node) -> None:
    """A card that leads to the page."""
    url = string(data(node).get("url"))
    goal = writer.around.goal({"kind": "url", "url": url}, writer.page)
    _card(writer, node, goal, url.partition("://")[2] or url, host(url))


def content_ref(writer: Writer, node: Node) -> None:
    """A prominent link to a page."""
    ref = ref_of(node)
    goal = writer.around.goal(ref, writer.page)
    title = goal.title or string(ref.get("url")) or string(ref.get("anchor"))
    _card(writer, node, goal, f"{goal.emoji} {title}" if goal.emoji else title, "")


def _figure(writer: Writer, node: Node) -> None:
    writer.put("(")
    picture(writer, data(node))
    writer.put(",{")
    below = part(node, "caption")
    if len(below) == 1 and below[0].get("type") == "paragraph":
        writer.inlines(nodes(below[0]))
    else:
        writer.quiet(below, cost=3)
    writer.put("}),")


def _card(writer: Writer, node: Node, goal: Goal, title: str, meta: str) -> None:
    """A row with a title and something faint behind it, as one link; a caption stands beneath."""

    def content() -> None:
        writer.put("card-row({")
        writer.text(title)
        writer.put(f"}},{literal(meta)});")

    writer.link(goal, content)
    below = part(node, "caption")
    if below:
        writer.put("caption({")
        writer.quiet(below, cost=2)
        writer.put("});")


def _width(of: Node, file: File) -> str:
    """The width in points that stands to the text as it does on screen; no higher than a sheet."""
    wanted, share = pixels(of.get("width"))
    if share:
        wanted = round(_SCREEN * share / 100)
    if not wanted and file.width and file.height and (high := pixels(of.get("height"))[0]):
        wanted = round(high * file.width / file.height)
    wanted = min(wanted or file.width or _SCREEN, _SCREEN)
    width = COLUMN * wanted / _SCREEN
    if file.width and file.height:
        width = min(width, _HIGHEST * file.width / file.height)
    return f"{max(width, 1):.1f}pt"


BLOCKS: dict[str, Handler] = {
    "images": images,
    "image": image,
    "drawing": image,
    "file": file,
    "embed": embed,
    "content-ref": content_ref,
}
