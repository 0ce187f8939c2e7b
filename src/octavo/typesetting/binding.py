"""Binding: the parts of a book, each a PDF of its own, become one, with an outline and links between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

import msgspec
from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, OutlineItem, Page, Pdf, String

from octavo.content.typst import LINK, Entry

STRUCTURED = 2_000
"""Pages of the largest PDF that says what its words are (headings, lists, tables): it takes more memory than all the rest."""

_PAGES = "{http://ns.adobe.com/xap/1.0/t/pg/}NPages"


class Stack(msgspec.Struct):
    """What is to be bound: files of a folder in order, and what leads to places in them."""

    files: list[str]
    entries: list[Entry]


def measured(path: Path) -> tuple[int, dict[str, int]]:
    """How many pages a part has, and the index of the page of each of its labels."""
    with Pdf.open(path) as pdf:
        return len(pdf.pages), {label: index for label, (index, _) in _places(pdf).items()}


def bind(folder: Path, stack: Stack, to: Path) -> None:
    """Write all parts as one; the first gives its title and language."""
    parts = [Pdf.open(folder / name) for name in stack.files]
    goals: dict[str, Array] = {}
    bound = parts[0]
    structure = _Structure(bound) if sum(len(part.pages) for part in parts) <= STRUCTURED else None
    if structure is None:
        _unstructured(bound)
    for part in parts:
        places, begin = _places(part), 0
        if part is not bound:
            begin = len(bound.pages)
            bound.pages.extend(part.pages)
            if structure is not None:
                structure.add(part, bound.pages[begin:])
        goals |= {label: Array([bound.pages[begin + index].obj, *rest]) for label, (index, rest) in places.items()}
    named = chain.from_iterable((String(label), goals[label]) for label in sorted(goals))
    bound.Root.Names = Dictionary(Dests=Dictionary(Names=Array(named)))
    _lead(bound, {LINK + entry.label: entry for entry in stack.entries})
    with bound.open_outline() as outline:
        outline.root.extend(_outline(stack.entries))
    bound.Root.PageMode = Name.UseOutlines
    with bound.open_metadata(set_pikepdf_as_editor=False) as metadata:
        metadata["xmp:CreatorTool"] = "Octavo"
        metadata[_PAGES] = str(len(bound.pages))
    bound.docinfo[Name.Creator] = "Octavo"
    bound.save(to, object_stream_mode=ObjectStreamMode.generate, deterministic_id=True)


def _places(pdf: Pdf) -> dict[str, tuple[int, list[Object]]]:
    """The named destinations of a part: label -> (index of the page, what follows the page in a destination)."""
    indices = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
    names = pdf.Root.get(Name.Names, Dictionary()).get(Name.Dests, Dictionary()).get(Name.Names, Array())
    pairs = zip(list(names)[::2], list(names)[1::2], strict=True)
    return {str(label): (indices[goal[0].objgen], list(goal)[1:]) for label, goal in pairs}


class _Structure:
    """The tree of what the words on the pages are: headings, lists, tables, for those who have them read out."""

    def __init__(self, bound: Pdf) -> None:
        self._bound = bound
        self._root = bound.Root.StructTreeRoot
        self._next = int(self._root.ParentTreeNextKey)

    def add(self, part: Pdf, pages: Iterable[Page]) -> None:
        """Take over the tree of a part whose pages are in the bound PDF already."""
        begin = self._next
        added = self._bound.copy_foreign(part.Root.StructTreeRoot)
        for top in added.K:
            top.P = self._root
            self._root.K.append(top)
        numbers = list(added.ParentTree.Nums)
        for key, owner in zip(numbers[::2], numbers[1::2], strict=True):
            self._root.ParentTree.Nums.append(int(key) + begin)
            self._root.ParentTree.Nums.append(owner)
        for page in pages:
            if Name.StructParents in page.obj:
                page.obj.StructParents = int(page.obj.StructParents) + begin
            for note in page.obj.get(Name.Annots, Array()):
                if Name.StructParent in note:
                    note.StructParent = int(note.StructParent) + begin
        self._next = begin + int(added.ParentTreeNextKey)
        self._root.ParentTreeNextKey = self._next
        # Notes are numbered anew in every chapter: their names in the tree are not one of a kind.
        if Name.IDTree in self._root:
            del self._root[Name.IDTree]


def _unstructured(bound: Pdf) -> None:
    for key in (Name.StructTreeRoot, Name.MarkInfo):
        if key in bound.Root:
            del bound.Root[key]


def _lead(bound: Pdf, entries: Mapping[str, Entry]) -> None:
    """Turn addresses of places in the book into links."""
    for page in bound.pages:
        for link in page.obj.get(Name.Annots, Array()):
            address = str(link.get(Name.A, Dictionary()).get(Name.URI, ""))
            if address.startswith(LINK):
                del link[Name.A]
                link.Dest = String(address.removeprefix(LINK))
                link.Contents = String(entries[address].title if address in entries else "")


def _outline(entries: Iterable[Entry]) -> list[OutlineItem]:
    """The entries as a tree; one whose level leaves some out stands below the last that is above it."""
    tops: list[OutlineItem] = []
    above: list[tuple[int, OutlineItem]] = []
    for entry in entries:
        item = OutlineItem(entry.title, String(entry.label))
        item.is_closed = entry.kind != "group"
        while above and above[-1][0] >= entry.level:
            above.pop()
        (above[-1][1].children if above else tops).append(item)
        above.append((entry.level, item))
    return tops
