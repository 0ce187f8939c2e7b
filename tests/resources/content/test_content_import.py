"""Importing content over HTTP, from local servers: what the change request holds then, and every refusal."""

from __future__ import annotations

import asyncio
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Reply, World
from tests.conftest import FakeClock
from tests.gateways.conftest import Site, start
from tests.git_compat.server import git, require_git, serving
from tests.resources.content.conftest import Pages
from tests.resources.writing import Line


@pytest.fixture
def line(near: World) -> Line:
    return Line(near, near.space(empty=True)["id"])


def bring(line: Line, url: str, source: str, client: Client | None = None) -> Reply:
    """Ask for an import, and work until it is answered."""
    return bring_what(line, {"url": url, "source": source}, client)


def bring_what(line: Line, body: dict[str, str], client: Client | None = None) -> Reply:
    """The same, whatever says where the content is."""

    async def together() -> Reply:
        api = client or line.world.api
        asked = asyncio.ensure_future(api.send("POST", f"{line.path}/content/import", body))
        while not (await asyncio.wait({asked}, timeout=0.01))[0]:
            await line.world.house.worker.drain()
        return asked.result()

    reply: Reply = line.world.run(together())
    return reply


def brought(line: Line, url: str, source: str) -> tuple[int, int]:
    """(imported, total) of an import that must succeed; its revision is the change request's head."""
    reply = bring(line, url, source)
    assert reply.status == 201, reply.text
    assert set(reply.json) == {"revision", "importedResources", "totalResources", "pages", "warnings"}
    assert line.get()["revision"] == reply.json["revision"]
    return reply.json["importedResources"], reply.json["totalResources"]


def texts(line: Line) -> dict[str, str]:
    """Path -> Markdown of every page, whose links name pages by their paths and files without their ids."""

    def walked(pages: list[Any]) -> Iterator[Any]:
        for one in pages:
            yield one
            yield from walked(one.get("pages", []))

    listed = {one["id"]: one["path"] for one in walked(line.get("/content/pages")["pages"])}

    def named(found: re.Match[str]) -> str:
        return f"/pages/{listed[found[2]]}" if found[1] == "pages" else "/files/*"

    return {path: re.sub(r"/(pages|files)/([\w-]+)", named, line.page(key)["markdown"]) for key, path in listed.items()}


def files(line: Line) -> dict[str, tuple[str, int]]:
    """Name -> type and size of every file."""
    return {one["name"]: (one["contentType"], one["size"]) for one in line.get("/content/files")["items"]}


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"\0\0\0\0" * 3)
    header = struct.pack(">IIBBBBB", 1, 3, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def zipped(entries: dict[str, bytes | str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return made.getvalue()


def word(body: str, *pictures: bytes) -> bytes:
    """A Word document with this content of `w:body` and these pictures, rId1, rId2, …"""
    schemas = "http://schemas.openxmlformats.org"
    office = f"{schemas}/officeDocument/2006/relationships"
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{office}/image" Target="media/image{n}.png"/>'
        for n in range(1, len(pictures) + 1)
    )
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{schemas}/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="png" ContentType="image/png"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{schemas}/package/2006/relationships"><Relationship Id="r" '
            f'Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{schemas}/package/2006/relationships">'
            f"{links}</Relationships>",
            "word/document.xml": f'<w:document xmlns:w="{schemas}/wordprocessingml/2006/main" xmlns:r="{office}" '
            f'xmlns:a="{schemas}/drawingml/2006/main" xmlns:wp="{schemas}/drawingml/2006/wordprocessingDrawing" '
            f'xmlns:pic="{schemas}/drawingml/2006/picture"><w:body>{body}</w:body></w:document>',
        }
        | {f"word/media/image{n}.png": data for n, data in enumerate(pictures, 1)}
    )


