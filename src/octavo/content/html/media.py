"""Pictures, files and what is embedded from elsewhere."""

from __future__ import annotations

from typing import Any

from octavo.content.document import Node
from octavo.content.html.context import Picture, Target
from octavo.content.html.embeds import Frame, frame, iframe
from octavo.content.html.escape import address, escape, host, string
from octavo.content.html.links import attribute, mark_of, opening, ref_of, title_of, wrap
from octavo.content.html.writer import Handler, Writer, data, full, nodes, part, step

_OPENS = frozenset((
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml",
    "application/pdf", "video/mp4", "video/webm", "audio/mpeg", "text/plain",
))  # fmt: skip
"""Types of files that browsers show."""
_BRANDS = frozenset({"youtube", "vimeo", "figma", "codepen"})
_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_ALIGNED = {"left": " align-left", "center": " align-center", "right": " align-right"}


def images(writer: Writer, node: Node) -> None:
    """One or more figures beside each other."""
    of = data(node)
    framed = " with-frame" if of.get("withFrame") is True else ""
    writer.put(f'<div class="images{_ALIGNED.get(string(of.get("align")), "")}{full(of)}{framed}">')
    for item in nodes(node):
        image(writer, item)
    writer.put("</div>")


def image(writer: Writer, node: Node, class_: str = "figure") -> None:
    """A picture with its caption."""
    writer.put(f'<figure class="{class_}">')
    img(writer, data(node))
    _caption(writer, node)
    writer.put("</figure>")


def drawing(writer: Writer, node: Node) -> None:
    """A drawing, which is a picture."""
    image(writer, node, "figure drawing")


def img(writer: Writer, of: Node, *, class_: str = "", zoom: bool = True) -> None:
    """The picture that `of["ref"]` names; `refDark` is its twin, `width`, `height` and `alt` are the author's."""
    ref, dark = of.get("ref"), of.get("refDark")
    picture = writer.context.image(ref) if isinstance(ref, dict) else None
    source = address(picture.url) if picture else ""
    alt = escape(string(of.get("alt")))
    if picture is None or not source:
        writer.put(f'<span class="image-missing" role="img" aria-label="{alt}">{alt}</span>')
        return
    loading = ' loading="lazy"' if writer.pictured else ' fetchpriority="high"'
    writer.pictured = True
    zoomed = zoom and not writer.within_link
    if zoomed:
        writer.needs.add("zoom")
    named = f' class="{class_}"' if class_ else ""
    tag = (
        f'<img{named} src="{source}" alt="{alt}"{_size(of, picture)}{loading}'
        f' decoding="async"{" data-zoom" if zoomed else ""}>'
    )
    twin = writer.context.image(dark) if isinstance(dark, dict) else None
    if twin and (twin_source := address(twin.url)):
        media = '<source class="dark-source" media="(prefers-color-scheme: dark)" srcset="'
        # A srcset is a list: a comma or a space would end the address.
        tag = f'<picture class="picture">{media}{twin_source.replace(",", "%2C").replace(" ", "%20")}">{tag}</picture>'
    writer.put(tag)


def file(writer: Writer, node: Node) -> None:
    """A file to download, and to open where browsers show its kind."""
    writer.put('<figure class="file">')
    ref = ref_of(node)
    file_link(writer, ref, verb=True)
    found = writer.context.file(ref)
    href = address(found.url) if found else ""
    if found and href and (found.content_type or "").partition(";")[0] in _OPENS:
        opens = writer.phrase("Open")
        writer.put(f'<a class="file-open" href="{href}" aria-label="{opens} {escape(found.name)}">{opens}</a>')
    _caption(writer, node)
    writer.put("</figure>")


def file_link(writer: Writer, ref: Node, *, verb: bool = False) -> None:
    """A link to a file with its name and size; `verb` says in a word what it does."""
    found = writer.context.file(ref)
    href = address(found.url) if found else ""
    start = f'<a class="file-link" href="{href}" download>' if href else ""

    def content() -> None:
        writer.icon("file", "file-icon")
        shown = found.name if found else string(ref.get("url")) or string(ref.get("file"))
        writer.put(f'<span class="file-name">{escape(shown)}</span>')
        if found and found.size:
            writer.put(f'<span class="file-meta">{readable_size(found.size)}</span>')
        if verb and href:
            writer.put(f'<span class="file-verb">{writer.phrase("Download")}</span>')

    wrap(writer, start, "file-link", content)


