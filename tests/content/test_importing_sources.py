"""Sources of imports: archives within bounds, trees, which pages of a website are fetched, and what is counted."""

from __future__ import annotations

import contextlib
import io
import time
import zipfile
from collections.abc import Iterable
from itertools import count

import pytest

from octavo.content.importing import Found, Imported, Origin, Refused, Target, docx, text
from octavo.content.importing import archive as archives
from octavo.content.importing import assemble as assembling
from octavo.content.importing.archive import Archive
from octavo.content.importing.assemble import assemble
from octavo.content.importing.confluence import Confluence
from octavo.content.importing.folders import Folders
from octavo.content.importing.notion import Notion
from octavo.content.importing.web import PAGES_MAX, Crawl, Fetched, Rules, sitemap
from octavo.content.importing.wiki import Wiki, linked


def zipped(entries: dict[str, bytes | str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return made.getvalue()


def built(origin: Origin) -> Imported:
    """The import of a source; ids are numbers."""
    numbers = count(1)
    return assemble(origin, lambda: f"i{next(numbers)}", lambda blob, data: None)


def tree(pages: Iterable[Found]) -> list[tuple[str, str | None]]:
    """(key, key of the page above) in order; a page never stands before the one above it."""
    held = [(page.key, page.parent) for page in pages]
    seen: set[str] = set()
    for key, parent in held:
        assert parent is None or parent in seen
        seen.add(key)
    return held


def test_an_archive_gives_nothing_but_files_inside_of_it() -> None:
    archive = Archive(zipped({
        "a.md": "A", "./b/c.md": "C", "b\\d.md": "D", "/etc/x.md": "X", "../up.md": "U", "b/../../up.md": "U",
        "__MACOSX/a.md": "", "b/.DS_Store": "", "e/": "",
    }))  # fmt: skip
    assert archive.names == ["a.md", "b/c.md", "b/d.md", "etc/x.md"]
    assert archive.read("b/c.md") == b"C"
    with pytest.raises(Refused):
        archive.read("../up.md")


def test_archives_that_are_none_or_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    good = zipped({"a.md": "A" * 100, "b.md": "B"})
    for data in (b"", b"PK", b"no archive", good[:-30], b"PK\3\4" + bytes(100)):
        with pytest.raises(Refused, match="zip archive"):
            Archive(data)
    broken = bytearray(good)
    broken[35] ^= 0xFF
    with pytest.raises(Refused, match="damaged"):
        Archive(bytes(broken)).read("a.md")
    monkeypatch.setattr(archives, "BYTES", 150)
    assert Archive(good).names == ["a.md", "b.md"]
    with pytest.raises(Refused, match="unpack to more than the 150 bytes"):
        Archive(zipped({"a": "A" * 100, "b": "B" * 51}))
    # What is inside of an inner archive counts with the outer one.
    monkeypatch.setattr(archives, "BYTES", len(good) + 100)
    assert Archive(zipped({"x.zip": good})).names == ["x.zip"]
    with pytest.raises(Refused, match="unpack"):
        Archive(zipped({"x.zip": good}), nested=True)
    monkeypatch.setattr(archives, "ENTRIES_MAX", 1)
    with pytest.raises(Refused, match="more than the 1 files"):
        Archive(good)


def test_a_size_that_lies_gives_no_more_than_it_says() -> None:
    data = zipped({"a.md": "A" * 100_000})
    lying = data.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    archive = Archive(lying)
    with contextlib.suppress(Refused):
        assert len(archive.read("a.md")) <= 10


def test_folders_become_a_tree_in_natural_order() -> None:
    archive = Archive(zipped(dict.fromkeys([
        "top/README.md", "top/10.md", "top/9.md", "top/guide/index.html", "top/guide/b.md", "top/api.md", "top/api/x.md",
        "top/deep/er/y.md", "top/img/a.png", "top/.github/z.md",
    ], "# T")))  # fmt: skip
    assert tree(Folders(archive).pages) == [
        ("top/README.md", None),
        ("top/9.md", None),
        ("top/10.md", None),
        ("top/api.md", None), ("top/api/x.md", "top/api.md"),
        ("top/deep/", None), ("top/deep/er/", "top/deep/"), ("top/deep/er/y.md", "top/deep/er/"),
        ("top/guide/index.html", None), ("top/guide/b.md", "top/guide/index.html"),
    ]  # fmt: skip


def test_a_table_of_contents_in_an_archive_orders_it() -> None:
    contents = (
        "# Table\n\n* [Start](README.md)\n\n## Group\n\n* [Bee](b.md)\n  * [Ay](a.md)\n* [Web](https://a.example)\n"
    )
    folders = Folders(Archive(zipped({"SUMMARY.md": contents, "README.md": "", "a.md": "", "b.md": "", "c.md": ""})))
    group = next(page for page in folders.pages if page.kind == "folder")
    assert (group.title, [page.title for page in folders.pages]) == ("Group", ["Start", "Group", "Bee", "Ay", "C"])
    assert tree(folders.pages) == [
        ("README.md", None), (group.key, None), ("b.md", group.key), ("a.md", "b.md"), ("c.md", None),
    ]  # fmt: skip


def test_notion_s_names_lose_their_ids() -> None:
    a, b, c = ("a" * 32, "b" * 32, "c" * 32)
    notion = Notion(Archive(zipped({
        f"P {a}.md": "", f"P {a}/DB {b}.csv": "x,y\n1,2\n", f"P {a}/DB {b}_all.csv": "x,y\n1,2\n3,4\n",
        f"P {a}/DB {b}/Row {c}.md": "", "Bare/Only_all.csv": "x\n",
    })))  # fmt: skip
    assert [page.title for page in notion.pages] == ["Bare", "Only", "P", "DB", "Row"]
    assert tree(notion.pages)[2:] == [
        (f"P {a}.md", None), (f"P {a}/DB {b}.csv", f"P {a}.md"), (f"P {a}/DB {b}/Row {c}.md", f"P {a}/DB {b}.csv"),
    ]  # fmt: skip
    assert notion.read(f"P {a}/DB {b}.csv").endswith(b"3,4\n")
    assert notion.find(f"P {a}.md", f"P%20{a}/DB%20{b}_all.csv") == Target(f"P {a}/DB {b}.csv")


def test_formats_that_are_others_are_refused() -> None:
    other = Archive(zipped({"a.txt": "x"}))
    for kind, words in ((Folders, "holds no pages"), (Notion, "no export of Notion"), (Confluence, "no index.html")):
        with pytest.raises(Refused, match=words):
            kind(other)
    for data in (
        b"text",
        zipped({"a": "b"}),
        zipped({"word/document.xml": "<"}),
        zipped({"word/document.xml": "<a/>"}),
    ):
        with pytest.raises(Refused, match=r"Word document|zip archive"):
            docx.html_of(data)


def test_a_document_s_entities_do_not_grow() -> None:
    grown = "".join(f'<!ENTITY x{n} "{f"&x{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE a [<!ENTITY x0 "0123456789">{grown}]><a>&x11;</a>'
    started = time.process_time()
    with pytest.raises(Refused, match="damaged"):
        docx.html_of(zipped(dict.fromkeys(["word/document.xml", "[Content_Types].xml", "_rels/.rels"], bomb)))
    assert time.process_time() - started < 3


def test_links_of_a_wiki_outside_of_code() -> None:
    assert linked("[[A b]] [[x|C d#e]] [[i.png|alt=I]] [[https://a.example]]") == (
        "[A b](<A-b>) [x](<C-d#e>) ![I](<i.png>) [https://a.example](<https://a.example>)"
    )
    for code in ("`[[a]]`", "``x ` [[a]]``", "```\n[[a]]\n```", "~~~\n[[a]]\n~~~\n", "```\n[[a]]"):
        assert linked(code) == code
    assert linked("`[[a]] [[b]]") == "`[a](<a>) [b](<b>)"


def test_pages_of_a_wiki_are_found_by_title_from_everywhere() -> None:
    files = {"Home.md": b"", "sub/Some-Page.md": b"", "img/x.png": b""}
    wiki = Wiki(sorted(files), files.__getitem__, "https://git.example/o/r/wiki")
    for href in (
        "Some-Page",
        "some-page",
        "Some%20Page#top",
        "https://git.example/o/r/wiki/Some-Page",
        "/o/r/wiki/Some-Page",
    ):
        found = wiki.find("Home.md", href)
        assert isinstance(found, Target)
        assert found.key == "sub/Some-Page.md"
    assert wiki.find("Home.md", "img/x.png") == Target("img/x.png")
    assert wiki.find("Home.md", "https://git.example/o/r/wiki/None") == "https://git.example/o/r/wiki/None"
    assert wiki.find("Home.md", "None") is None


def html_of(*hrefs: str) -> bytes:
    return "".join(f"<a href='{href}'>x</a>" for href in hrefs).encode()


def test_a_crawl_stays_below_its_path_and_at_its_host() -> None:
    crawl = Crawl(
        "https://a.example/docs/start", "https://a.example/docs/start", Rules("User-agent: *\nDisallow: /docs/start/no")
    )
    assert crawl.wanted(9) == ["https://a.example/docs/start"]
    crawl.took("https://a.example/docs/start", "https://a.example/docs/start", html_of(
        "start/a", "/docs/start/a/", "/docs/start/a/index.html#x", "/docs/other", "//b.example/docs/start/b", "start/no/x",
        "http://a.example/docs/start/c", "start/file.pdf", "start/v1.2", "start/q?a=b", "mailto:a@b", "javascript:x", "http://[",
    ))  # fmt: skip
    assert crawl.wanted(9) == ["https://a.example/docs/start/a", "https://a.example/docs/start/v1.2"]
    # An answer from elsewhere is no page; one from the address of another page is that page.
    crawl.took("https://a.example/docs/start/a", "https://a.example/login", b"<p>")
    crawl.took("https://a.example/docs/start/v1.2", "https://a.example/docs/start/v2", b"<p>")
    assert crawl.found == len(crawl.bodies) == 2
    assert crawl.wanted(9) == []


@pytest.mark.parametrize(
    ("asked", "first", "inside"),
    [
        ("https://a.example", "https://a.example/", "https://a.example/x"),
        ("https://a.example/d/index.html", "https://a.example/d/index.html", "https://a.example/d/x"),
        ("https://a.example/d", "https://a.example/d/", "https://a.example/d/x"),
        ("http://a.example/d/", "https://www.a.example/d/", "https://www.a.example/d/x"),
        ("https://a.example/d", "https://a.example/en/d/", "https://a.example/en/d/x"),
    ],
)
def test_a_crawl_begins_where_the_first_page_answers(asked: str, first: str, inside: str) -> None:
    crawl = Crawl(asked, first, Rules())
    crawl.wanted(1)
    crawl.offer([inside, "https://b.example/d/x"])
    assert crawl.wanted(9) == [inside]


def test_a_crawl_ends_at_its_bounds_and_counts_what_it_leaves() -> None:
    crawl = Crawl("https://a.example/", "https://a.example/", Rules())
    crawl.offer([f"https://a.example/{number}" for number in range(200)])
    asked = []
    while wanted := crawl.wanted(7):
        asked += wanted
        for url in wanted:
            crawl.took(url, url, html_of("/end/less"))
    assert len(asked) == len(set(asked)) == len(crawl.bodies) == PAGES_MAX
    assert crawl.found == 202
    order = [page.key for page in crawl.pages()]
    assert order[:3] == ["https://a.example/", "https://a.example/0", "https://a.example/1"]
    assert order == sorted(order, key=lambda url: int(url.rpartition("/")[2] or -1))


def test_pages_of_a_website_stand_below_the_nearest_path() -> None:
    crawl = Crawl("https://a.example/d/", "https://a.example/d/", Rules())
    for path in ("", "b/c/e", "b", "a", "b/c.html"):
        url = f"https://a.example/d/{path}"
        crawl.offer([url])
        crawl.wanted(1)
        crawl.took(url, url, b"<p>x")
    named = [(key.removeprefix("https://a.example/d/"), parent and parent.removeprefix("https://a.example/d/"))
             for key, parent in tree(crawl.pages())]  # fmt: skip
    assert named == [("", None), ("a", None), ("b", None), ("b/c/e", "b"), ("b/c.html", "b")]


def test_sitemaps_are_read_whatever_their_form() -> None:
    assert sitemap("<urlset><url><loc> https://a/x?a=1&amp;b </loc></url></urlset>") == (["https://a/x?a=1&b"], [])
    assert sitemap("<sitemapindex><sitemap><loc><![CDATA[https://a/s.xml]]></loc></sitemap></sitemapindex>") == (
        [], ["https://a/s.xml"],
    )  # fmt: skip
    assert sitemap("not found") == ([], [])


def test_tables_become_markdown() -> None:
    assert text.table('a,"b|c"\n"1\n2",*x*,3\n\n') == "| a | b\\|c |  |\n| --- | --- | --- |\n| 1 2 | \\*x\\* | 3 |\n"
    assert text.table("") == ""


def test_markdown_keeps_its_writing_but_for_addresses() -> None:
    source = "---\ntitle: T\n---\n\nText  with   *odd* _spacing_ [a](b.md) and ![c](d.png)\n\n+ list\n"
    title, made = text.page(source, lambda href, picture: f"new-{href}" if picture else "/pages/1")
    assert title == "T"
    assert "[a](/pages/1)" in made
    assert "new-d.png" in made
    assert made.endswith("\n\n+ list\n")
    assert text.page(source, lambda href, picture: href) == ("T", source)
    assert text.pictures(source, "https://a.example/x/y.md") == ["https://a.example/x/d.png"]


def test_counts_tell_of_what_was_left_out() -> None:
    big = "x" * ((1 << 20) + 1)
    picture = "![p](data:image/gif;base64,R0lGODlhAQABAAAAACw=)"
    names = {"a.md": f"# A\n\n{picture} {picture}\n", "b.md": big, "c.md": b"\xff\xfe\xff", "d.html": "", "e.png": b""}
    made = built(Folders(Archive(zipped(names))))
    # Four pages and a picture were found; one page and the picture remain.
    assert ([page.title for page in made.pages], made.resources, made.total) == (["A"], 2, 5)
    assert made.pages[0].text.count(f"/files/{made.files[0].id}") == 2
    assert (made.files[0].name, made.files[0].content_type) == ("image-1.gif", "image/gif")


def test_no_more_pages_than_the_bound_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembling, "PAGES_MAX", 2)
    names = {"a.md": "# A\n\n[b](b.md) [c](c.md)\n", "b.md": "# B\n", "c.md": "# C\n"}
    made = built(Folders(Archive(zipped(names))))
    assert ([page.title for page in made.pages], made.files, made.total) == (["A", "B"], [], 3)
    assert made.pages[0].text == f"# A\n\n[b](/pages/{made.pages[1].id}) [c](c.md)\n"


def test_what_stands_below_a_page_that_is_left_out_moves_up() -> None:
    names = {"a/README.md": "# A\n", "a/b/README.md": b"\0", "a/b/c.md": "# C\n", "z.md": "# Z\n"}
    made = built(Folders(Archive(zipped(names))))
    above = {page.id: page.title for page in made.pages}
    assert [(page.title, above.get(page.parent or "")) for page in made.pages] == [("A", None), ("C", "A"), ("Z", None)]


def test_no_page_stands_too_deep() -> None:
    path = "/".join("d" for _ in range(120))
    made = built(Folders(Archive(zipped({f"{path}/x.md": "# X\n", "y.md": "# Y\n"}))))
    depths: dict[str | None, int] = {None: 0}
    for page in made.pages:
        depths[page.id] = depths[page.parent] + 1
    assert max(depths.values()) == 50
    assert made.resources == made.total == 2


def test_a_single_page_names_what_is_not_there() -> None:
    origin = Fetched(
        [Found("https://a/x/y.md", "markdown", "Y")], {"https://a/x/y.md": b"[z](z.md) ![q](q.png)"}, {}, 1
    )
    made = built(origin)
    assert (made.resources, made.total) == (1, 2)
    assert made.pages[0].title == "Y"
    assert made.pages[0].text == '[z](https://a/x/z.md) <img src="https://a/x/q.png" alt="q">'