def paragraph(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


DRAWN = (
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A nest"/><a:graphic><a:graphicData><pic:pic>'
    '<pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>'
    "</w:drawing></w:r></w:p>"
)
LETTER = (
    paragraph("Nests &amp; eggs", "Heading1")
    + paragraph("Two * three")
    + paragraph("Reed", "Heading2")
    + "<w:tbl><w:tr><w:tc>"
    + paragraph("a")
    + "</w:tc><w:tc>"
    + paragraph("b")
    + "</w:tc></w:tr></w:tbl>"
    + DRAWN
)


def test_markdown_becomes_a_page_with_its_pictures(line: Line, site: Site) -> None:
    text = (
        "---\ndescription: Where they live\n---\n\n# Nests\n\n"
        "![Egg](img/egg.png) [web](https://a.example/) [Other](other.md)\n"
    )
    site.put("/docs/nests.md", text.encode(), content_type="text/markdown")
    site.put("/docs/img/egg.png", png(), content_type="image/png")
    before = line.get()["revision"]
    assert brought(line, site.url("/docs/nests.md"), "markdown") == (2, 2)
    assert line.tree() == [("Nests", "nests", [])]
    assert files(line) == {"egg.png": ("image/png", len(png()))}
    made = texts(line)["nests"]
    assert made.startswith('---\ndescription: Where they live\n---\n\n# Nests\n\n<img src="/files/*" alt="Egg"> [web]')
    assert f"[Other]({site.url('/docs/other.md')})" in made
    assert line.get("/content")["parents"] == [before]
    assert line.world.api.get(f"{line.base}/content/pages").json["pages"] == []


def test_html_becomes_a_page_without_what_is_around_it(line: Line, site: Site) -> None:
    text = (
        "<!doctype html><title>Nests | Herons</title><nav><a href='/'>Home</a></nav><main><h1>Nests</h1><p>B\xe4ume</p>"
        "<pre><code class='language-python'>x = 1</code></pre><img src='/egg.png' alt='Egg'><img src='gone.png'>"
        "<a href='#x'>here</a></main><footer>2026</footer>"
    )
    site.put("/nests", text.encode("latin-1"), content_type="text/html; charset=iso-8859-1")
    site.put("/egg.png", png())
    # The page and one of two pictures.
    assert brought(line, site.url("/nests"), "html") == (2, 3)
    made = texts(line)["nests"]
    assert made.startswith("# Nests\n\nBäume\n\n```python\nx = 1\n```\n\n![Egg](/files/*)")
    assert f"({site.url('/gone.png')})" in made
    assert "Home" not in made
    assert "2026" not in made


def test_a_word_document_becomes_a_page_and_its_pictures_files(line: Line, site: Site) -> None:
    site.put("/letter.docx", word(LETTER, png()))
    assert brought(line, site.url("/letter.docx"), "docx") == (2, 2)
    assert files(line) == {"image-1.png": ("image/png", len(png()))}
    made = texts(line)["nests-eggs"]
    assert made.startswith(
        "# Nests & eggs\n\nTwo * three\n\n## Reed\n\n|  |  |\n| --- | --- |\n| a | b |\n\n![A nest](/files/*)\n"
    )


def test_a_document_of_google_is_exported_and_read(line: Line, site: Site) -> None:
    site.put("/document/d/a-B_1/export?format=docx", word(LETTER, png()))
    assert brought(line, site.url("/document/d/a-B_1/edit?usp=sharing"), "google-docs") == (2, 2)
    assert list(texts(line)) == ["nests-eggs"]
    site.put("/document/d/closed/export?format=docx", b"<html>Sign in</html>")
    assert "everyone with the link" in bring(line, site.url("/document/d/closed/edit"), "google-docs").message
    assert "no address of a document" in bring(line, site.url("/spreadsheets/d/a"), "google-docs").message


def test_an_archive_becomes_a_tree_whose_links_hold(line: Line, site: Site) -> None:
    site.put("/docs.zip", zipped({
        "docs/README.md": "# Herons\n\n[Install](guide/install.md#steps) ![Egg](img/egg.png) ![Egg](img/egg.png)\n",
        "docs/guide/README.md": "# Guide\n\n[Home](../README.md)\n",
        "docs/guide/install.md": "# Install\n\n## Steps\n",
        "docs/guide/10-late.html": "<h1>Late</h1><p><a href='install.md'>Install</a> <a href='/nowhere.md'>no</a></p>",
        "docs/guide/2-early.md": "No title\n",
        "docs/bare/deep/letter.docx": word(LETTER, png()),
        "docs/img/egg.png": png(),
        "docs/img/unused.png": png(),
        "__MACOSX/docs/README.md": "junk",
        "../evil.md": "# Evil\n",
    }))  # fmt: skip
    # Six pages and two pictures: folders are not counted, what no page shows neither.
    assert brought(line, site.url("/docs.zip"), "zip") == (8, 8)
    assert line.tree() == [
        ("Herons", "herons", []),
        ("Bare", "bare", [("Deep", "bare/deep", [("Nests & eggs", "bare/deep/nests-eggs", [])])]),
        ("Guide", "guide", [
            ("2 early", "guide/2-early", []), ("Late", "guide/late", []), ("Install", "guide/install", []),
        ]),
    ]  # fmt: skip
    made = texts(line)
    assert made["herons"].count("/files/*") == 2
    assert made["herons"].startswith("# Herons\n\n[Install](/pages/guide/install#steps) ")
    assert "[Install](/pages/guide/install) no" in made["guide/late"]
    assert len(files(line)) == 2


def test_a_website_is_walked_below_its_path(line: Line, site: Site) -> None:
    def page(title: str, body: str) -> bytes:
        return f"<title>{title}</title><nav><a href='/docs/a/'>A</a></nav><main><h1>{title}</h1>{body}</main>".encode()

    html = {"content_type": "text/html"}
    site.put("/robots.txt", b"User-agent: *\nDisallow: /docs/secret\n")
    site.put("/docs", status=301, location="/docs/")
    site.put("/docs/", page("Docs", "<a href='b/two.html'>2</a> <a href='/else'>e</a> <a href='secret'>s</a>"), **html)
    site.put("/docs/a/", page("A", "<img src='/egg.png'><a href='../b/two.html#x'>2</a>"), **html)
    site.put("/docs/a/one", page("One", "<a href='broken'>b</a> <a href='/docs/manual.pdf'>m</a>"), **html)
    site.put("/docs/b/two.html", page("Two", "<a href='/docs/'>home</a>"), **html)
    site.put("/docs/data", b"{}", content_type="application/json")
    site.put("/docs/secret", page("Secret", ""), **html)
    site.put("/else", page("Else", ""), **html)
    site.put("/egg.png", png())
    named = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/docs/a/one", "/docs/data", "/else"))
    site.put("/sitemap.xml", f"<urlset>{named}</urlset>".encode())
    # Docs, A, One, Two and the picture; `broken` was linked and is not there.
    assert brought(line, site.url("/docs"), "website") == (5, 6)
    assert line.tree() == [("Docs", "docs", []), ("A", "a", [("One", "a/one", [])]), ("Two", "two", [])]
    made = texts(line)
    assert "[2](/pages/two)" in made["docs"]
    assert f"[e]({site.url('/else')})" in made["docs"]
    assert "[home](/pages/docs)" in made["two"]
    assert "![](/files/*)[2](/pages/two#x)" in made["a"]
    asked = [path for _, path, _, _ in site.asked]
    assert "/docs/secret" not in asked
    assert "/else" not in asked
    assert "/docs/manual.pdf" not in asked


def test_a_wiki_is_cloned_and_ordered_by_its_sidebar(line: Line, tmp_path: Path) -> None:
    require_git()
    root = tmp_path / "served"
    work = root / "birds" / "herons.wiki.git"
    work.mkdir(parents=True)
    git(work, "init", "-q", "-b", "master")
    for name, text in {
        "Home.md": "[[Getting Started]] and [[the eggs|Eggs#size]] `[[not]]`\n\n[[img/egg.png|alt=Egg]]\n",
        "Getting-Started.md": "[home](Home) [other](https://a.example/)\n",
        "Eggs.md": "## Size\n",
        "Alone.md": "Alone\n",
        "_Sidebar.md": "* [[Eggs]]\n  * [[Getting Started]]\n* [[Home]]\n",
        "_Footer.md": "footer\n",
    }.items():
        (work / name).write_text(text)
    (work / "img").mkdir()
    (work / "img" / "egg.png").write_bytes(png())
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "Wiki")
    with serving(root) as served:
        assert brought(line, served.url("birds/herons/wiki"), "github-wiki") == (5, 5)
    assert line.tree() == [
        ("Home", "home", []), ("Eggs", "eggs", [("Getting Started", "eggs/getting-started", [])]), ("Alone", "alone", []),
    ]  # fmt: skip
    made = texts(line)["home"]
    assert "[Getting Started](/pages/eggs/getting-started) and [the eggs](/pages/eggs#size) `[[not]]`" in made
    assert "footer" not in made


