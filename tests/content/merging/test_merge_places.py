"""Places of pages after a merge: parents, loops, addresses and order, each rule by itself and where they meet."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from octavo.content.merge.revisions import Merged
from octavo.content.ordering import between, spread
from octavo.content.revision import DEEPEST, Page
from tests.content.merging.helpers import Memory, order, told

replace = msgspec.structs.replace
Pages = dict[str, Page]
LAST = "z0000000000000000000000000z"


class Sides:
    """A base and what both sides made of it, written as trees: {"a": {"b": {}}}."""

    def __init__(self, base: dict[str, object]) -> None:
        self.memory = Memory()
        self.base = tree(base)
        self.ours, self.theirs = dict(self.base), dict(self.base)

    def merge(self) -> Pages:
        """The pages of the merge, which is sound."""
        self.made: Merged = self.memory.merge(
            *(self.memory.root(p.values()) for p in (self.base, self.ours, self.theirs))
        )
        assert not self.memory.problems(self.made.root)
        return self.memory.pages(self.made.root)

    @property
    def conflicts(self) -> set[tuple[str, str]]:
        return {(reason, page) for _, reason, page, _ in told(self.made.conflicts)}


def tree(shape: dict[str, object], parent: str | None = None) -> Pages:
    made: Pages = {}
    for position, (key, below) in zip(spread(len(shape)), shape.items()):
        made[key] = Page(id=key, type="group", title=key, slug=key, position=position, parent=parent)
        assert isinstance(below, dict)
        made |= tree(below, key)
    return made


def put(pages: Pages, key: str, parent: str | None = None, position: str = LAST) -> None:
    pages[key] = replace(pages.get(key, Page(id=key, type="group", title=key, slug=key, position="")),
                         parent=parent, position=position)  # fmt: skip


def remove(pages: Pages, *keys: str) -> None:
    for key in keys:
        del pages[key]


def shape(pages: Pages, parent: str | None = None) -> list[tuple[str, object]]:
    return [(key, shape(pages, key)) for key in order(pages.values(), parent)]


def nested(tree: dict[str, Any]) -> list[tuple[str, object]]:
    return [(key, nested(below)) for key, below in tree.items()]


# Parents.


@pytest.mark.parametrize("deleter", ["ours", "theirs"])
def test_a_page_below_a_deleted_one_moves_up_to_what_is_left(deleter: str) -> None:
    sides = Sides({"a": {"b": {"c": {}}}, "d": {}})
    writer = sides.theirs if deleter == "ours" else sides.ours
    remove(getattr(sides, deleter), "b", "c")
    put(writer, "new", "c")
    assert shape(sides.merge()) == nested({"a": {"new": {}}, "d": {}})
    assert sides.conflicts == {("parent", "new")}
    assert [one.title for one in sides.made.conflicts] == ["new"]


def test_it_moves_to_the_top_when_nothing_is_left() -> None:
    sides = Sides({"a": {"b": {}}, "d": {}})
    remove(sides.ours, "a", "b")
    put(sides.theirs, "d", "b")
    assert shape(sides.merge()) == nested({"d": {}})
    assert sides.conflicts == {("parent", "d")}


def test_what_was_written_into_stays_with_what_stands_below_it() -> None:
    sides = Sides({"a": {"b": {"c": {}}}})
    remove(sides.ours, "a", "b", "c")
    sides.theirs |= {key: replace(sides.theirs[key], title="New") for key in ("b", "c")}
    assert shape(sides.merge()) == nested({"b": {"c": {}}})
    assert sides.conflicts == {("deleted", "b"), ("deleted", "c"), ("parent", "b")}


def test_a_page_that_was_moved_out_of_a_deleted_one_stays() -> None:
    sides = Sides({"a": {"b": {}}, "d": {}})
    put(sides.ours, "b", "d")
    remove(sides.ours, "a")
    sides.theirs["b"] = replace(sides.theirs["b"], title="New")
    assert shape(sides.merge()) == nested({"d": {"b": {}}})
    assert not sides.conflicts


# Loops.


def test_of_two_moves_below_each_other_primarys_holds() -> None:
    sides = Sides({"a": {}, "b": {}})
    put(sides.ours, "a", "b")
    put(sides.theirs, "b", "a")
    assert shape(sides.merge()) == nested({"b": {"a": {}}})
    assert sides.conflicts == {("cycle", "a"), ("cycle", "b")}


def test_a_loop_of_four_through_pages_that_nobody_moved() -> None:
    sides = Sides({"a": {"b": {}}, "c": {"d": {}}})
    put(sides.ours, "a", "d")
    put(sides.theirs, "c", "b")
    assert shape(sides.merge()) == nested({"c": {"d": {"a": {"b": {}}}}})
    assert sides.conflicts == {("cycle", key) for key in "abcd"}


def test_a_move_taken_back_makes_another_loop_through_pages_that_nobody_moved() -> None:
    sides = Sides({"v": {"u": {"p": {}}}, "q": {}})
    put(sides.ours, "q", "p")
    put(sides.theirs, "p", "q")
    put(sides.theirs, "v", "p")
    assert shape(sides.merge()) == nested({"v": {"u": {"p": {"q": {}}}}})
    assert sides.conflicts == {("cycle", key) for key in "pquv"}


def test_a_move_taken_back_to_where_nothing_is_left_moves_up() -> None:
    sides = Sides({"top": {"gone": {"p": {}}}, "r": {}})
    put(sides.ours, "r", "p")
    put(sides.theirs, "p", "r")
    remove(sides.theirs, "gone")
    assert shape(sides.merge()) == nested({"top": {"p": {"r": {}}}})
    assert sides.conflicts == {("cycle", "p"), ("cycle", "r"), ("parent", "p")}


def test_a_page_that_moves_up_can_make_a_loop() -> None:
    sides = Sides({"a": {"p": {}}, "x": {}})
    remove(sides.ours, "p")
    put(sides.theirs, "p")
    put(sides.theirs, "n", "p")
    put(sides.theirs, "a", "n")
    assert shape(sides.merge()) == nested({"a": {"n": {}}, "x": {}})
    assert sides.conflicts == {("parent", "n"), ("cycle", "a"), ("cycle", "n")}


# Addresses.


def slugs(pages: Pages) -> dict[str, str]:
    return {key: page.slug for key, page in pages.items()}


def named(pages: Pages, **taken: str) -> None:
    for key, slug in taken.items():
        pages[key] = replace(pages[key], slug=slug)


def test_primarys_page_keeps_an_address_that_both_took() -> None:
    sides = Sides({"a": {}, "b": {}, "c": {}})
    named(sides.ours, b="Same")
    named(sides.theirs, a="same")
    assert slugs(sides.merge()) == {"a": "same-2", "b": "Same", "c": "c"}
    assert sides.conflicts == {("slug", "a")}


def test_the_next_free_number_is_taken() -> None:
    sides = Sides({"a": {}, "b": {}, "c": {}, "x-2": {}})
    put(sides.ours, "x", None, "a5")
    put(sides.ours, "x-3", None, "a6")
    named(sides.theirs, a="x")
    assert slugs(sides.merge())["a"] == "x-4"
    assert sides.conflicts == {("slug", "a")}


def test_one_address_below_different_pages_is_none() -> None:
    sides = Sides({"a": {}, "b": {}})
    put(sides.ours, "one", "a")
    put(sides.theirs, "two", "b")
    named(sides.ours, one="x")
    named(sides.theirs, two="x")
    assert slugs(sides.merge()) == {"a": "a", "b": "b", "one": "x", "two": "x"}
    assert not sides.conflicts


@pytest.mark.parametrize("mover", ["ours", "theirs"])
def test_a_page_moved_here_and_renamed_there_does_not_take_the_address_of_one_that_nobody_touched(mover: str) -> None:
    sides = Sides({"a": {"p": {}}, "b": {"x": {}}})
    put(getattr(sides, mover), "p", "b")
    named(sides.theirs if mover == "ours" else sides.ours, p="X")
    pages = sides.merge()
    assert shape(pages) == nested({"a": {}, "b": {"x": {}, "p": {}}})
    assert slugs(pages)["p"] == "X-2"
    assert sides.conflicts == {("slug", "p")}


def test_a_page_that_moves_up_does_not_take_an_address_either() -> None:
    sides = Sides({"a": {}, "x": {}})
    put(sides.theirs, "new", "a")
    named(sides.theirs, new="X")
    remove(sides.ours, "a")
    assert slugs(sides.merge()) == {"x": "x", "new": "X-2"}
    assert sides.conflicts == {("slug", "new"), ("parent", "new")}


def test_links_and_unlisted_pages_have_no_address_among_the_others() -> None:
    sides = Sides({"a": {}})
    put(sides.ours, "one")
    sides.ours["one"] = replace(sides.ours["one"], slug="x")
    sides.theirs["two"] = Page(id="two", type="link", title="", slug="x", position="a5")
    sides.theirs["three"] = Page(id="three", type="group", title="", slug="x", position="", listed=False)
    sides.ours["four"] = Page(id="four", type="group", title="", slug="y", position="", listed=False)
    assert slugs(sides.merge()) == {"a": "a", "one": "x", "two": "x", "three": "x", "four": "y"}
    assert not sides.conflicts


# Order.


def test_what_both_put_at_one_place_stands_together_primarys_first() -> None:
    sides = Sides({"a": {}, "b": {}})
    for pages, keys in ((sides.theirs, ("t1", "t2", "t3")), (sides.ours, ("o1", "o2"))):
        for key, position in zip(keys, spread(len(keys), "a0", "a1")):
            put(pages, key, None, position)
    assert order(sides.merge().values()) == ["a", "o1", "o2", "t1", "t2", "t3", "b"]


@pytest.mark.parametrize(("before", "after"), [(None, "a0"), ("a0", "a1"), ("a1", None)])
@pytest.mark.parametrize(("mine", "other"), [(1, 1), (1, 4), (4, 1), (5, 5)])
def test_each_side_keeps_its_own_order(before: str | None, after: str | None, mine: int, other: int) -> None:
    sides = Sides({"a": {}, "b": {}})
    for pages, name, count in ((sides.ours, "o", mine), (sides.theirs, "t", other)):
        for number, position in enumerate(spread(count, before, after)):
            put(pages, f"{name}{number}", None, position)
    made = order(sides.merge().values())
    for pages in (sides.ours, sides.theirs):
        assert [key for key in made if key in pages] == order(pages.values())
    assert len(made) == 2 + mine + other


def test_what_was_put_ahead_of_everything_stays_there_wherever_else_the_sides_met() -> None:
    sides = Sides({"a": {}})
    first, last = between(None, sides.base["a"].position), between(sides.base["a"].position, None)
    put(sides.theirs, "ahead", position=first)
    put(sides.theirs, "other", position=last)
    put(sides.ours, "mine", position=last)
    assert order(sides.merge().values()) == ["ahead", "a", "mine", "other"]


def test_what_both_put_there_alike_parts_what_only_one_put_there() -> None:
    sides = Sides({"far": {"x": {}, "y": {}}, "to": {}, "same": {}})
    for pages in (sides.ours, sides.theirs):
        put(pages, "same", "to", "a1")
    put(sides.ours, "x", "to", "a0")
    put(sides.theirs, "y", "to", "a0")
    assert shape(sides.merge()) == nested({"far": {}, "to": {"x": {}, "y": {}, "same": {}}})


def test_pages_that_nobody_touched_keep_their_positions() -> None:
    sides = Sides({"a": {}, "b": {}, "c": {}})
    put(sides.ours, "one", None, "a0V")
    put(sides.theirs, "two", None, "a0V")
    pages = sides.merge()
    assert order(pages.values()) == ["a", "one", "two", "b", "c"]
    assert {key: pages[key] for key in ("a", "b", "c", "one")} == {
        key: sides.ours[key] for key in ("a", "b", "c", "one")
    }


def test_a_move_is_kept_where_the_other_side_changed_the_page() -> None:
    sides = Sides({"a": {}, "b": {}, "c": {}})
    put(sides.theirs, "a")
    sides.ours["a"] = replace(sides.ours["a"], title="New")
    pages = sides.merge()
    assert order(pages.values()) == ["b", "c", "a"]
    assert pages["a"].title == "New"


def test_places_and_addresses_that_were_taken_twice_already_are_no_obstacle() -> None:
    sides = Sides({"a": {}, "b": {}, "c": {}})
    for pages in (sides.base, sides.ours, sides.theirs):
        pages["b"] = replace(pages["b"], position="a0", slug="a")
    put(sides.ours, "one", None, "a0V")
    put(sides.theirs, "two", None, "a0V")
    named(sides.ours, one="c-2")
    named(sides.theirs, two="c")
    made = sides.memory.merge(*(sides.memory.root(p.values()) for p in (sides.base, sides.ours, sides.theirs)))
    pages = sides.memory.pages(made.root)
    assert order(pages.values()) == ["a", "b", "one", "two", "c"]
    assert slugs(pages) == {"a": "a", "b": "a", "c": "c", "one": "c-2", "two": "c-3"}


# What is read.


def test_only_what_differs_is_read() -> None:
    memory = Memory()
    pages = {f"p{n}": memory.group(f"p{n}", position=at) for n, at in enumerate(spread(5_000))}

    def side(keys: Iterable[str]) -> Pages:
        return pages | {key: replace(pages[key], title="New") for key in keys}

    roots = [memory.root(side(keys).values()) for keys in ((), ("p1", "p2", "p3"), ("p3", "p4", "p5"))]
    nodes = len(memory.objects)
    memory.merge(*roots)
    assert memory.loaded < nodes / 4


def test_pages_at_one_place_are_merged_without_reading_the_rest() -> None:
    memory = Memory()
    pages = {f"p{n}": memory.group(f"p{n}", position=at) for n, at in enumerate(spread(5_000))}
    last = between(pages["p4999"].position, None)
    sides = [pages | {key: memory.group(key, position=last)} for key in ("mine", "theirs")]
    roots = [memory.root(side.values()) for side in (pages, *sides)]
    nodes = len(memory.objects)
    whole = memory.merge(*roots)
    assert memory.loaded > nodes / 4
    assert memory.merge_beside(*roots) == whole
    assert memory.loaded < 20
    merged = memory.pages(whole.root)
    assert merged["p4999"].position < merged["mine"].position < merged["theirs"].position


def _merging_below(parents: int) -> float:
    """Seconds of processor for a merge of two sides that both add an entry below each of so many pages, at one place."""
    memory = Memory()
    base: Pages = {}
    for above in range(parents):
        base[f"p{above}"] = memory.group(f"p{above}", position=f"c{above:04d}")
        base |= {f"p{above}k{n}": memory.group(f"p{above}k{n}", parent=f"p{above}", position=f"b{n}") for n in range(4)}
    sides = [
        base | {f"{name}{n}": memory.group(f"{name}{n}", parent=f"p{n}", position="b99") for n in range(parents)}
        for name in ("mine", "theirs")
    ]
    roots = [memory.root(side.values()) for side in (base, *sides)]
    started = time.thread_time()
    memory.merge_beside(*roots)
    return time.thread_time() - started


def test_many_parents_with_places_that_are_taken_twice_are_settled_in_one_pass() -> None:
    """Twice as many take at most three times as long; asked again where something else may have been in the way."""
    for attempt in range(4):
        before = max(_merging_below(1_250) for _ in range(attempt + 1))
        after = min(_merging_below(2_500) for _ in range(attempt + 1))
        if after <= 0.1 + 3 * before:
            return
    pytest.fail(f"below 2,500 it took {after:.2f} seconds, below 1,250 {before:.2f}")


# Depth.


def chain(name: str, length: int) -> dict[str, object]:
    """Pages below each other."""
    made: dict[str, object] = {}
    for number in reversed(range(length)):
        made = {f"{name}{number}": made}
    return made


def deepest(pages: Pages) -> int:
    level, depth = [key for key, page in pages.items() if page.parent is None], 0
    while level:
        level, depth = [key for key, page in pages.items() if page.parent in level], depth + 1
    return depth


def test_a_page_that_would_stand_too_deep_goes_to_the_top_with_what_is_below_it() -> None:
    sides = Sides(chain("a", 60) | {"b": {"c": {}}})
    sides.ours |= tree(chain("o", 40), "a59")
    put(sides.theirs, "b", "a59")
    put(sides.theirs, "t", "c")
    assert deepest(sides.merge()) == DEEPEST
    assert not sides.conflicts, "as deep as pages may be"
    sides.ours |= tree(chain("p", 60), "c")
    assert deepest(sides.merge()) == DEEPEST
    pages = sides.merge()
    assert (pages["b"].parent, pages["c"].parent, pages["t"].parent) == (None, "b", "c")
    assert sides.conflicts == {("depth", "b")}


def test_new_pages_that_would_stand_too_deep_begin_at_the_top() -> None:
    sides = Sides(chain("a", 10) | {"b": {}})
    sides.theirs |= tree(chain("t", 90), "a9")
    put(sides.ours, "b", "a9")
    sides.merge()
    assert not sides.conflicts
    sides.ours |= tree(chain("o", 5))
    put(sides.ours, "a0", "o4")
    pages = sides.merge()
    assert deepest(pages) == DEEPEST
    assert sides.conflicts == {("depth", "t85")}
    assert (pages["t85"].parent, pages["t86"].parent) == (None, "t85")


def test_merges_one_after_the_other_build_no_tree_of_any_depth() -> None:
    sides = Sides({f"b{n}": {} for n in range(5)})
    for n in reversed(range(4)):
        sides.theirs = sides.base | tree(chain(f"c{n}x", 90), f"b{n}")
        put(sides.theirs, f"b{n + 1}", f"c{n}x89")
        sides.ours = sides.merge()
        assert deepest(sides.ours) <= DEEPEST
        assert sides.conflicts == ({("depth", f"b{n + 1}")} if n < 3 else set())
