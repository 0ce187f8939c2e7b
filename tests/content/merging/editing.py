"""Edits of revisions from plain numbers, so that hypothesis can make them smaller; every result is sound."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import msgspec
from hypothesis import strategies as st

from octavo.content.ordering import between
from octavo.content.revision import Page
from tests.content.merging.helpers import ADDRESSED, Memory, below_itself, order

replace = msgspec.structs.replace

KINDS = ("insert", "insert", "move", "move", "text", "text", "text", "field", "title", "slug", "delete", "link", "case")
Step = tuple[str, int, int, int]
"""(kind, and three numbers that choose)"""
steps = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40)), max_size=8
)
WORD = re.compile(r"\b[a-z]+\d+x\b")
"""What marks a piece of text: no two pieces have the same."""
_PARTS = re.compile(r"(---\n.*?\n---\n\n)?(# [^\n]*\n\n)?(.*)", re.DOTALL)
_SLUGS = ("intro", "guide", "API", "api", "Guide", "notes", "guide-2")


def markers(text: str) -> set[str]:
    """The marks of a text's body: front matter and title are fields, which only one side can have its way in."""
    return set(WORD.findall(_parts(text)[2]))


def _parts(text: str) -> tuple[str, str, str]:
    found = _PARTS.fullmatch(text)
    assert found is not None
    return found[1] or "", found[2] or "", found[3]


@dataclass
class Editor:
    """Changes pages; `name` is in the ids and marks that it makes."""

    memory: Memory
    name: str
    pages: dict[str, Page]
    deleted: set[str] = field(default_factory=set)
    """Marks of texts that were taken out, and of pages that were."""
    _made: int = 0

    def take(self, steps: list[Step]) -> Editor:
        for kind, *numbers in steps:
            getattr(self, f"_{kind}")(*numbers)
        return self

    def _mark(self) -> str:
        self._made += 1
        return f"{self.name}{self._made}x"

    def _pick(self, number: int, *types: str) -> Page | None:
        known = [self.pages[key] for key in sorted(self.pages) if not types or self.pages[key].type in types]
        return known[number % len(known)] if known else None

    def _insert(self, a: int, b: int, c: int) -> None:
        key = f"{self.name}-{self._mark()}"
        kind = ("document", "document", "document", "group", "link")[c % 5]
        fields = {"slug": _SLUGS[b % len(_SLUGS)]}
        source = f"# Title {key}\n\nWord {self._mark()}. Word {self._mark()}.\n\n* item {self._mark()}\n"
        page = self.memory.document(key, source) if kind == "document" else self.memory.group(key, type=kind)
        self._put(replace(page, **fields), self._pick(a) if c % 2 else None, b)

    def _move(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is not None:
            self._put(page, self._pick(b) if c % 3 else None, c)

    def _put(self, page: Page, above: Page | None, at: int) -> None:
        """The page below `above`, before the sibling at `at`, as far as that can be."""
        parent = above.id if above is not None and above.type in ("document", "group") else None
        moved = replace(page, parent=parent)
        if below_itself(self.pages | {page.id: moved}, moved):
            return
        siblings = [key for key in order(self.pages.values(), parent) if key != page.id]
        at %= len(siblings) + 1
        before, after = ([None, *siblings][at], [*siblings, None][at])
        position = between(before and self.pages[before].position, after and self.pages[after].position)
        self.pages[page.id] = self._with_slug(replace(moved, position=position), page.slug)

    def _with_slug(self, page: Page, slug: str) -> Page:
        beside = [one for one in self.pages.values() if one.parent == page.parent and one.id != page.id]
        taken = {one.slug.lower() for one in beside if one.type in ADDRESSED}
        number, made = 1, slug
        while made.lower() in taken:
            number += 1
            made = f"{slug}-{number}"
        return replace(page, slug=made)

    def _slug(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is not None:
            self.pages[page.id] = self._with_slug(page, _SLUGS[b % len(_SLUGS)])

    def _case(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is not None:
            self.pages[page.id] = self._with_slug(page, page.slug.swapcase())

    def _delete(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is None or (c % 3 and any(one.parent == page.id for one in self.pages.values())):
            return
        family = [page.id]
        for key in family:
            family += [one.id for one in self.pages.values() if one.parent == key]
        for key in family:
            self.deleted |= {f"page {key}"}
            del self.pages[key]

    def _title(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is not None and page.text is not None:
            front, _, body = _parts(self.memory.text(page))
            title = f"# Title {self._mark()}\n\n" if b % 4 else ""
            self._write(page, front + title + body)

    def _field(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is None:
            return
        value = f"value {c % 3}"
        if page.text is None:
            name = ("emoji", "icon", "condition", "description", "link_title")[b % 5]
            self.pages[page.id] = replace(page, **{name: value if c % 4 else None})
            return
        front, title, body = _parts(self.memory.text(page))
        lines = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
        name = ("description", "icon", "if", "noIndex")[b % 4]
        lines |= {name: "true" if name == "noIndex" else value}
        if c % 4 == 0:
            del lines[name]
        front = "".join(["---\n", *(f"{key}: {said}\n" for key, said in lines.items()), "---\n\n"]) if lines else ""
        self._write(page, front + title + body)

    def _link(self, a: int, b: int, c: int) -> None:
        """What an address means changes, and the text does not: so it is when a file moves in a repository."""
        page, to = self._pick(a, "document"), self._pick(b)
        if page is not None and to is not None and page.text is not None:
            links = {"a.md": {"kind": "page", "page": to.id}} if c % 3 else {}
            text = self.memory.text(page)
            self.pages[page.id] = replace(page, links=links, **self.memory.written(text, links))

    def _text(self, a: int, b: int, c: int) -> None:
        page = self._pick(a)
        if page is None or page.text is None:
            return
        front, title, body = _parts(self.memory.text(page))
        blocks = [block for block in body.strip("\n").split("\n\n") if block]
        at = b % (len(blocks) + 1)
        kind = c % 6
        if kind < 2 or at == len(blocks):
            new = (f"Word {self._mark()}.", f"[Link](a.md) {self._mark()}", f"* one\n* {self._mark()}")[c % 3]
            blocks.insert(at, new)
        elif kind == 2:
            del blocks[at]
        elif kind == 3:
            blocks[at] += f" More {self._mark()}."
        else:
            words = WORD.findall(blocks[at])
            if words:
                blocks[at] = blocks[at].replace(words[c % len(words)], self._mark())
        self._write(page, front + title + "\n\n".join(blocks) + "\n")

    def _write(self, page: Page, source: str) -> None:
        """A text whose fields follow it; `if` and the like go when the front matter does."""
        fields = ("description", "icon", "condition", "no_index")
        blank = {name: getattr(Page(id="", type="", title="", slug="", position=""), name) for name in fields}
        self.deleted |= markers(self.memory.text(page)) - markers(source)
        self.pages[page.id] = replace(page, **blank | self.memory.written(source, page.links))