def test_an_export_of_notion_keeps_its_tree_and_databases(line: Line, site: Site) -> None:
    home, child, table, row = (f"{number:032x}" for number in (1, 2, 3, 4))
    inner = zipped({
        f"Home {home}.md": f"# Home\n\n[Child](Home%20{home}/Child%20{child}.md) [Birds](Home%20{home}/Birds%20{table}.csv)\n",
        f"Home {home}/Child {child}.md": "# Child\n\n![egg](Child%20{child}/egg.png)\n".replace("{child}", child),
        f"Home {home}/Child {child}/egg.png": png(),
        f"Home {home}/Birds {table}.csv": "\ufeffName,Legs\nHeron,2\n",
        f"Home {home}/Birds {table}_all.csv": "\ufeffName,Legs\nHeron,2\nA | B,*2*\n",
        f"Home {home}/Birds {table}/Heron {row}.md": "# Heron\n\nLegs: 2\n",
    })  # fmt: skip
    site.put("/export", zipped({"Export-Part-1.zip": inner}))
    assert brought(line, site.url("/export"), "notion") == (5, 5)
    assert line.tree() == [
        ("Home", "home", [("Birds", "home/birds", [("Heron", "home/birds/heron", [])]), ("Child", "home/child", [])])
    ]
    made = texts(line)
    assert made["home/birds"] == "# Birds\n\n| Name | Legs |\n| --- | --- |\n| Heron | 2 |\n| A \\| B | \\*2\\* |\n"
    assert "[Child](/pages/home/child) [Birds](/pages/home/birds)" in made["home"]


