"""Reading again what changed alone: it gives what a reading of everything gives, or says that it cannot."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content.layout.again import reread
from octavo.content.layout.identity import previous_of
from octavo.content.layout.read import Layout
from octavo.content.layout.source import Mapped
from octavo.content.layout.write import _oid
from tests.content.layouts import layout, opened

FILES = {
    ".gitbook.yaml": "redirects:\n  old: one.md\n",
    "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n* [One](one.md)\n  * [Deep](deep/two.md)\n* [Label](three.md)\n",
    "README.md": "# Home\n\nSee [one](one.md).\n",
    "one.md": '---\ndescription: First\n---\n\n# One\n\n{% include ".gitbook/includes/x.md" %}\n',
    "deep/two.md": "# Deep\n\n![](../.gitbook/assets/a.png) and [beside](../data.csv)\n",
    "three.md": "# Three\n\nText.\n",
    "aside.md": "# Aside\n\nNobody lists it.\n",
    "data.csv": "a,b\n",
    "src/main.py": "x = 1\n",
    ".gitbook/assets/a.png": "not a picture\n",
    ".gitbook/includes/x.md": "---\ntitle: X\n---\n\nWords.\n",
    ".gitbook/vars.yaml": "name: value\n",
}
PAGES = ["README.md", "one.md", "deep/two.md", "three.md", "aside.md"]
MORE = [
    "More words.",
    "See [two](/deep/two.md#part) and [nothing](gone.md).",
    "See [home](README.md), [the code](../src/main.py) and [data](/data.csv).",
    "![](/.gitbook/assets/a.png)",
    "```python\nprint(1)\n```",
]


def _source(files: dict[str, str]) -> Mapped:
    return Mapped(opened(files), {path: _oid(text.encode()) for path, text in files.items()})


def _again(before: Layout, files: dict[str, str], since: dict[str, str]) -> Layout | None:
    modified = sorted(path for path in files if files[path] != since[path])
    known = previous_of(before.pages, before.files, before.reusables, before.objects.get)
    return reread(_source(files), modified, previous=known, now=2)


def _whole(before: Layout, files: dict[str, str]) -> Layout:
    known = previous_of(before.pages, before.files, before.reusables, before.objects.get)
    return layout(_source(files), previous=known, now=2, prefix="new")


def _check(before: Layout, made: Layout, whole: Layout) -> None:
    for kind in ("pages", "files", "reusables"):
        held = {one.id: one for one in getattr(before, kind)} | {one.id: one for one in getattr(made, kind)}
        assert held == {one.id: one for one in getattr(whole, kind)}
    assert made.objects.items() <= whole.objects.items()
    known = {page.text for page in before.pages}
    assert {page.text for page in made.pages if page.text not in known} <= made.objects.keys()


@given(edits=st.dictionaries(st.sampled_from(PAGES), st.lists(st.sampled_from(MORE), min_size=1, max_size=3)))
def test_texts_that_grew_are_as_when_all_is_read(edits: dict[str, list[str]]) -> None:
    before = layout(_source(FILES))
    files = FILES | {path: FILES[path] + "".join(f"\n{part}\n" for part in parts) for path, parts in edits.items()}
    made = _again(before, files, FILES)
    # What the space never held becomes a file of it when a page first names it.
    if made is None:
        assert any("src/main.py" in text for path, text in files.items() if text != FILES[path])
        return
    _check(before, made, _whole(before, files))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "# Home\n\nAnother text.\n"),
        ("one.md", '---\nicon: fish\nhidden: true\n---\n\n# One\n\n{% include ".gitbook/includes/x.md" %}\n'),
        ("three.md", "# Three\n\nOnly the [label](one.md) differs from the title.\n"),
        ("aside.md", "# Another title\n\nNobody lists it.\n"),
        ("data.csv", "a,b,c\n"),
        (".gitbook/assets/a.png", "another picture\n"),
        ("src/main.py", "x = 2\n"),
        ("one.md", '# Another title\n\n{% include ".gitbook/includes/x.md" %}\n'),
        ("three.md", "# Label\n\nText.\n"),
        ("three.md", "---\nlinkTitle: Short\n---\n\n# Three\n"),
        ("one.md", "No title.\n"),
        ("SUMMARY.md", FILES["SUMMARY.md"].replace("[Label]", "[Another label]")),
        ("SUMMARY.md", FILES["SUMMARY.md"].replace("[Label]", "[Three]")),
        ("SUMMARY.md", FILES["SUMMARY.md"].replace("  * [Deep]", "* [Deep]")),
    ],
)
def test_one_file(path: str, text: str) -> None:
    before, files = layout(_source(FILES)), FILES | {path: text}
    made = _again(before, files, FILES)
    assert made is not None
    assert len(made.pages) + len(made.files) == (0 if path.startswith("src/") else 1)
    _check(before, made, _whole(before, files))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".gitbook.yaml", "redirects:\n  old: three.md\n"),
        ("SUMMARY.md", FILES["SUMMARY.md"] + "* [Elsewhere](https://example.org)\n"),
        ("SUMMARY.md", FILES["SUMMARY.md"].replace("  * [Deep](deep/two.md)", "\n## More\n\n* [Deep](deep/two.md)\n")),
        (".gitbook/vars.yaml", "name: other\n"),
        (".gitbook/includes/x.md", "---\ntitle: X\n---\n\nOther words.\n"),
        ("deep/two.md", "# Deep\n\nThe last one that named a picture.\n"),
    ],
)
def test_what_more_follows_from_takes_all(path: str, text: str) -> None:
    assert _again(layout(_source(FILES)), FILES | {path: text}, FILES) is None


SHORT = ["", ' "Short"']
LABELS = ["Home", "One", "Deep", "Label", "Three", "Fourth"]


@given(
    titles=st.dictionaries(st.sampled_from(PAGES), st.sampled_from([*LABELS, ""])),
    names=st.lists(
        st.tuples(st.sampled_from(LABELS), st.booleans(), st.sampled_from(["", ' "Short"'])), min_size=4, max_size=4
    ),
    order=st.permutations(PAGES),
    listed=st.integers(2, 5),
)
def test_titles_and_the_table_of_contents_are_as_when_all_is_read(
    titles: dict[str, str], names: list[tuple[str, bool, str]], order: list[str], listed: int
) -> None:
    """Whatever pages are called in their texts and in the table of contents, wherever they stand there, listed or not."""
    before = layout(_source(FILES))
    files = dict(FILES)
    for path, title in titles.items():
        files[path] = re.sub(r"^# .*$", f"# {title}" if title else "Nothing.", files[path], flags=re.MULTILINE)
    rows = ["# Contents", ""]
    for (label, deeper, short), path in zip(names, order[:listed]):
        rows.append(f"{'  ' if deeper and len(rows) > 2 else ''}* [{label}]({path}{short})")
    files["SUMMARY.md"] = "\n".join(rows) + "\n"
    made = _again(before, files, FILES)
    assert made is not None
    _check(before, made, _whole(before, files))


@given(data=st.data())
def test_other_names_of_pages_are_as_when_all_is_read_without_a_table_of_contents(data: st.DataObject) -> None:
    fronts = st.sampled_from(["", "---\nlinkTitle: Short\n---\n\n", "---\ndescription: Long\n---\n\n"])
    plain = {path: text for path, text in FILES.items() if path not in ("SUMMARY.md", "one.md")}
    first, since = data.draw(fronts), data.draw(fronts)
    titles = st.sampled_from(["One", "Another"])
    files = plain | {"one.md": f"{first}# {data.draw(titles)}\n\nText.\n"}
    later = files | {"one.md": f"{since}# {data.draw(titles)}\n\nText.\n\nMore.\n"}
    before = layout(_source(files))
    made = _again(before, later, files)
    if made is not None:
        _check(before, made, _whole(before, later))


def test_a_name_that_front_matter_no_longer_gives_is_gone() -> None:
    files = {"README.md": "# Home\n", "one.md": "---\nlinkTitle: Short\n---\n\n# One\n"}
    later = files | {"one.md": "# Two\n"}
    before = layout(_source(files))
    made = _again(before, later, files)
    assert made is not None
    assert [page.link_title for page in made.pages] == [None]
