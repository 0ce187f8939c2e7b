"""Three lines of content that are written, updated and merged at random, each beside a naive model of itself.

The model knows dictionaries and sets, no tries, no positions that it could read, no texts: of a text only the marks that
stand in it. Its rules are those of docs/collaboration/merging.md, written a second time.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from octavo.content.draft import Base, Change, DeletePage, InsertPage, Metadata, Refused, RevertPage, UpdatePage
from octavo.content.draft.draft import Draft
from octavo.content.ordering import between
from octavo.content.revision import Page
from tests.content.merging.helpers import Memory, order, told

MARK = re.compile(r"\bm\d+x\b")
FIELDS = ("description", "emoji", "icon", "condition", "hidden")
SLUGS = ("intro", "guide", "GUIDE", "notes", "guide-2")
PRIMARY = "primary"


@dataclass(frozen=True)
class Entry:
    """A page as the model has it."""

    kind: str
    title: str
    slug: str
    parent: str | None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Without those that are empty."""
    marks: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    """Marks that a conflict may have put somewhere else in the text, or twice: what deletes them is not known."""
    place: Any = None
    """What it stands for is unknown here; two places are one when they are equal."""
    text: Any = None
    """Likewise."""

    @property
    def said(self) -> tuple[Any, ...]:
        """All that somebody wrote: a place is none of it."""
        return self.kind, self.title, self.slug, dict(self.fields), self.text


Model = dict[str, Entry]


class Line:
    """A line of content: its pages, and the model of them."""

    def __init__(self, pages: dict[str, Page], model: Model) -> None:
        self.pages = pages
        self.model = model

    def copy(self) -> Line:
        return Line(dict(self.pages), dict(self.model))

    def seen(self, memory: Memory, keys: Iterable[str]) -> None:
        """Take over of real pages what the model cannot know, and see that it knew the rest."""
        for key in keys:
            page, entry = self.pages.get(key), self.model.get(key)
            assert (page is None) == (entry is None), key
            if page is not None and entry is not None:
                seen = observed(memory, page)
                self.model[key] = replace(entry, place=seen.place, text=seen.text)
                assert replace(self.model[key], moved=frozenset()) == seen


def observed(memory: Memory, page: Page) -> Entry:
    fields = {name: getattr(page, name) for name in FIELDS}
    return Entry(
        kind=page.type,
        title=page.title,
        slug=page.slug,
        parent=page.parent,
        fields={name: value for name, value in fields.items() if value},
        marks=frozenset(MARK.findall(memory.text(page))),
        place=(page.parent, page.position),
        text=page.text,
    )


# The rules, a second time.


def three(base: Any, ours: Any, theirs: Any) -> Any:
    return theirs if ours == base else ours


def torn(base: Any, ours: Any, theirs: Any) -> bool:
    return ours != base and theirs != base and ours != theirs


def expected(base: Model, ours: Model, theirs: Model) -> tuple[Model, set[tuple[str, str, str, tuple[str, ...]]]]:
    """The merge and its conflicts; whether texts are in conflict the model cannot tell."""
    made: Model = {}
    told: set[tuple[str, str, str, tuple[str, ...]]] = set()
    for key in sorted(ours.keys() | theirs.keys()):
        before, mine, other = base.get(key), ours.get(key), theirs.get(key)
        if mine is not None and other is not None:
            made[key], fields = both(before, mine, other)
            if fields:
                told.add(("page", "edited", key, tuple(sorted(fields))))
            continue
        left = mine or other
        assert left is not None
        if before is None or left.said != before.said:
            made[key] = left
            if before is not None:
                told.add(("page", "deleted", key, ()))
    moved, looped = settle_parents(made, base, ours, theirs)
    told |= {("page", "parent", key, ()) for key in moved} | {("page", "cycle", key, ()) for key in looped}
    told |= {("page", "slug", key, ()) for key in settle_slugs(made, ours)}
    return made, told