def test_an_export_of_confluence_has_the_order_of_its_contents(line: Line, site: Site) -> None:
    index = (
        "<body><div id='main'><ul><li><a href='Home_1.html'>Home</a><ul><li><a href='Z_2.html'>Zebra &amp; co</a></li>"
        "<li><a href='A_3.html'>Ape</a></li></ul></li></ul></div></body>"
    )

    def page(title: str, body: str) -> str:
        return (
            f"<title>BIRDS : {title}</title><div id='main-header'><h1 id='title-heading'>BIRDS : {title}</h1></div>"
            f"<div id='main-content' class='wiki-content'>{body}</div><div><h2 id='attachments'>Attachments:</h2></div>"
        )

    macro = (
        "<div class='confluence-information-macro confluence-information-macro-warning'><p>Mind</p></div>"
        "<pre class='syntaxhighlighter-pre' data-syntaxhighlighter-params='brush: java; gutter: false'>int x;</pre>"
    )
    site.put("/space.zip", zipped({
        "BIRDS/index.html": index,
        "BIRDS/Home_1.html": page("Home", "<h1>First</h1><p><a href='A_3.html'>Ape</a></p><img src='attachments/1/e.png'>"),
        "BIRDS/Z_2.html": page("Zebra", macro),
        "BIRDS/A_3.html": page("Ape", "<p><a href='index.html'>all</a></p>"),
        "BIRDS/attachments/1/e.png": png(),
        "BIRDS/styles/site.css": "a {}",
    }))  # fmt: skip
    assert brought(line, site.url("/space.zip"), "confluence") == (4, 4)
    assert line.tree() == [
        ("Home", "home", [("Zebra & co", "home/zebra-co", []), ("Ape", "home/ape", [])]),
    ]
    made = texts(line)
    assert made["home"].startswith("# Home\n\n## First\n\n[Ape](/pages/home/ape)\n\n![](/files/*)\n")
    assert made["home/zebra-co"] == (
        '# Zebra & co\n\n{% hint style="warning" %}\nMind\n{% endhint %}\n\n```java\nint x;\n```\n'
    )
    assert made["home/ape"] == "# Ape\n\nall\n"