def embed(writer: Writer, node: Node) -> None:
    """A card that leads to the page, and for known providers the thing itself in a frame."""
    of = data(node)
    card(writer, string(of.get("url")), node)


def card(writer: Writer, url: str, node: Node) -> None:
    """The card of a web address, with the node's caption."""
    writer.put(f'<figure class="embed{full(data(node))}">')
    target = writer.context.link({"kind": "url", "url": url}) or Target(url)
    framed = frame(url)
    if framed:
        _framed(writer, framed, target.title, host(url))

    def content() -> None:
        writer.icon(target.icon or "link", "embed-icon")
        shown = target.title or url.partition("://")[2] or url
        where = host(url)
        writer.put(f'<span class="embed-title">{escape(shown)}</span>')
        writer.put(f'<span class="embed-host">{escape(where)}</span>' if where else "")

    wrap(writer, opening(target, "embed-card"), "embed-card", content)
    _caption(writer, node)
    writer.put("</figure>")


def _framed(writer: Writer, framed: Frame, title: str, where: str) -> None:
    """The thing in its frame; what it is stands behind the frame, to be read until it has loaded."""
    writer.needs.add(f"embed:{framed.origin}")
    writer.put(f'<div class="embed-frame" data-provider="{framed.provider}"><p class="embed-wait" aria-hidden="true">')
    writer.icon(framed.provider if framed.provider in _BRANDS else "play", "embed-icon")
    writer.put(f'<span class="embed-title">{escape(title or where)}</span>')
    writer.put(f'<span class="embed-host">{escape(where)}</span></p>' if title else "</p>")
    writer.put(iframe(framed.url, title or where) + "</div>")


def content_ref(writer: Writer, node: Node) -> None:
    """A prominent link to a page."""
    ref = ref_of(node)
    target = writer.context.link(ref)

    def content() -> None:
        mark = mark_of(writer, target).strip()
        title = title_of(target, ref)
        writer.put(f'<span class="content-ref-icon" aria-hidden="true">{mark}</span>' if mark else "")
        writer.put(f'<span class="content-ref-title">{escape(title)}</span>')

    wrap(writer, opening(target, "content-ref"), "content-ref", content)


def _caption(writer: Writer, node: Node) -> None:
    below = part(node, "caption")
    if not below:
        return
    writer.put("<figcaption>")
    if len(below) == 1 and below[0].get("type") == "paragraph":
        writer.inlines(nodes(below[0]))
    else:
        writer.quiet(below)
    writer.put("</figcaption>")


def _size(of: Node, picture: Picture) -> str:
    """Width and height attributes: the author's width with the picture's own ratio, so that nothing jumps."""
    own_width, own_height = picture.width or 0, picture.height or 0
    width, share = pixels(of.get("width"))
    height = pixels(of.get("height"))[0]
    if not width and not height:
        width, height = own_width, own_height
    elif own_width and own_height:
        width = width or round(height * own_width / own_height)
        height = height or round(width * own_height / own_width)
    made = attribute("width", str(share) if share else "")
    if share:
        width, height = own_width, own_height
    return made + (f' width="{width}"' if width else "") + (f' height="{height}"' if height else "")


def pixels(size: Any) -> tuple[int, int]:
    """A size as (pixels, 0) or (0, percent)."""
    unit = "px"
    if isinstance(size, dict):
        unit, size = string(size.get("unit")), size.get("value")
    if not isinstance(size, int | float) or isinstance(size, bool) or not 0 < size < 20_000:
        return 0, 0
    return (0, step(size)) if unit == "%" else (round(size), 0)


def readable_size(size: int) -> str:
    """A number of bytes as people read it: 1.2 MB."""
    amount, unit = float(size), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit > 1 else f"{amount:.0f} {_UNITS[unit]}"


BLOCKS: dict[str, Handler] = {
    "images": images,
    "image": image,
    "drawing": drawing,
    "file": file,
    "embed": embed,
    "content-ref": content_ref,
}