def both(base: Entry | None, ours: Entry, theirs: Entry) -> tuple[Entry, set[str]]:
    old = base or Entry(kind="", title="", slug="", parent=None)
    torn_fields = {name for name in ("title", "slug") if torn(*(getattr(one, name) for one in (old, ours, theirs)))}
    fields: dict[str, Any] = {}
    for name in FIELDS:
        trio = [one.fields.get(name) for one in (old, ours, theirs)]
        value = three(*trio)
        if torn(*trio):
            torn_fields.add(name)
            # In front matter what is written wins over what is removed.
            value = value or (trio[2] if ours.kind == "document" else None)
        if value:
            fields[name] = value
    if torn(old.place, ours.place, theirs.place) and ours.parent != theirs.parent:
        torn_fields.add("parent")
    place = three(old.place, ours.place, theirs.place)
    marks = (ours.marks & theirs.marks) | (ours.marks - old.marks) | (theirs.marks - old.marks)
    slug, title = three(old.slug, ours.slug, theirs.slug), three(old.title, ours.title, theirs.title)
    text = three(old.text, ours.text, theirs.text)
    return replace(ours, title=title, slug=slug, parent=place[0], place=place, fields=fields, marks=marks, text=text), (
        torn_fields
    )


def settle_parents(made: Model, base: Model, ours: Model, theirs: Model) -> tuple[set[str], set[str]]:
    """Pages that moved up, and pages of which each was to stand below the other."""
    moved: set[str] = set()
    looped: set[str] = set()
    while True:
        orphans = [key for key, page in made.items() if page.parent is not None and page.parent not in made]
        for key in orphans:
            parent = made[key].parent
            while parent is not None and parent not in made:
                parent = (base.get(parent) or ours.get(parent) or theirs[parent]).parent
            made[key] = replace(made[key], parent=parent, place=object())
        loops = {frozenset(found) for key in made if (found := loop(made, key))}
        for found in loops:
            back = [key for key in found if key not in looped and key in ours and ours[key].parent != made[key].parent]
            for key in back:
                made[key] = replace(made[key], parent=ours[key].parent, place=ours[key].place)
            if not back:
                first = min(key for key in found if ours.get(key) != base.get(key) or theirs.get(key) != base.get(key))
                made[first] = replace(made[first], parent=None, place=object())
        moved |= set(orphans)
        looped |= set().union(*loops)
        if not orphans and not loops:
            return moved, looped


def loop(pages: Model, key: str) -> list[str]:
    chain = [key]
    while (at := pages[chain[-1]].parent) is not None and at in pages and at not in chain:
        chain.append(at)
    return chain if at == key else []


def settle_slugs(made: Model, ours: Model) -> set[str]:
    def address(page: Entry) -> tuple[str | None, str] | None:
        return None if page.kind == "link" else (page.parent, page.slug.lower())

    fresh = sorted(key for key in made if key not in ours or address(ours[key]) != address(made[key]))
    taken = {address(made[key]) for key in made if key not in fresh} - {None}
    renamed = set()
    for key in fresh:
        slug, number = made[key].slug, 1
        while address(made[key]) in taken:
            number += 1
            made[key] = replace(made[key], slug=f"{slug}-{number}")
            renamed.add(key)
        taken |= {address(made[key])} - {None}
    return renamed


# The walk.