def test_what_cannot_be_imported_is_a_sentence_and_changes_nothing(line: Line, site: Site) -> None:
    before = line.get()["revision"]
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("huge.md", "w") as file:
        for _ in range(257):
            file.write(b"\0" * (1 << 20))
    site.put("/bomb.zip", bomb.getvalue())
    site.put("/page.html", b"<!doctype html><h1>x</h1>", content_type="text/html")
    site.put("/data.json", b"{}", content_type="application/json")
    site.put("/empty.zip", zipped({"a.txt": "x", "img/a.png": png()}))
    site.put("/robots.txt", b"User-agent: *\nDisallow: /\n")
    site.put("/void.html", b"<html><body></body></html>", content_type="text/html")
    wrong = [
        ("/gone.md", "markdown", "answered 404"),
        ("/page.html", "markdown", "is a page of HTML"),
        ("/data.json", "html", "is application/json, not HTML"),
        ("/void.html", "html", "no text on the page"),
        ("/empty.zip", "docx", "not a Word document"),
        ("/bomb.zip", "zip", "would unpack to more than"),
        ("/page.html", "website", "robots.txt"),
        ("/data.json", "website", "not a page of a website"),
        ("/o/r/issues", "github-wiki", "no address of a wiki"),
    ]
    for path, source, words in wrong:
        reply = bring(line, site.url(path), source)
        assert (reply.status, words in reply.message) == (400, True), (path, source, reply.text)
    assert "could not be reached" in bring(line, "http://127.0.0.1:1/a.md", "markdown").message
    for body in ({"url": "ftp://a/b", "source": "zip"}, {"url": site.url("/"), "source": "pdf"}, {"source": "zip"}):
        assert line.world.api.post(f"{line.path}/content/import", body).status == 400
    assert line.get()["revision"] == before


def test_a_password_in_the_address_is_sent_to_its_own_host_only(line: Line, site: Site) -> None:
    elsewhere, stop = start()
    elsewhere.put("/egg.png", png())
    html = {"content_type": "text/html"}
    site.pages = Pages()
    site.put("/d/", f"<p>x<a href='two'>2</a><img src='{elsewhere.url('/egg.png')}'>".encode(), **html)
    site.put("/d/two", b"<p>y", **html)
    try:
        assert brought(line, site.url("/d/", "ann:s3cret@127.0.0.1"), "website") == (3, 3)
    finally:
        stop()
    assert {path for _, path, sent, _ in site.asked if "authorization" not in sent} == set()
    assert all("authorization" not in sent for _, _, sent, _ in elsewhere.asked)
    assert "s3cret" not in "".join(texts(line).values())
    site.put("/gone", status=403)
    assert "s3cret" not in bring(line, site.url("/gone", "ann:s3cret@127.0.0.1"), "html").text


def test_hosts_that_are_not_public_are_refused(world: World, site: Site) -> None:
    site.put("/a.md", b"# A\n")
    line = Line(world, world.space(empty=True)["id"])
    assert "not on the public internet" in bring(line, site.url("/a.md"), "markdown").message
    assert site.asked == []


