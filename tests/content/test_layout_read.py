"""Directories of documentation as revisions: navigation, slugs, titles, settings, and content that is broken."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.layout.source import Mapped
from octavo.content.markdown import wild
from octavo.content.revision import landing, tree
from octavo.content.trie import digest
from tests.content.layouts import addresses, by_path, layout, opened, warnings

Files = dict[str, str | bytes]


def test_the_tree_of_a_summary_has_the_paths_of_the_files() -> None:
    made = layout(
        {
            "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n* [About](about.md)\n\n## First Steps\n\n"
            "* [Install](start/install/README.md)\n  * [Docker](start/install/docker.md)\n* [Use](start/use.md)\n\n"
            "## Mixed\n\n* [A](one/a.md)\n* [B](two/b.md)\n",
            "README.md": "# Home\n",
            "about.md": "",
            "start/install/README.md": "# Install\n",
            "start/install/docker.md": "# Docker\n",
            "start/use.md": "# Use\n",
            "one/a.md": "",
            "two/b.md": "",
        }
    )
    found = addresses(made)
    assert {path: (page.type, page.title) for path, page in found.items()} == {
        "readme": ("document", "Home"),
        "about": ("document", "About"),
        "start": ("group", "First Steps"),
        "start/install": ("document", "Install"),
        "start/install/docker": ("document", "Docker"),
        "start/use": ("document", "Use"),
        "mixed": ("group", "Mixed"),
        "mixed/a": ("document", "A"),
        "mixed/b": ("document", "B"),
    }
    assert list(found) == [
        "readme",
        "about",
        "start",
        "start/install",
        "start/install/docker",
        "start/use",
        "mixed",
        "mixed/a",
        "mixed/b",
    ]
    first = landing(tree(made.pages))
    assert first is not None
    assert first.path == "readme"
    assert warnings(made) == []


def test_an_anchor_fixes_the_slug_of_a_group() -> None:
    made = layout({"SUMMARY.md": '## A & B <a href="#x" id="x-y"></a>\n* [A](dir/a.md)\n', "dir/a.md": ""})
    assert list(addresses(made)) == ["x-y", "x-y/a"]


def test_titles_and_labels() -> None:
    made = layout(
        {
            "SUMMARY.md": "* [Same](a.md)\n* [Label](b.md)\n* [Only label](c.md)\n* [](my-page.md)\n"
            '* [T](e.md "Short")\n',
            "a.md": "# Same\n",
            "b.md": "# Heading\n",
            "c.md": "No heading.\n",
            "my-page.md": "",
            "e.md": "# T\n",
        }
    )
    assert {page.path: (page.title, page.link_title) for page in made.pages} == {
        "a.md": ("Same", None),
        "b.md": ("Heading", "Label"),
        "c.md": ("Only label", None),
        "my-page.md": ("My page", None),
        "e.md": ("T", "Short"),
    }


def test_links_anchors_and_computed_entries() -> None:
    made = layout(
        {
            "SUMMARY.md": "* [A](a.md)\n* [Web](https://example.org/x)\n* [Space](https://app.gitbook.com/s/s1/)\n"
            "* [Part](a.md#part)\n* [Again](a.md)\n* [Sheet](t.csv)\n* ```yaml\n  type: builtin:openapi\n  ```\n",
            "a.md": "# A\n",
            "t.csv": "1",
        }
    )
    a = by_path(made)["a.md"].id
    assert [page.target for page in made.pages if page.type == "link"] == [
        {"kind": "url", "url": "https://example.org/x"},
        {"kind": "space", "space": "s1"},
        {"kind": "anchor", "anchor": "part", "page": a},
        {"kind": "page", "page": a},
        {"kind": "file", "file": made.files[0].id},
    ]
    assert made.pages[-1].computed == {"type": "builtin:openapi", "props": {}, "dependencies": {}}
    assert warnings(made) == ["SUMMARY.md:5: names a.md a second time; the entry is a link to the page"]


def test_entries_below_a_link_follow_it() -> None:
    made = layout({"SUMMARY.md": "* [A](a.md)\n* [Web](https://x.org)\n  * [B](b.md)\n", "a.md": "", "b.md": ""})
    assert list(addresses(made)) == ["a", "web", "b"]
    assert len(warnings(made)) == 1


def test_without_a_summary_the_navigation_follows_folders() -> None:
    made = layout(
        {
            "zeta.md": "# Zeta\n",
            "README.md": "# Home\n",
            "alpha/b.md": "",
            "alpha/README.md": "# Alpha\n",
            "beta/c/d.md": "",
            "beta/a.md": "",
            ".github/notes.md": "",
            "x.png": b"",
        }
    )
    assert {path: (page.type, page.title) for path, page in addresses(made).items()} == {
        "readme": ("document", "Home"),
        "alpha": ("document", "Alpha"),
        "alpha/b": ("document", "B"),
        "beta": ("group", "Beta"),
        "beta/a": ("document", "A"),
        "beta/c": ("document", "C"),
        "beta/c/d": ("document", "D"),
        "zeta": ("document", "Zeta"),
    }
    assert next(iter(addresses(made))) == "readme"
    assert [page.path for page in made.pages if not page.listed] == [".github/notes.md"]


@pytest.mark.parametrize("contents", ["", "# Contents\n", "Just words.\n", "---\nx: [\n---\n"])
def test_a_summary_without_entries_is_as_none(contents: str) -> None:
    made = layout({"SUMMARY.md": contents, "README.md": "", "a.md": ""})
    assert list(addresses(made)) == ["readme", "a"]
    assert "SUMMARY.md: names no page; the navigation follows the folders" in warnings(made)


def test_an_empty_directory_is_an_empty_layout() -> None:
    made = layout({})
    assert (made.pages, made.files, made.reusables, made.objects) == ([], [], [], {})
    assert warnings(made) == []


def test_pages_outside_of_the_summary_are_kept_hidden() -> None:
    made = layout({"SUMMARY.md": "* [A](a.md)\n", "a.md": "# A\n", "docs/meta/b.md": "# B\n", "docs/README.md": ""})
    outside = {page.path: page for page in made.pages if not page.listed}
    assert {path: page.slug for path, page in outside.items()} == {
        "docs/meta/b.md": "docs/meta/b",
        "docs/README.md": "docs",
    }
    assert all(page.hidden and page.text for page in outside.values())
    assert outside["docs/meta/b.md"].title == "B"


def test_the_settings_of_the_repository() -> None:
    made = layout(
        {
            ".gitbook.yaml": "root: ./docs/\nstructure:\n  readme: ./index.md\n  summary: ./toc.md\n"
            "redirects:\n  old/page: new.md\n  /gone/: ./missing.md\n",
            "docs/toc.md": "* [Home](index.md)\n* [New](new.md)\n",
            "docs/index.md": "# Home\n",
            "docs/new.md": "# New\n\n![x](../images/x.png) [out](../README.md) [home](./)\n",
            "images/x.png": b"x",
            "README.md": "# Repo\n",
            ".gitbook/vars.yaml": "product: Octavo\nyear: 2026\n1bad: x\nlist: []\n",
            ".gitbook/tags.yaml": "- tag: beta\n  label: Beta\n- tag: beta\n- 7\n",
            ".gitbook/assets/a.bin": b"1",
            ".gitbook/includes/n.md": "---\ntitle: Note\n---\n",
        }
    )
    pages = addresses(made)
    assert list(pages) == ["readme", "new"]
    assert [page.path for page in pages.values()] == ["index.md", "new.md"]
    assert made.redirects == {"old/page": pages["new"].id}
    assert pages["new"].links["./"] == {"kind": "page", "page": pages["readme"].id}
    assert made.variables == {"product": "Octavo", "year": 2026}
    assert made.tags == [{"tag": "beta", "label": "Beta"}]
    assert {file.path for file in made.files} == {"../.gitbook/assets/a.bin", "../images/x.png", "../README.md"}
    assert [(held.title, held.path) for held in made.reusables] == [("Note", "../.gitbook/includes/n.md")]
    assert ".gitbook.yaml: redirects gone to ./missing.md, which is no page" in warnings(made)
    assert len(warnings(made)) == 5


@pytest.mark.parametrize(
    "text", ["", "root: [", "root: ../../x\n", "- a\n", "root: 7\nstructure: x\nredirects: 3\n", "? [1]\n: x\n"]
)
def test_unusable_settings_are_passed_over(text: str) -> None:
    made = layout({".gitbook.yaml": text, "README.md": "# Home\n"})
    assert list(addresses(made)) == ["readme"]
    assert bool(warnings(made)) == bool(text)


def test_front_matter_becomes_fields_of_the_page() -> None:
    made = layout(
        {
            "README.md": "---\ndescription: D\nicon: book\nemoji: 1f600\nhidden: true\nnoIndex: true\n"
            "noRobotsIndex: true\ncover: .gitbook/assets/c.png\ncoverY: -20\ncoverHeight: 300\n"
            "if: visitor.claims.x\nvars:\n  a: 1\n"
            "tags:\n  - beta\n  - tag: ga\n    primary: true\nmetaLinks:\n  canonical: https://x.org\nlinkTitle: Nav\n"
            "layout:\n  width: wide\n  title:\n    visible: false\n  cover:\n    visible: true\n    size: hero\n"
            "  outline:\n    visible: false\nname: kept in the text\n---\n# T\n",
            ".gitbook/assets/c.png": b"",
        }
    )
    (page,) = made.pages
    assert page.layout == {"title": False, "outline": False, "coverSize": "hero", "width": "wide"}
    assert page.cover == {"ref": {"kind": "file", "file": made.files[0].id}, "yPos": -20, "height": 300}
    assert page.tags == [{"tag": "beta"}, {"tag": "ga", "primary": True}]
    assert (page.description, page.icon, page.emoji, page.condition) == ("D", "book", "😀", "visitor.claims.x")
    assert (page.hidden, page.no_index, page.no_robots_index, page.link_title) == (True, True, True, "Nav")
    assert (page.variables, page.meta_links) == ({"a": 1}, {"canonical": {"kind": "url", "url": "https://x.org"}})
    assert page.links == {".gitbook/assets/c.png": {"kind": "file", "file": made.files[0].id}}
    assert warnings(made) == []


def test_front_matter_of_wrong_types_is_reported_and_left_out() -> None:
    made = layout({"a.md": "---\ndescription: [1]\nhidden: maybe\nlayout: x\nvars: 3\ntags: 5\ncover: {}\n---\n# T\n"})
    (page,) = made.pages
    assert (page.description, page.hidden, page.layout, page.variables, page.tags, page.cover) == (
        None,
        False,
        None,
        {},
        [],
        None,
    )
    assert len(warnings(made)) == 4


@pytest.mark.parametrize(
    ("yaml", "condition"), [("[x]", "false"), ("{a: 1}", "false"), ("true", "true"), ("false", "false")]
)
def test_a_condition_that_is_none_is_never_satisfied(yaml: str, condition: str) -> None:
    made = layout({"a.md": f"---\nif: {yaml}\n---\n# T\n"})
    assert [page.condition for page in made.pages] == [condition]
    assert len(warnings(made)) == (yaml[0] in "[{")


def test_what_the_parser_warns_of_is_reported_with_its_line() -> None:
    made = layout({"a.md": "# A\n\nText.\n\n{% hint %}\nopen\n", "b.md": "---\nx: [\n---\n# B\n"})
    assert [(notice.file, notice.line) for notice in made.report.warnings] == [("a.md", 5), ("b.md", 1)]
    assert not any("(line" in notice.text for notice in made.report.warnings)


def test_texts_are_objects_byte_for_byte() -> None:
    text = "---\r\nx: 1\r\n---\r\n# Tïtle\n\n\ttext  \n"
    made = layout({"a.md": text})
    (page,) = made.pages
    assert page.text is not None
    assert page.document is not None
    assert made.objects[page.text] == text.encode()
    assert msgspec.json.decode(made.objects[page.document])["object"] == "document"
    assert all(digest(data) == name for name, data in made.objects.items())


def test_two_files_at_one_path() -> None:
    made = layout(
        {
            "SUMMARY.md": "* [A](a.md)\n* [B](a/README.md)\n",
            "a.md": "",
            "a/README.md": "",
            "x/README.md": "",
            "x.md": "",
        }
    )
    assert list(addresses(made)) == ["a", "a-1"]
    assert sorted(page.slug for page in made.pages if not page.listed) == ["x", "x-1"]
    assert len(warnings(made)) == 2


def test_an_unlisted_page_never_takes_the_path_of_a_listed_one() -> None:
    made = layout({"SUMMARY.md": "* [A](a.md)\n", "a.md": "", "a/README.md": ""})
    assert [page.slug for page in made.pages] == ["a", "a-1"]


def test_a_missing_file_is_an_empty_page() -> None:
    made = layout({"SUMMARY.md": "* [Gone](dir/gone.md)\n* [Out](../../x.md)\n* [Plain]\n", "a.md": ""})
    assert [(page.title, page.slug, page.path, page.text) for page in made.pages[:3]] == [
        ("Gone", "gone", "dir/gone.md", None),
        ("Out", "out", None, None),
        ("[Plain]", "plain", None, None),
    ]
    assert [notice.line for notice in made.report.warnings] == [1, 2, 3]


def test_paths_out_of_the_tree_are_never_read() -> None:
    def refuse() -> bytes:
        raise AssertionError("was read")

    outside = ["/etc/passwd.md", "../up.md", "a/../../b.md", "a//b.md", "./c.md", ""]
    made = layout(Mapped(opened({"README.md": "# Home\n"}) | dict.fromkeys(outside, refuse)))
    assert [page.path for page in made.pages] == ["README.md"]
    assert len(warnings(made)) == len(outside)


def test_bytes_that_are_no_text() -> None:
    made = layout({"a.md": b"# A\n\nx \xff\xfe y\n"})
    (page,) = made.pages
    assert page.text is not None
    assert made.objects[page.text].decode() == "# A\n\nx \ufffd\ufffd y\n"
    assert warnings(made) == ["a.md:3: is not valid UTF-8; the bytes that are not text were replaced"]


def test_a_huge_text_is_kept_whole() -> None:
    text = "# Huge\n\n" + "word [x](gone.md)\n" * 300_000
    made = layout({"a.md": text})
    (page,) = made.pages
    assert page.title == "Huge"
    assert page.text is not None
    assert page.document is not None
    assert made.objects[page.text] == text.encode()
    document = msgspec.json.decode(made.objects[page.document])
    assert {block["type"] for block in document["nodes"]} == {"paragraph"}
    shown = "\n".join(block["nodes"][0]["leaves"][0]["text"] for block in document["nodes"])
    assert text.removeprefix("# Huge\n\n").startswith(shown)
    assert warnings(made) == [f"a.md:1: {wild.SENTENCE}"]


def test_reusable_contents_that_include_each_other() -> None:
    made = layout(
        {
            "a.md": '{% include ".gitbook/includes/x.md" %}\n',
            ".gitbook/includes/x.md": '# X\n\n{% include "y.md" %}\n',
            ".gitbook/includes/y.md": '{% include "x.md" %}\n',
        }
    )
    assert [held.title for held in made.reusables] == ["X", "Y"]
    x, y = made.reusables
    assert made.pages[0].links == {".gitbook/includes/x.md": {"kind": "reusable-content", "reusableContent": x.id}}
    assert x.links == {"y.md": {"kind": "reusable-content", "reusableContent": y.id}}
    assert len(warnings(made)) == 1
    assert "includes itself" in warnings(made)[0]


def test_a_folder_named_like_a_page() -> None:
    made = layout({"x.md/README.md": "# X\n", "x.md/y.md": "# Y\n", "README.md": "[x](x.md)"})
    assert list(addresses(made)) == ["readme", "x.md", "x.md/y"]
    pages = by_path(made)
    assert pages["README.md"].links["x.md"]["page"] == pages["x.md/README.md"].id


def test_fifty_levels() -> None:
    files: Files = {"/".join(["d"] * n + ["README.md"]): f"# {n}\n" for n in range(1, 51)}
    assert list(addresses(layout(files))) == ["/".join(["d"] * n) for n in range(1, 51)]
    lines = [f"{'  ' * (n - 1)}* [{n}]({'d/' * n}README.md)\n" for n in range(1, 51)]
    assert list(addresses(layout(files | {"SUMMARY.md": "".join(lines)}))) == [
        "/".join(["d"] * n) for n in range(1, 51)
    ]


def test_a_path_of_a_thousand_folders_is_kept() -> None:
    made = layout({"a/" * 1000 + "b.md": "# B\n"})
    assert [page.listed for page in made.pages] == [False]
    assert "lies too deep" in warnings(made)[0]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.lists(
            st.sampled_from(["a", "b", "README", "x.md", ".gitbook", "includes", "assets", "C d"]),
            min_size=1,
            max_size=4,
        )
        .map("/".join)
        .flatmap(lambda p: st.sampled_from([p + ".md", p + ".png", p])),
        st.sampled_from(["# T\n", "", "[x](a.md) [y](../b) [z](C%20d.md)", "---\n---\n", "\x00", "{% hint %}\n{% tab"]),
        max_size=12,
    ),
    st.lists(
        st.sampled_from(["* [a](a.md)\n", "  * [b](b.md)\n", "## G\n", "* [c](a/)\n", "* x\n", "    * [d](C d.md)\n"]),
        max_size=8,
    ).map("".join),
)
def test_every_text_is_found_again_at_one_path(files: Files, contents: str) -> None:
    made = layout(files | {"SUMMARY.md": contents})
    for path, text in files.items():
        if path.endswith(".md") and not path.startswith(".gitbook/"):
            held = [page for page in made.pages if page.path == path]
            assert len(held) == 1
            assert made.objects[held[0].text or b""] == str(text).encode()
    ids = [page.id for page in made.pages]
    assert len(set(ids)) == len(ids)
    all_paths = [*addresses(made), *(page.slug for page in made.pages if not page.listed)]
    assert len(all_paths) == len(made.pages)
    assert len(set(all_paths)) == len(all_paths)