class Walk:
    """Primary content and two change requests, from a seed."""

    def __init__(self, seed: int, pages: int) -> None:
        self.random = random.Random(seed)
        self.memory = Memory()
        self.counts: Counter[str] = Counter()
        self.number = 0
        primary = Line({}, {})
        self.lines = {PRIMARY: primary, "one": primary, "two": primary}
        for _ in range(pages):
            self._entry(primary)
        self.bases = {name: primary.copy() for name in ("one", "two")}
        self.lines |= {name: base.copy() for name, base in self.bases.items()}
        self.most = pages + 40

    def step(self) -> str:
        """One step of any kind; what it did."""
        kind = self.random.choices([*STEPS], [*STEPS.values()])[0]
        name = self.random.choice([*self.lines])
        self.number += 1
        if kind in ("merge", "update"):
            name = self.random.choice(["one", "two"])
            kind = getattr(self, f"_{kind}")(name)
        else:
            kind = getattr(self, f"_{kind}")(self.lines[name]) or kind
        self.counts[kind] += 1
        return str(kind)

    # What writers do.

    def _pick(self, line: Line, *kinds: str) -> str | None:
        found = [key for key, entry in line.model.items() if not kinds or entry.kind in kinds]
        return self.random.choice(found) if found else None

    def _mark(self) -> str:
        self.counts["marks"] += 1
        return f"m{self.counts['marks']}x"

    def _write(self, line: Line, *changes: Change, others: Mapping[str, Mapping[str, Page]] | None = None) -> set[str]:
        """Apply changes by a draft; the pages that it touched."""
        texts = {page.text: self.memory.objects[page.text] for page in self._read(line, changes, others or {})}
        made = iter(range(len(changes)))
        base = Base(line.pages, {}, {}, texts, others or {})
        draft = Draft(base, lambda: f"p{self.number:05}-{next(made)}", self.number)
        for apply in (draft.announce, draft.apply):
            for number, change in enumerate(changes):
                apply(number, change)
        self.memory.objects |= draft.objects
        for key, page in draft.pages.items():
            if page is None:
                line.pages.pop(key, None)
            else:
                line.pages[key] = page
        return set(draft.pages)

    def _read(self, line: Line, changes: Iterable[Change], others: Mapping[str, Mapping[str, Page]]) -> list[Any]:
        keys = [change.page for change in changes if isinstance(change, UpdatePage | RevertPage)]
        pages = [side[key] for side in (line.pages, *others.values()) for key in keys if key in side]
        return [page for page in pages if page.text is not None]

    def _place(self, line: Line, page: str | None) -> tuple[str | None, int, list[str]]:
        """A place where the page may be put: below whom, at which index, and who stands there then."""
        below = [None, None, *(key for key, entry in line.model.items() if entry.kind != "link")]
        if page is not None and line.model[page].kind == "group":
            below = [None]  # groups stand at the top only
        family = {page, *descendants(line.model, page)} if page is not None else set()
        into = self.random.choice([key for key in below if key is None or key not in family])
        siblings = [key for key in order(line.pages.values(), into) if key != page]
        at = self.random.randint(0, len(siblings))
        return into, at, siblings

    def _free(self, line: Line, slug: str, parent: str | None, page: str | None = None) -> str:
        taken = {e.slug.lower() for k, e in line.model.items() if e.parent == parent and k != page}
        return next(made for made in (slug, *(f"{slug}-{n}" for n in range(2, 999))) if made.lower() not in taken)

    def _entry(self, line: Line) -> None:
        """A group or a link, as an import brings it."""
        key = f"e{self.number:05}-{len(line.pages)}"
        into, at, siblings = self._place(line, None)
        before, after = [None, *siblings][at], [*siblings, None][at]
        position = between(before and line.pages[before].position, after and line.pages[after].position)
        kind = "link" if into is not None else self.random.choice(["group", "group", "link"])
        slug = self._free(line, self.random.choice(SLUGS), into)
        line.pages[key] = Page(id=key, type=kind, title=key, slug=slug, position=position, parent=into)
        line.model[key] = Entry(kind=kind, title=key, slug=slug, parent=into)
        line.seen(self.memory, [key])

    def _insert(self, line: Line) -> None:
        if len(line.pages) >= self.most:
            return self._delete(line)
        into, at, siblings = self._place(line, None)
        title, marks = self.random.choice(["Intro", "Guide", "Notes"]), [self._mark() for _ in range(3)]
        body = f"One {marks[0]}. Two {marks[1]}.\n\n* three {marks[2]}\n* four\n"
        key = f"p{self.number:05}-0"
        touched = self._write(line, InsertPage(body=body, into=into, at=at, metadata=Metadata(title=title)))
        assert touched >= {key}
        slug = self._free(line, title.lower(), into)
        line.model[key] = Entry(kind="document", title=title, slug=slug, parent=into, marks=frozenset(marks))
        line.seen(self.memory, touched)
        assert order(line.pages.values(), into) == [*siblings[:at], key, *siblings[at:]]
        return None

    def _move(self, line: Line) -> None:
        key = self._pick(line)
        if key is None:
            return
        into, at, siblings = self._place(line, key)
        if self.random.random() < 0.15 and (below := sorted(descendants(line.model, key))):
            self._refused(line, UpdatePage(page=key, into=self.random.choice(below)))
        entry = line.model[key]
        touched = self._write(line, UpdatePage(page=key, into=into, at=at))
        slug = entry.slug if entry.parent == into else self._free(line, entry.slug, into, key)
        line.model[key] = replace(entry, parent=into, slug=slug)
        line.seen(self.memory, touched)
        assert order(line.pages.values(), into) == [*siblings[:at], key, *siblings[at:]]

    def _refused(self, line: Line, change: Change) -> None:
        try:
            self._write(line, change)
        except Refused:
            self.counts["refused"] += 1
        else:
            raise AssertionError(change)

    def _slug(self, line: Line) -> None:
        key = self._pick(line)
        if key is None:
            return None
        entry, slug = line.model[key], self.random.choice(SLUGS)
        change = UpdatePage(page=key, metadata=Metadata(slug=slug))
        if self._free(line, slug, entry.parent, key) != slug:
            return self._refused(line, change)
        line.model[key] = replace(entry, slug=slug)
        return line.seen(self.memory, self._write(line, change))

    def _field(self, line: Line, *kinds: str) -> None:
        key = self._pick(line, *(kinds or ("group", "link")))
        if key is None:
            return
        name = self.random.choice(FIELDS)
        value = self.random.choice(["😀", "🎉", ""] if name == "emoji" else ["a", "b", ""])
        given: Any = bool(value) if name == "hidden" else value
        entry = line.model[key]
        line.model[key] = replace(entry, fields=without_empty({**entry.fields, name: given}))
        line.seen(self.memory, self._write(line, UpdatePage(page=key, metadata=Metadata(**{name: given}))))

    def _front(self, line: Line) -> None:
        self._field(line, "document")

    def _title(self, line: Line) -> None:
        key = self._pick(line)
        if key is not None:
            title = self.random.choice(["Intro", "Guide", "Notes", "Other"])
            line.model[key] = replace(line.model[key], title=title)
            line.seen(self.memory, self._write(line, UpdatePage(page=key, metadata=Metadata(title=title))))

    def _text(self, line: Line) -> None:
        key = self._pick(line, "document")
        if key is None:
            return
        body = re.sub(r"\A(---\n.*?\n---\n+)?(# [^\n]*\n+)?", "", self.memory.text(line.pages[key]), flags=re.DOTALL)
        blocks = self._edited([block for block in body.split("\n\n") if block.strip()])
        body = "\n\n".join(blocks).rstrip("\n") + "\n" if blocks else ""
        entry = line.model[key]
        line.model[key] = replace(entry, marks=frozenset(MARK.findall(body)))
        line.seen(self.memory, self._write(line, UpdatePage(page=key, body=body)))
        assert self.memory.text(line.pages[key]).endswith(body)

    def _edited(self, blocks: list[str]) -> list[str]:
        at = self.random.randint(0, len(blocks))
        kind = self.random.choice(["insert", "insert", "append", "replace", "replace", "delete"])
        if kind == "insert" or at == len(blocks):
            kinds = ("Word {}. More.", "* item {}\n* more", "| a | {} |\n| --- | --- |\n| b | c |", "```\n{}\n```")
            return [*blocks[:at], self.random.choice(kinds).format(self._mark()), *blocks[at:]]
        if kind == "delete" or len(blocks) > 12:
            return [*blocks[:at], *blocks[at + 1 :]]
        found = MARK.findall(blocks[at])
        if kind == "replace" and found:
            changed = blocks[at].replace(self.random.choice(found), self._mark())
        else:
            changed = f"{blocks[at]} Behind {self._mark()}."
        return [*blocks[:at], changed, *blocks[at + 1 :]]

    def _delete(self, line: Line) -> None:
        key = self._pick(line)
        family = {key, *descendants(line.model, key)} if key is not None else set()
        if key is None or len(family) > 8:
            return
        assert self._write(line, DeletePage(page=key)) == family
        for one in family:
            del line.model[one]

    def _revert(self, line: Line) -> str | None:
        """A page becomes what it was in the base of a change request."""
        base = self.bases[self.random.choice(["one", "two"])]
        different = [key for key in base.pages if base.pages[key] != line.pages.get(key)]
        if not different:
            return "nothing"
        key = self.random.choice(sorted(different))
        if any(entry.kind == "link" for entry in above(line.model, base.model, key)):
            return "nothing"
        old, parent = base.model[key], base.model[key].parent
        while parent is not None and parent not in line.model:
            parent = base.model[parent].parent
        if key in line.model and parent in {key, *descendants(line.model, key)}:
            parent = line.model[key].parent
        touched = self._write(line, RevertPage(page=key, revision="base"), others={"base": base.pages})
        line.model[key] = replace(old, parent=parent, slug=self._free(line, old.slug, parent, key))
        line.seen(self.memory, touched)
        return None

    # What becomes of change requests.

    def _merge(self, name: str) -> str:
        """Into primary; another change request begins where this one ended."""
        merged, conflicts = self._joined(name)
        self.lines[PRIMARY] = merged
        self.bases[name], self.lines[name] = merged.copy(), merged.copy()
        return "merge with conflicts" if conflicts else "merge"

    def _update(self, name: str) -> str:
        merged, conflicts = self._joined(name)
        self.bases[name], self.lines[name] = self.lines[PRIMARY].copy(), merged
        return "update with conflicts" if conflicts else "update"

    def _joined(self, name: str) -> tuple[Line, int]:
        base, ours, theirs = self.bases[name], self.lines[PRIMARY], self.lines[name]
        roots = [self.memory.root(line.pages.values()) for line in (base, ours, theirs)]
        merged = self.memory.merge(*roots)
        pages = self.memory.pages(merged.root)
        model, conflicts = expected(base.model, ours.model, theirs.model)
        assert pages.keys() == model.keys()
        problems = self.memory.problems(merged.root)
        assert not problems, problems
        found = told(merged.conflicts)
        textual = {one[2] for one in found if "text" in one[3]}
        named = {(*one[:3], tuple(name for name in one[3] if name != "text")) for one in found}
        assert {one for one in named if one[1] != "edited" or one[3]} == conflicts
        self._in_order(pages, ours, theirs, model)
        for key, page in pages.items():
            trio = [side.model.get(key) for side in (base, ours, theirs)]
            model[key] = self._held(page, model[key], key in textual, *trio)
        for conflict in merged.conflicts:
            self.counts[f"conflict: {conflict.reason}{' of texts' * (conflict.id in textual)}"] += 1
        return Line(pages, model), len(merged.conflicts)

    def _held(
        self, page: Page, entry: Entry, textual: bool, base: Entry | None, ours: Entry | None, theirs: Entry | None
    ) -> Entry:
        """The merged page as the model has it, now that it was held against it; a text in conflict has all of both."""
        seen = observed(self.memory, page)
        torn_text = ours is not None and theirs is not None and torn(base and base.text, ours.text, theirs.text)
        assert torn_text or not textual
        assert torn_text or seen.text == entry.text
        moved: frozenset[str] = frozenset().union(*(one.moved for one in (base, ours, theirs) if one is not None))
        if ours is not None and theirs is not None and textual:
            assert entry.marks - moved <= seen.marks <= ours.marks | theirs.marks
            moved |= seen.marks
        else:
            # What stands on a page twice is gone from it only when both places are.
            texts = [self.memory.objects[one.text].decode() for one in (base, ours, theirs) if one and one.text]
            twice = {mark for text in texts for mark, times in Counter(MARK.findall(text)).items() if times > 1}
            assert entry.marks ^ seen.marks <= moved | twice
        assert seen == replace(entry, place=seen.place, text=seen.text, marks=seen.marks, moved=frozenset())
        return replace(seen, moved=moved & seen.marks)

    def _in_order(self, pages: dict[str, Page], ours: Line, theirs: Line, model: Model) -> None:
        """Whoever has their place from one side stand in the order of that side."""
        for side in (ours, theirs):
            place = {key: (page.parent, page.position) for key, page in side.pages.items()}
            for parent in {page.parent for page in pages.values()}:
                kept = [key for key in order(pages.values(), parent) if key in place and model[key].place == place[key]]
                assert kept == [key for key in order(side.pages.values(), parent) if key in kept]


def without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def descendants(model: Model, key: str | None) -> set[str]:
    found: set[str] = set()
    level = {key}
    while level:
        level = {one for one, entry in model.items() if entry.parent in level} - found
        found |= level
    return found


def above(model: Model, base: Model, key: str) -> list[Entry]:
    parent = base[key].parent
    return [] if parent is None else [model.get(parent) or base[parent]]


STEPS: dict[str, int] = {
    "entry": 5, "insert": 5, "field": 22, "front": 4, "title": 5, "slug": 8, "move": 20, "text": 10, "delete": 5,
    "revert": 4, "merge": 3, "update": 5,
}  # fmt: skip
