"""Real documentation as visitors and programs meet it: every page answers, and nothing leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from octavo.publish.building import WHOLE_TREE
from tests.publish.visiting import Element, Visitor, entries, tree

BROKEN_IN_THE_SOURCE = {
    # The heading that the link names does not stand in extensibility/custom-activities.md.
    ("studio/design/activity-pickers-3.7-preview", "extensibility/custom-activities#activity-metadata"),
}
"""Page and address, both below the site's base."""

Planned = tuple[str, str | None, "list[Planned]"]
"""Title, file (None for a group), entries below."""


@dataclass(frozen=True)
class Crawl:
    """Every address that links lead to, from the first page on."""

    pages: dict[str, Element]
    raw: dict[str, str]
    leads: dict[str, list[tuple[str, str]]]
    """Page -> the addresses and fragments that it names."""
    other: dict[str, int]
    """Status of what is no page."""


@pytest.fixture(scope="session")
def crawled(corpus_site: Visitor) -> Crawl:
    found = Crawl({}, {}, {}, {})
    waiting = [corpus_site.base]
    while waiting:
        path = waiting.pop()
        if path in found.pages or path in found.other:
            continue
        reply = corpus_site.get(path)
        if reply.status != 200 or not reply.headers["content-type"].startswith("text/html"):
            found.other[path] = reply.status
            if "location" in reply.headers:
                waiting.append(reply.headers["location"])
            continue
        found.raw[path], found.pages[path] = reply.text, tree(reply.text)
        found.leads[path] = [one for one in _targets(path, found.pages[path]) if "~octavo/search" not in one[0]]
        waiting += [target for target, _ in found.leads[path]]
    return found


def _targets(path: str, page: Element) -> Iterator[tuple[str, str]]:
    """Addresses on the same host that the page names, each with its fragment."""
    for element in page.walk():
        for name in ("href", "src", "data-lazy", "srcset"):
            written = element.attributes.get(name)
            if written is not None and element.attributes.get("rel") != "canonical":
                whole, fragment = urldefrag(urljoin(f"http://octavo.test{path}", written))
                parts = urlsplit(whole)
                if parts.netloc == "octavo.test":
                    yield parts.path + (f"?{parts.query}" if parts.query else ""), unquote(fragment)


def _planned(folder: Path) -> list[Planned]:
    """SUMMARY.md read line by line: what the tree has to be."""
    top: list[Planned] = []
    chain: list[tuple[int, list[Planned]]] = []
    inside = top
    for line in (folder / "SUMMARY.md").read_text("utf-8").splitlines():
        if group := re.match(r"## (.+?)\s*(<a .*)?$", line):
            inside = []
            top.append((group[1], None, inside))
            chain = []
        elif entry := re.match(r"( *)[*-] \[(.*)\]\(([^ )]+)( \".*\")?\)$", line):
            depth = len(entry[1])
            while chain and chain[-1][0] >= depth:
                chain.pop()
            below: list[Planned] = []
            title = re.sub(r"\\([\\`*_{}\[\]()#+.!&-])", r"\1", entry[2])
            (chain[-1][1] if chain else inside).append((title, entry[3], below))
            chain.append((depth, below))
    return top


def _count(planned: list[Planned]) -> int:
    return sum((path is not None) + _count(below) for _, path, below in planned)


def _titles(planned: list[Planned]) -> list[Any]:
    return [(title, _titles(below)) for title, _, below in planned]


def test_the_navigation_is_that_of_the_summary(corpus: Path, corpus_site: Visitor) -> None:
    planned = _planned(corpus)
    assert _count(planned) == 156 < WHOLE_TREE

    def titles(nested: list[Any]) -> list[Any]:
        return [(title, titles(below)) for title, _, below in nested]

    assert titles(corpus_site.nav()) == _titles(planned)


def test_the_tree_of_the_api_is_that_of_the_summary(corpus: Path, corpus_site: Visitor) -> None:
    reply = corpus_site.world.api.get(f"/v1/spaces/{corpus_site.space}/content/pages?limit=1000")

    def titles(pages: list[Any]) -> list[Any]:
        return [(page.get("linkTitle", page["title"]), titles(page.get("pages", []))) for page in pages]

    listed = [page for page in reply.json["pages"] if not page.get("hidden")]
    assert titles(listed) == _titles(_planned(corpus))