def test_who_may_import_and_into_what(line: Line, site: Site) -> None:
    site.put("/a.md", b"# A\n")
    world = line.world
    for role, status in (("comment", 403), (None, 404), ("edit", 201)):
        client = Client(world.app, world.loop, world.person(role))
        assert bring(line, site.url("/a.md"), "markdown", client).status == status, role
    assert line.world.api.patch(line.path, {"status": "archived"}).status == 200
    asked = len(site.asked)
    assert "archived" in bring(line, site.url("/a.md"), "markdown").message
    assert len(site.asked) == asked, "nothing is fetched in vain"


def test_an_import_follows_the_pages_that_are_there(line: Line, site: Site) -> None:
    line.insert("# A\n")
    site.put("/a.md", b"# A\n\nAnother.\n")
    assert brought(line, site.url("/a.md"), "markdown") == (1, 1)
    assert line.tree() == [("A", "a", []), ("A", "a-2", [])]


def _uploaded(line: Line, data: bytes, *, send: bool = True) -> str:
    """The key of a file."""
    order = {"file": {"name": "a.zip", "type": "application/zip", "size": len(data)}, "kind": "import_file"}
    made = line.world.api.post(f"/v1/orgs/{line.world.organization}/storage/upload", order).json
    if send:
        assert line.world.api.put(made["url"].removeprefix("http://octavo.test"), body=data, token="").status == 204
    key: str = made["key"]
    return key


def test_what_was_uploaded_is_imported(line: Line) -> None:
    archive = zipped(
        {"README.md": "# Birds\n\n[Terns](terns.md)\n", "terns.md": "# Terns\n\n![A](a.png)\n", "a.png": png()}
    )
    reply = bring_what(line, {"key": _uploaded(line, archive), "source": "zip"})
    assert reply.status == 201, reply.text
    assert (reply.json["importedResources"], reply.json["totalResources"]) == (3, 3)
    assert sorted(texts(line)) == ["birds", "terns"]
    assert [one["title"] for one in reply.json["pages"]] == ["Birds", "Terns"]
    assert reply.json["warnings"] == []
    for source, data, title in (
        ("docx", word(paragraph("A gull.")), "Document"),
        ("html", b"<!doctype html><h1>Gulls</h1><p>They cry.</p>", "Gulls"),
        ("markdown", b"# Skuas\n\nThey steal.\n", "Skuas"),
    ):
        document = bring_what(line, {"key": _uploaded(line, data), "source": source})
        assert document.status == 201, document.text
        assert [one["title"] for one in document.json["pages"]] == [title], source


def test_what_is_left_out_is_told_with_its_page(line: Line) -> None:
    much = "word " * 300_000
    archive = zipped({"README.md": "# Birds\n\n![A](gone.png)\n", "long.md": f"# Long\n\n{much}\n", "big.png": b"x"})
    reply = bring_what(line, {"key": _uploaded(line, archive), "source": "zip"})
    assert reply.status == 201, reply.text
    [page] = reply.json["pages"]
    told = {one.get("page"): one["message"] for one in reply.json["warnings"]}
    assert "The page" in told[None], told
    assert "larger than" in told[None], told
    assert page["id"] in line.get("/content/pages")["pages"][0]["id"]


def test_an_upload_that_cannot_be_imported_is_told(line: Line, clock: FakeClock) -> None:
    key = _uploaded(line, b"no archive")
    for body, said in (
        ({"key": key, "source": "zip"}, "not a zip archive"),
        ({"key": key, "source": "docx"}, "not a zip archive"),
        ({"key": key, "source": "website"}, "one of zip, notion, confluence, docx, html, markdown"),
        ({"key": key, "url": "https://a.example/", "source": "zip"}, "either `url`"),
        ({"source": "zip"}, "either `url`"),
        ({"key": "nothing", "source": "zip"}, "not a key of an upload"),
        ({"key": _uploaded(line, b"later", send=False), "source": "zip"}, "nothing was uploaded"),
    ):
        reply = bring_what(line, body)
        assert (reply.status, said in reply.message) == (400, True), reply.text
