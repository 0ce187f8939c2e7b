"""ContentKit: what a component of an integration draws, as blocks of a document.

So it is shown by whoever shows documents, in HTML and in print, by their rules for addresses and characters. Buttons and cards
lead to addresses. Buttons that ask the script again are there where somebody takes what they ask; what is there to be filled in
is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from octavo.content.document import Node, block, document, inline, leaf, mark, rebuilt, text

Json = dict[str, Any]
MOST, DEPTH, LENGTH = 500, 12, 20_000
"""Elements of one drawing, those in one another, and characters of one text; what is beyond is left out."""
ACTIONS = 50
"""Buttons of one drawing that ask the script."""
_MARKS = {"bold": "bold", "italic": "italic", "code": "code", "strikethrough": "strikethrough"}
_INLINE = ("text", "link")


def blocks_of(drawn: Json, actions: list[Json] | None = None) -> list[Node] | None:
    """The blocks of what a component drew; None where it drew nothing that can be shown. `actions` takes what its buttons ask
    of the script: each is inline `button` with the number of its own as `press`.

    >>> drawn = {"type": "element", "element": {"type": "block", "children": [{"type": "divider"}]}}
    >>> [one["type"] for one in blocks_of(drawn)]
    ['divider']
    >>> blocks_of({"type": "complete"}) is None
    True
    """
    element, state = drawn.get("element"), drawn.get("state")
    if drawn.get("type", "element") != "element" or not isinstance(element, dict):
        return None
    return _Drawing(state if isinstance(state, dict) else {}, actions).element(element, 0) or None


class _Drawing:
    """One drawing, and how much of it was read."""

    def __init__(self, state: Json, actions: list[Json] | None) -> None:
        self._state = state
        self._actions = actions
        self._left = MOST

    def element(self, one: Any, depth: int) -> list[Node]:
        self._left -= 1
        if not isinstance(one, dict) or depth > DEPTH or self._left < 0:
            return []
        made = _ELEMENTS.get(str(one.get("type")))
        return [] if made is None else made(self, one, depth + 1)

    def inside(self, one: Json, depth: int) -> list[Node]:
        """Its children, runs of texts and links as paragraphs."""
        made: list[Node] = []
        run: list[Node] = []
        for child in _listed(one.get("children")):
            if isinstance(child, str) or (isinstance(child, dict) and child.get("type") in _INLINE):
                run += self.inlines(child, ())
                continue
            made += _paragraph(run)
            run = []
            made += self.element(child, depth)
        return made + _paragraph(run)

    def inlines(self, one: Any, marks: tuple[str, ...]) -> list[Node]:
        self._left -= 1
        if self._left < 0 or len(marks) > DEPTH:
            return []
        if isinstance(one, str):
            return [text([leaf(one[:LENGTH], [mark(name) for name in marks])])]
        if not isinstance(one, dict):
            return []
        if one.get("type") == "link":
            target = one.get("target")
            within = [part for child in _listed(one.get("children")) for part in self.inlines(child, marks)]
            url = self.address(target.get("url") if isinstance(target, dict) else None)
            return [inline("link", {"ref": {"kind": "url", "url": url}}, within)] if url and within else within
        if one.get("type") != "text":
            return []
        style = _MARKS.get(str(one.get("style")))
        marks = (*marks, style) if style is not None and style not in marks else marks
        return [part for child in _listed(one.get("children")) for part in self.inlines(child, marks)]

    def bound(self, value: Any) -> str:
        """A text, or what the state has in its place."""
        if isinstance(value, dict):
            value = self._state.get(str(value.get("$state")))
        return value[:LENGTH] if isinstance(value, str) else ""

    def address(self, value: Any) -> str:
        """An address of the web; nothing for any other."""
        if isinstance(value, dict) and isinstance(value.get("host"), str):
            value = f"https://{value['host']}{value.get('pathname') or '/'}"
        found = value if isinstance(value, str) else ""
        return found if found.lower().startswith(("https://", "http://")) else ""

    def pressed(self, one: Json) -> str:
        """The address to which pressing leads."""
        action = one.get("onPress")
        opens = isinstance(action, dict) and action.get("action") == "@ui.url.open"
        return self.address(action.get("url")) if opens and isinstance(action, dict) else ""

    def asks(self, one: Json) -> int | None:
        """The number of what pressing asks of the script; None where it asks nothing, or nobody takes it."""
        action = one.get("onPress")
        if self._actions is None or not isinstance(action, dict) or len(self._actions) >= ACTIONS:
            return None
        word = action.get("action")
        if not isinstance(word, str) or not word or word.startswith("@"):  # those are for whoever shows it
            return None
        self._actions.append({name: self.filled(value) for name, value in action.items()})
        return len(self._actions) - 1

    def filled(self, value: Any) -> Any:
        """A value of an action, or what the state has in its place."""
        bound = isinstance(value, dict) and isinstance(value.get("$state"), str)
        return self._state.get(value["$state"]) if bound else value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _paragraph(run: list[Node]) -> list[Node]:
    return [block("paragraph", {}, run)] if run else []


def _within(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    return drawing.inside(one, depth)


def _side_by_side(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    """Boxes as columns; what is alone, or only words, needs none."""
    children = _listed(one.get("children"))
    boxes = [child for child in children if isinstance(child, dict) and child.get("type") not in _INLINE]
    if len(boxes) < 2 or len(boxes) < len(children) or len(boxes) > 4:
        return drawing.inside(one, depth)
    columns = [block("column", {}, made) for child in boxes if (made := drawing.element(child, depth))]
    return [block("columns", {}, columns)] if len(columns) > 1 else [part for each in columns for part in each["nodes"]]


def _words(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    return _paragraph(drawing.inlines(one, ()))


def _divider(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    return [block("divider", {}, void=True)]


def _markdown(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    from octavo.content import markdown  # dear to load, and few drawings have any

    # Behind a paragraph nothing is front matter, or the title of a page.
    _, *parsed = markdown.parse(f"-\u200b-\n\n{drawing.bound(one.get('content'))}").document["nodes"]
    found: list[Node] = rebuilt(document(parsed), _kept)["nodes"]
    return found


def _kept(node: Node) -> list[Node] | None:
    """None for what Markdown of a stranger may be; what reads of visitors, or of the space, is left out."""
    if node.get("object") in ("text", "fragment"):
        return None
    if node.get("type") not in _PLAIN:
        return []
    ref = (node.get("data") or {}).get("ref")
    if isinstance(ref, dict) and ref.get("kind") != "url":
        return list(node.get("nodes", ()))
    return None


_PLAIN = frozenset(
    (
        "paragraph",
        "heading-1",
        "heading-2",
        "heading-3",
        "list-ordered",
        "list-unordered",
        "list-tasks",
        "list-item",
        "blockquote",
        "hint",
        "code",
        "code-line",
        "divider",
        "images",
        "image",
        "math",
        "link",
        "emoji",
        "inline-image",
        "inline-math",
    )
)


def _code(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    lines = [block("code-line", {}, [text([leaf(line, [])])]) for line in drawing.bound(one.get("content")).split("\n")]
    syntax = one.get("syntax")
    data = {"syntax": syntax if isinstance(syntax, str) and syntax != "mermaid" else None}
    return [block("code", data | ({"lineNumbers": True} if one.get("lineNumbers") else {}), lines)]


def _image(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    source = one.get("source")
    url = drawing.address(source.get("url") if isinstance(source, dict) else None)
    picture = block("image", {"ref": {"kind": "url", "url": url}}, fragments=[], void=True)
    return [block("images", {}, [picture])] if url else []


def _frame(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    source = one.get("source")
    url = drawing.address(source.get("url") if isinstance(source, dict) else None)
    return [block("embed", {"url": url}, void=True)] if url else []


def _hint(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    within = drawing.inside(one, depth)
    return [block("hint", {"style": "info"}, within)] if within else []


def _titled(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    """A card or a step: its title, leading where pressing it leads, and what it holds."""
    title, url = one.get("title"), drawing.pressed(one)
    run: list[Node] = []
    if isinstance(title, str) and title:
        words = [text([leaf(title[:LENGTH], [mark("bold")])])]
        run = [inline("link", {"ref": {"kind": "url", "url": url}}, words)] if url else words
    hint = [part for child in _listed(one.get("hint")) for part in drawing.inlines(child, ())]
    return [*_paragraph(run), *_paragraph(hint), *drawing.inside(one, depth)]


def _button(drawing: _Drawing, one: Json, depth: int) -> list[Node]:
    url, label = drawing.pressed(one), one.get("label")
    if not isinstance(label, str) or one.get("disabled") is True:
        return []
    number = drawing.asks(one) if not url else None
    if not url and number is None:
        return []
    kind = "primary" if one.get("style") == "primary" else "secondary"
    leads: Json = {"ref": {"kind": "url", "url": url}} if url else {"press": number}
    data = {"label": label[:200], "kind": kind, **leads}
    return [block("paragraph", {}, [inline("button", data, void=True)])]


_ELEMENTS: Mapping[str, Callable[[_Drawing, Json, int], list[Node]]] = {
    "block": _within, "modal": _within, "configuration": _within, "vstack": _within, "box": _within,
    "hstack": _side_by_side, "text": _words, "link": _words, "divider": _divider, "markdown": _markdown,
    "codeblock": _code, "image": _image, "webframe": _frame, "hint": _hint, "card": _titled, "step": _titled,
    "button": _button,
}  # fmt: skip
