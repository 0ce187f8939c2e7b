"""A page as Markdown: all that its visitor sees, nothing else, and addresses that work where the text is taken."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from octavo.content.document import Node, walk
from octavo.content.markdown import parse
from octavo.importing import Order, import_into
from octavo.publish.markdown import takes_markdown
from tests.client import World
from tests.profiles import DEEP, some
from tests.publish.visiting import Visitor, visit, write

BROWSERS = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "text/html, application/xhtml+xml, image/jxr, */*",
    "*/*",
    "",
)
NEVER = "visitor.claims.unsigned.plan == 'gold'"


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    """A site with all that must be decided before a page is given away."""
    closed = f"{{% if {NEVER} %}}\n\nA quince {{kind}}.\n\n{{% endif %}}\n"
    page = (
        "# The page\n\nIn the open.\n\n"
        + closed.replace("{kind}", "in a block")
        + '{% include ".gitbook/includes/shared.md" %}\n\n'
        + f'{{% hint style="info" %}}\nOpen.\n\n{closed.replace("{kind}", "in a hint")}{{% endhint %}}\n\n'
        + f"{{% if {NEVER.replace('==', '!=')} %}}\nFor the rest.\n\n{closed.replace('{kind}', 'nested')}{{% endif %}}\n\n"
        + "{% if visitor.claims.a.b.c %}\nA quince by mistake.\n{% endif %}\n\n"
        + "{% if ((( %}\nA quince out of order.\n{% endif %}\n\n"
        + 'Version <code class="expression">space.vars.version</code>, claim <code class="expression">'
        + "visitor.claims.name</code>.\n\n[closed](closed.md), [open](deep/open.md#here), "
        + '[deep/open.md](deep/open.md "mention"), [closed.md](closed.md "mention") .\n\n'
        + '{% content-ref url="closed.md" %}\n[closed.md](closed.md)\n{% endcontent-ref %}\n\n'
        + '{% content-ref url="deep/open.md" %}\n[open.md](deep/open.md)\n{% endcontent-ref %}\n\n'
        + "![picture](.gitbook/assets/a.png)\n\n[file](.gitbook/assets/a.png)\n\n"
        + '<a href="closed.md" class="button primary">Button</a>\n\n'
        + '<table><thead><tr><th>Name</th><th data-hidden>Inside</th><th data-type="content-ref">Where</th></tr></thead>'
        + '<tbody><tr><td>One</td><td>hidden words</td><td><a href="closed.md">closed</a></td></tr>'
        + '<tr><td>Two</td><td></td><td><a href="deep/open.md">open</a></td></tr></tbody></table>\n'
    )
    files: dict[str, str | bytes] = {
        "SUMMARY.md": "* [Start here](README.md)\n* [Page](page.md)\n* [Closed](closed.md)\n\n"
        "## Deep\n\n* [Open](deep/open.md)\n",
        "README.md": "---\ndescription: How it begins\nicon: leaf\nhidden: false\n---\n\n# Start here\n\nHello.\n",
        "page.md": page,
        "closed.md": f"---\nif: {NEVER}\n---\n\n# Closed quince\n\nA quince.\n",
        "deep/open.md": "# Open [way]\n\n[up](../page.md)\n\n## Here\n",
        ".gitbook/includes/shared.md": "---\ntitle: Shared\n---\n\nShared words.\n\n"
        + closed.replace("{kind}", "shared"),
        ".gitbook/vars.yaml": "version: 2.4.1\n",
        ".gitbook/assets/a.png": b"\x89PNG\r\n\x1a\n",
    }
    return visit(world, write(tmp_path, files))


def test_what_a_condition_closes_is_in_no_text_for_machines(site: Visitor) -> None:
    for path in ("page.md", "page", "llms-full.txt", "llms.txt", "sitemap.xml"):
        reply = site.get(path, headers={"accept": "text/markdown"})
        assert reply.status == 200, path
        for word in ("quince", "plan ==", "endif", "{% if", "visitor.claims", "closed.md", "hidden words"):
            assert word not in reply.text, (path, word)
    assert "For the rest." in site.get("page.md").text
    assert site.get("closed.md").status == 404
    assert site.get("closed", headers={"accept": "text/markdown"}).status == 404


def test_what_the_author_left_to_be_filled_in_is_there(site: Visitor) -> None:
    text = site.get("page.md").text
    assert "Shared words." in text
    assert "{% include" not in text
    assert "Version 2.4.1, claim .\n" in text


def test_includes_of_includes_do_not_grow_without_end(world: World, tmp_path: Path) -> None:
    many = '{% include "many.md" %}\n\n' * 40
    files: dict[str, str | bytes] = {
        "README.md": "# Home\n\n" + '{% include ".gitbook/includes/more.md" %}\n\n' * 40,
        ".gitbook/includes/more.md": f"---\ntitle: More\n---\n\n{many}",
        ".gitbook/includes/many.md": "---\ntitle: Many\n---\n\nWords.\n",
    }
    text = visit(world, write(tmp_path, files)).get("readme.md").text
    assert 150 < text.count("Words.") < 200


def test_links_and_pictures_lead_there_from_everywhere(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    text = site.get("page.md").text
    named = f"[Open \\[way\\]]({public}deep/open.md)"
    assert f"closed, [open]({public}deep/open.md#here), {named},  ." in text
    assert text.count(named) == 2
    assert "\n\nButton\n\n" in text
    assert f'<a href="{public}deep/open.md">' in text
    for address in re.findall(rf'{re.escape(public)}[^")\s]+', text):
        assert site.get(urlsplit(address).path).status == 200, address
    assert f"[up]({public}page.md)" in site.get("deep/open.md").text


def test_the_front_matter_is_the_description_alone(site: Visitor) -> None:
    parsed = parse(site.get("readme.md").text)
    assert (parsed.front, parsed.title) == ({"description": "How it begins"}, "Start here")
    assert site.get("page.md").text.startswith("# The page\n\nIn the open.\n")


@pytest.mark.parametrize(
    ("asked", "status", "leads"),
    [
        ("README.md", 308, "readme.md"),
        ("index.md", 307, "readme.md"),
        (".md", 307, "readme.md"),
        ("Deep/OPEN.md", 308, "deep/open.md"),
        ("page.md/", 308, "page.md"),
    ],
)
def test_other_spellings_lead_to_the_text(site: Visitor, asked: str, status: int, leads: str) -> None:
    reply = site.get(asked)
    assert (reply.status, reply.headers["location"]) == (status, site.base + leads)
    assert site.get(leads).status == 200


def test_a_page_that_is_called_index_is_not_the_first_one(world: World, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"SUMMARY.md": "* [A](a.md)\n* [Index](index.md)\n", "a.md": "# A\n"}
    site = visit(world, write(tmp_path, files | {"index.md": "# Index\n"}))
    assert site.get("index.md").text == "# Index\n"
    assert site.get("readme.md").headers["location"] == site.base + "a.md"


def test_an_old_address_leads_to_the_text_where_it_is_now(world: World, tmp_path: Path) -> None:
    site = visit(world, write(tmp_path, {"README.md": "# Home\n", "nests.md": "# Nests\n\nReed and straw by water.\n"}))
    (tmp_path / "nests.md").rename(tmp_path / "homes.md")
    world.run(import_into(world.house, Order(str(tmp_path), world.organization, site.space), quiet=True))
    reply = site.get("nests.md")
    assert (reply.status, reply.headers["location"]) == (307, site.base + "homes.md")


def test_the_page_itself_is_markdown_for_those_who_ask(kitchen: Visitor) -> None:
    beside = kitchen.get("writing/text.md")
    asked = kitchen.get("writing/text", headers={"accept": "text/markdown, text/html;q=0.9, */*;q=0.1"})
    assert (asked.status, asked.body) == (200, beside.body)
    assert asked.headers["content-type"] == beside.headers["content-type"] == "text/markdown; charset=utf-8"
    assert asked.headers["content-location"] == kitchen.base + "writing/text.md"
    assert asked.headers["vary"] == "accept, accept-encoding"
    canonical = f'<{kitchen.site["urls"]["published"]}writing/text>; rel="canonical"'
    assert asked.headers["link"] == beside.headers["link"] == canonical
    # The page is to be found, its other form is not.
    assert beside.headers["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in asked.headers
    assert kitchen.page("writing/text").one("link", type="text/markdown")["href"] == kitchen.base + "writing/text.md"
    home = kitchen.get("", headers={"accept": "text/markdown"})
    assert home.text.startswith("---\ndescription: ")


@pytest.mark.parametrize("accept", BROWSERS)
def test_a_browser_gets_the_page(kitchen: Visitor, accept: str) -> None:
    reply = kitchen.get("writing/text", headers={"accept": accept})
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.headers["vary"] == "accept, accept-encoding"


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("text/markdown", True),
        ("TEXT/Markdown;q=1.0", True),
        ("text/html, text/markdown", True),
        ("text/markdown;charset=utf-8;q=0.5, text/html;q=0.4", True),
        ("text/markdown;q=0.5, */*;q=0.4", True),
        ("text/markdown;q=0.4, text/html;q=0.5", False),
        ("text/markdown;q=0.5, */*;q=0.8", False),
        ("text/markdown;q=0", False),
        ("text/*", False),
        ("text/plain", False),
        ("text/markdownish", False),
        *((one, False) for one in BROWSERS),
    ],
)
def test_who_takes_markdown(accept: str, wanted: bool) -> None:
    assert takes_markdown(accept) is wanted


def test_one_who_has_it_is_told_so(kitchen: Visitor) -> None:
    for path, headers in (("writing/text.md", {}), ("writing/text", {"accept": "text/markdown"})):
        reply = kitchen.get(path, headers=headers)
        again = kitchen.get(path, headers=headers | {"if-none-match": reply.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["vary"] == reply.headers["vary"]
        assert reply.headers["etag"] != kitchen.get("writing/text").headers["etag"]
        zipped = kitchen.get(path, headers=headers | {"accept-encoding": "gzip"})
        assert zipped.headers["content-encoding"] == "gzip"


def test_a_site_closed_to_agents_answers_html_alone(kitchen: Visitor) -> None:
    own = Visitor(kitchen.world, kitchen.space, kitchen.world.site(kitchen.space, title="No agents here"))
    own.change(agentsContext="excluded")
    for path in ("writing/text.md", "README.md", "llms.txt", "llms-full.txt"):
        assert own.get(path).status == 404, path
    reply = own.get("writing/text", headers={"accept": "text/markdown"})
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.headers["vary"] == "accept-encoding"
    assert own.get("sitemap.xml").status == 200


def test_every_page_of_the_corpus_reads_back_with_addresses_of_the_site(corpus_site: Visitor) -> None:
    """Nothing of the text is lost on the way: its words are those of the page, its headings have the same anchors."""
    public = corpus_site.site["urls"]["published"]
    listed = re.findall(r"^- \[.+?\]\((\S+?)\)", corpus_site.get("llms.txt").text, re.MULTILINE)
    assert len(listed) == 156
    known: dict[str, int] = {}
    for address in some(listed, 4):
        path = unquote(address.removeprefix(public))
        parsed = parse(corpus_site.get(path).text)
        api = f"/v1/spaces/{corpus_site.space}/content/path/{path.removesuffix('.md')}?format=document"
        page = corpus_site.world.api.get(api).json
        assert parsed.title == page["title"], path
        assert _words(parsed.document) == _words(page["document"]), path
        assert _anchors(parsed.document) == _anchors(page["document"]), path
        for ref in _references(parsed.document):
            url = ref.get("url", "")
            assert ref["kind"] == "anchor" or re.match("https?://|mailto:", url), (path, ref)
            if url.startswith(public) and (where := url.partition("#")[0]) not in known:
                known[where] = corpus_site.get(urlsplit(where).path).status
    assert len(known) > (150 if DEEP else 40)
    # Two links name folders; they lead to the first page in them.
    assert len([url for url, status in known.items() if status != 200]) <= 2, known


def _references(document: Node) -> list[dict[str, Any]]:
    held = [node["data"] for node in walk(document) if isinstance(node.get("data"), dict)]
    return [data[name] for data in held for name in ("ref", "refDark") if isinstance(data.get(name), dict)]


def _anchors(document: Node) -> list[str]:
    return [node["data"].get("id") for node in walk(document) if node.get("type", "").startswith("heading-")]


def _words(document: Node) -> str:
    said = [
        leaf["text"]
        for node in walk(document)
        if node["object"] == "text" and node.get("type") != "mention"
        for leaf in node["leaves"]
    ]
    return "".join("".join(said).split())
