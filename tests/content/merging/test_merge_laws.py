"""Laws of the merge of revisions, for any base and any two sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from octavo.content.merge.revisions import Merged
from octavo.content.revision import File, Page, Root
from tests.content.merging.editing import Editor, Step, markers, steps
from tests.content.merging.helpers import Memory, told
from tests.profiles import law

laws = law(80)


@dataclass
class Case:
    """Three revisions, and what their writers took out."""

    memory: Memory
    base: Root
    ours: Root
    theirs: Root
    gone: set[str]

    @property
    def merged(self) -> Merged:
        return self.memory.merge(self.base, self.ours, self.theirs)

    def pages(self, root: Root) -> dict[str, Page]:
        return self.memory.pages(root)


Rest = dict[str, dict[str, str]]
"""What a space has beside pages: kind -> name -> value."""


def made(before: list[Step], mine: list[Step], other: list[Step], rests: list[Rest]) -> Case:
    memory = Memory()
    base = Editor(memory, "base", {}).take(before)
    sides = [Editor(memory, name, dict(base.pages)).take(taken) for name, taken in (("ours", mine), ("theirs", other))]
    roots = [memory.root(one.pages.values(), **kept(memory, rest)) for one, rest in zip((base, *sides), rests)]
    return Case(memory, *roots, sides[0].deleted | sides[1].deleted)


def kept(memory: Memory, rest: Rest) -> dict[str, Any]:
    return {
        "variables": rest["variables"],
        "redirects": rest["redirects"],
        "tags": [{"tag": name, "icon": value} for name, value in rest["tags"].items()],
        "reusables": [memory.reusable(name, f"Text.\n\nMore {value}.\n") for name, value in rest["reusables"].items()],
        "files": [
            File(id=name, name=value, content_type="", size=1, blob=value) for name, value in rest["files"].items()
        ],
    }


_first = st.lists(st.tuples(st.just("insert"), *[st.integers(0, 40)] * 3), min_size=2, max_size=10)
_values = st.dictionaries(st.sampled_from("abc"), st.sampled_from("123"))
_rests = st.fixed_dictionaries(dict.fromkeys(("variables", "redirects", "tags", "reusables", "files"), _values))
cases = st.builds(
    made,
    st.tuples(_first, steps).map(lambda two: [*two[0], *two[1]]),
    steps,
    steps,
    st.lists(_rests, min_size=3, max_size=3),
)


@laws
@given(cases)
def test_what_one_side_alone_did_is_the_merge(case: Case) -> None:
    assert case.memory.merge(case.base, case.base, case.theirs).root == case.theirs
    assert case.memory.merge(case.base, case.ours, case.base).root == case.ours
    for kept in (case.base, case.ours):
        both = case.memory.merge(case.base, kept, kept)
        assert both.root == kept
        assert not both.conflicts


@laws
@given(cases)
def test_the_merge_is_a_sound_revision(case: Case) -> None:
    for root in (case.base, case.ours, case.theirs):
        assert not case.memory.problems(root), "the test itself"
    assert not case.memory.problems(case.merged.root)


@laws
@given(cases)
def test_no_text_disappears(case: Case) -> None:
    sides = [case.pages(root) for root in (case.ours, case.theirs)]
    after = case.pages(case.merged.root)
    for key, page in after.items():
        written = set().union(*(markers(case.memory.text(side[key])) for side in sides if key in side))
        kept = markers(case.memory.text(page))
        assert written - case.gone <= kept, key
        assert kept <= written, key


@laws
@given(cases)
def test_no_page_disappears(case: Case) -> None:
    base, ours, theirs = (case.pages(root) for root in (case.base, case.ours, case.theirs))
    after, conflicts = case.pages(case.merged.root), case.merged.conflicts
    assert set(after) <= set(ours) | set(theirs)
    for key in (set(ours) | set(theirs)) - set(after):
        assert key in base
        left = ours.get(key) or theirs.get(key)
        assert left is None or content(left) == content(base[key]), "only what nobody wrote into can go"
    for key in set(after) & set(base) - (set(ours) & set(theirs)):
        assert ("page", "deleted", key, ()) in told(conflicts)


def content(page: Page) -> tuple[object, ...]:
    return page.text, page.links, page.slug, page.title, page.emoji, page.icon, page.condition, page.link_title


@laws
@given(cases)
def test_sides_exchanged_list_the_same_conflicts(case: Case) -> None:
    one, other = case.merged, case.memory.merge(case.base, case.theirs, case.ours)
    decided = {"edited", "deleted"}
    assert {c for c in told(one.conflicts) if c[1] in decided} == {c for c in told(other.conflicts) if c[1] in decided}
    if not any("parent" in conflict.fields for conflict in one.conflicts):
        named = {"parent", "cycle"}
        assert {c for c in told(one.conflicts) if c[1] in named} == {c for c in told(other.conflicts) if c[1] in named}


@laws
@given(cases)
def test_a_merge_after_an_update_adds_nothing(case: Case) -> None:
    updated = case.merged.root
    after = case.memory.merge(case.ours, case.ours, updated)
    assert after.root == updated
    assert not after.conflicts


@laws
@given(cases)
def test_the_same_merge_again_is_the_same(case: Case) -> None:
    one, again = case.merged, case.merged
    assert (one.root, one.conflicts) == (again.root, again.conflicts)