def test_every_page_of_the_summary_answers_on_the_site_and_by_the_api(corpus: Path, corpus_site: Visitor) -> None:
    """Its heading is the file's own, and the API gives the file as it was written."""

    def files(planned: list[Planned]) -> Iterator[str]:
        for _, path, below in planned:
            if path is not None:
                yield path
            yield from files(below)

    for file in files(_planned(corpus)):
        path = _address(corpus_site, file)
        source = (corpus / file).read_text("utf-8")
        heading = re.search(r"^# (.+?)\s*$", re.sub(r"(?s)\A---\n.*?\n---\n", "", source), re.MULTILINE)
        page = corpus_site.page(path)
        assert heading is not None
        assert _letters(page.one("h1").text) == _letters(heading[1]), file
        reply = corpus_site.world.api.get(f"/v1/spaces/{corpus_site.space}/content/path/{path}?format=markdown")
        assert reply.status == 200, path
        assert reply.json["markdown"] == source, path


def _address(site: Visitor, file: str) -> str:
    """Where the page of a file is: at the file's path, or where that leads when the tree leaves a folder out."""
    path = re.sub(r"(^|/)README$", "", file.removesuffix(".md"))
    reply = site.get(path)
    return path if reply.status == 200 else reply.headers["location"].removeprefix(site.base)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def test_files_that_the_summary_does_not_list_are_reached_by_their_paths_alone(
    corpus: Path, corpus_site: Visitor, crawled: Crawl
) -> None:
    everything = {path.relative_to(corpus).as_posix() for path in corpus.rglob("*.md") if ".git" not in path.parts[:-1]}
    everything = {path for path in everything if ".gitbook/" not in path and ".git/" not in path}
    listed = set(re.findall(r"\]\(([^ )]+\.md)", (corpus / "SUMMARY.md").read_text("utf-8")))
    unlisted = sorted(everything - listed - {"SUMMARY.md"})
    assert len(unlisted) == 29
    shown = {href for page in crawled.pages.values() for nav in page.all("nav", "nav") for href in _hrefs(nav)}
    for file in unlisted:
        path = re.sub(r"(^|/)README$", "", file.removesuffix(".md"))
        reply = corpus_site.get(path)
        assert reply.status == 200, file
        assert corpus_site.base + path not in shown
        assert not tree(reply.text).all("nav", "pagination")


def _hrefs(element: Element) -> set[str]:
    return {one["href"] for one in element.all("a") if "href" in one.attributes}


def test_no_link_or_picture_leads_nowhere(corpus_site: Visitor, crawled: Crawl) -> None:
    broken = set()
    ids = {path: {one.attributes.get("id") for one in page.walk()} for path, page in crawled.pages.items()}
    for path, named in crawled.leads.items():
        for target, fragment in named:
            missing = target in ids and fragment and fragment not in ids[target]
            if missing or (target not in ids and crawled.other[target] not in (200, 307)):
                leads = target.removeprefix(corpus_site.base) + (f"#{fragment}" if fragment else "")
                broken.add((path.removeprefix(corpus_site.base), leads))
    assert broken == BROKEN_IN_THE_SOURCE


def test_every_reference_of_the_sources_was_understood(crawled: Crawl) -> None:
    """A reference without a target is shown as such; the corpus has none."""
    for path, page in crawled.pages.items():
        assert not [one.text for one in page.walk() if "broken" in one.attributes.get("class", "").split()], path
        assert not page.all(class_="image-missing"), path


def test_no_tag_and_no_inline_code_is_in_any_page(crawled: Crawl) -> None:
    assert len(crawled.pages) > 156
    for path, raw in crawled.raw.items():
        assert "{%" not in raw, path
        for element in crawled.pages[path].walk():
            inline = element.tag == "script" and "src" not in element.attributes
            assert not inline or element.attributes.get("type") == "application/ld+json", path
            assert element.tag != "style", path
            assert not {name for name in element.attributes if name == "style" or name.startswith("on")}, path


def test_ids_are_unique(crawled: Crawl) -> None:
    for path, page in crawled.pages.items():
        ids = [one["id"] for one in page.walk() if "id" in one.attributes]
        assert len(ids) == len(set(ids)), (path, sorted(one for one in ids if ids.count(one) > 1))


def test_the_pages_follow_one_another_in_the_order_of_the_summary(corpus_site: Visitor) -> None:
    """From the first page by "Next" to the last, and each "Previous" leads back."""
    nav = next(one for one in corpus_site.page().one("nav", "nav").walk() if one.tag == "ul")
    order = [href for _, href, _ in _flat(entries(nav)) if href]
    met = [corpus_site.base]
    while True:
        page = corpus_site.page(met[-1])
        before = page.all("a", "previous")
        assert [one["href"] for one in before] == met[-2:-1]
        after = page.all("a", "next")
        if not after:
            break
        met.append(after[0]["href"])
    assert met == order


def _flat(nested: list[Any]) -> Iterator[Any]:
    for entry in nested:
        yield entry
        yield from _flat(entry[2])
