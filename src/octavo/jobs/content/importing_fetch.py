"""Fetching what an import reads: one address, an archive, a wiki's repository, or the pages of a website."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from octavo.content.importing import Origin, html, text
from octavo.content.importing import Refused as Unread
from octavo.content.importing.archive import Archive
from octavo.content.importing.confluence import Confluence
from octavo.content.importing.folders import Folders
from octavo.content.importing.model import BYTES, FILE_BYTES, PAGE_BYTES, Kind
from octavo.content.importing.notion import Notion
from octavo.content.importing.web import SITEMAPS_MAX, Crawl, Fetched, Rules, one_page, sitemap
from octavo.content.importing.wiki import Wiki
from octavo.gateways import git, web
from octavo.gateways.addresses import Guard, origin_of, parse
from octavo.gateways.failures import GatewayFailure, Refused, shown
from octavo.gateways.snapshots import Limits
from octavo.jobs.content.importing_request import Request, given

SECONDS = 90.0
"""For all that is fetched; then the import goes on with what is there."""
ONE_SECONDS = 30.0
AT_ONCE = 4
PICTURES_MAX = 200
ARCHIVE_BYTES = 128 << 20
ROBOTS_BYTES = 512 << 10
SITEMAP_BYTES = 4 << 20
_ARCHIVES: dict[str, Callable[[Archive], Origin]] = {"zip": Folders, "confluence": Confluence, "notion": Notion}
_NOTION = re.compile(r" [0-9a-f]{32}(?:_all)?\.(?:md|html|csv)$|(?:^|/)Export-[^/]*/.* [0-9a-f]{32}\.")
_CONFLUENCE = re.compile(r"(?:^|/)[^/]*_\d{4,}\.html$")
_DOCUMENT = re.compile(r"/document/(?:u/\d+/)?d/([\w-]+)(?:/.*)?")
_WIKI = re.compile(r"(/[^/]+/[^/]+?)(?:/wiki(?:/.*)?|\.wiki(?:\.git)?)")

Told = Callable[[int, int], None]
"""Hears how many pages were had, and how many are known to be there."""


class Fetcher:
    """All requests of one import: one guard, one count of bytes, one clock; a password is sent to its own host only."""

    def __init__(self, guard: Guard, url: str) -> None:
        self._guard, parsed = guard, parse(url)
        self._origin = origin_of(parsed)
        self._headers = {"authorization": web.basic(parsed)} if parsed.userinfo else {}
        self._left, self._ends = BYTES, time.monotonic() + SECONDS

    async def get(self, url: str, most: int) -> web.Fetched:
        """The answer to one request. Raises GatewayFailure, also where it is not 200."""
        seconds = min(ONE_SECONDS, self._ends - time.monotonic())
        if seconds <= 0:
            raise web.too_slow(url, SECONDS)
        limits = web.Limits(bytes=max(1, min(most, self._left)), seconds=seconds)
        headers = self._headers if origin_of(parse(url)) == self._origin else {}
        answer = await web.fetch(url, guard=self._guard, limits=limits, headers=headers)
        self._left -= len(answer.body)
        if answer.status != 200:
            raise Refused(f"{shown(url)} answered {answer.status}.")
        return answer

    async def each(self, urls: Iterable[str], most: int) -> list[tuple[str, web.Fetched | None]]:
        """What became of each address, a few at a time; None for those that could not be had."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(url: str) -> tuple[str, web.Fetched | None]:
            async with gate:
                try:
                    return url, await self.get(url, most)
                except GatewayFailure:
                    return url, None

        return list(await asyncio.gather(*map(one, urls)))


def fetched(request: Request, url: str, folder: Path, told: Told) -> Origin:
    """Fetch what is at the address; the folder takes what is read from files; `told` hears of pages, had and known.

    Raises a GatewayFailure of `gateways`, or Refused of `content.importing`.
    """
    guard = Guard(allow_private=request.allow_private, allow_hosts=frozenset(request.allowed_hosts))
    if request.source == "github-wiki":
        return _wiki(url, guard, folder)
    return asyncio.run(_origin(request.source, url, Fetcher(guard, url), told))


def uploaded(source: str, folder: Path, number: int) -> Origin:
    """One of the files that were uploaded: an archive, or a document. Raises Refused of `content.importing`."""
    file = folder / given(number)
    body = b"" if file.stat().st_size > ARCHIVE_BYTES else file.read_bytes()
    source = looks_like(body) if source == "file" else source
    most = {"docx": FILE_BYTES, "html": PAGE_BYTES, "markdown": PAGE_BYTES}.get(source, ARCHIVE_BYTES)
    if file.stat().st_size > most:
        raise Unread(f"The file has more than {most >> 20} MiB.")
    if source in ("docx", "html", "markdown"):
        kind: Kind = "docx" if source == "docx" else "html" if source == "html" else "markdown"
        return one_page("https://upload.invalid/Document", kind, body, {}, 0)
    return _unpacked(source, body)


def looks_like(body: bytes) -> str:
    """The source that a file is. Raises Refused for an archive that cannot be read."""
    if not body.startswith(b"PK"):
        return "html" if _is_markup(body) else "markdown"
    names = Archive(body, nested=True).names
    if "word/document.xml" in names:
        return "docx"
    if any(_NOTION.search(name) for name in names):
        return "notion"
    if any(_CONFLUENCE.search(name) for name in names):
        return "confluence"
    return "zip"


def _is_markup(body: bytes) -> bool:
    return body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype html", b"<html"))


def _unpacked(source: str, body: bytes) -> Origin:
    return _ARCHIVES[source](Archive(body, nested=source == "notion"))


async def _origin(source: str, url: str, fetcher: Fetcher, told: Told) -> Origin:
    match source:
        case "markdown" | "html":
            return await _page(fetcher, url, source)
        case "website":
            return await _website(fetcher, url, told)
        case "docx":
            answer = await fetcher.get(url, FILE_BYTES)
            return one_page(answer.url, "docx", answer.body, {}, 0)
        case "google-docs":
            return await _document(fetcher, url)
        case _:
            return _unpacked(source, (await fetcher.get(url, ARCHIVE_BYTES)).body)


async def _page(fetcher: Fetcher, url: str, kind: Kind) -> Origin:
    answer = await fetcher.get(url, PAGE_BYTES)
    body, claimed = _utf8(answer), _claimed(answer)
    markup = claimed in ("text/html", "application/xhtml+xml") or _is_markup(body)
    if kind == "markdown" and markup:
        raise Refused(f"{shown(url)} is a page of HTML, not Markdown; the source for it is `html`.")
    if kind == "html" and claimed and not markup and not claimed.startswith(("text/plain", "application/octet-stream")):
        raise Refused(f"{shown(url)} is {claimed}, not HTML.")
    named = html.pictures(body, answer.url) if kind == "html" else text.pictures(text.decoded(body), answer.url)
    files, lost = await _pictures(fetcher, named)
    return one_page(answer.url, kind, body, files, lost)


async def _document(fetcher: Fetcher, url: str) -> Origin:
    parts = urlsplit(str(parse(url)))
    named = _DOCUMENT.fullmatch(parts.path)
    if named is None:
        raise Refused(f"{shown(url)} is no address of a document, which has /document/d/ and an id in it.")
    exported = f"{parts.scheme}://{parts.netloc}/document/d/{named[1]}/export?format=docx"
    body = (await fetcher.get(exported, FILE_BYTES)).body
    if not body.startswith(b"PK"):
        raise Refused("The document could not be had: only what everyone with the link may read can be imported.")
    return one_page(exported.partition("/export")[0], "docx", body, {}, 0)


async def _website(fetcher: Fetcher, url: str, told: Told) -> Origin:
    first = await fetcher.get(url, PAGE_BYTES)
    if not _is_page(first):
        raise Refused(f"{shown(url)} is {_claimed(first) or 'something else'}, not a page of a website.")
    [(_, robots)] = await fetcher.each([urljoin(first.url, "/robots.txt")], ROBOTS_BYTES)
    rules = Rules("" if robots is None else robots.body.decode("utf-8", "replace"))
    if not rules.allows(first.url):
        raise Refused(f"The website does not allow {shown(url)} to be read by programs: its robots.txt says so.")
    crawl = Crawl(url, first.url, rules)
    crawl.wanted(1)
    crawl.took(first.url, first.url, _utf8(first))
    crawl.offer(await _mapped(fetcher, rules, first.url))
    while wanted := crawl.wanted(AT_ONCE):
        for asked, answer in await fetcher.each(wanted, PAGE_BYTES):
            if answer is not None and _is_page(answer):
                crawl.took(asked, answer.url, _utf8(answer))
            elif answer is not None:
                crawl.gone(asked)
        told(len(crawl.bodies), crawl.found)
    named = [picture for at, body in crawl.bodies.items() for picture in _shown(body, at)]
    files, lost = await _pictures(fetcher, named)
    return Fetched(crawl.pages(), crawl.bodies, files, lost + crawl.found - len(crawl.bodies))


async def _mapped(fetcher: Fetcher, rules: Rules, first: str) -> list[str]:
    """Pages that the sitemaps of a website name."""
    todo = rules.sitemaps() or list(dict.fromkeys([urljoin(first, "sitemap.xml"), urljoin(first, "/sitemap.xml")]))
    pages: list[str] = []
    done = 0
    while todo and done < SITEMAPS_MAX:
        done += 1
        [(_, answer)] = await fetcher.each([todo.pop(0)], SITEMAP_BYTES)
        named, further = sitemap("" if answer is None else answer.body.decode("utf-8", "replace"))
        pages += named
        todo += further
    return pages


def _shown(body: bytes, url: str) -> list[str]:
    try:
        return html.pictures(body, url)
    except (Unread, RecursionError):
        return []


async def _pictures(fetcher: Fetcher, named: list[str]) -> tuple[dict[str, bytes], int]:
    """The pictures that could be had, and how many could not."""
    urls = [url for url in dict.fromkeys(named) if url.startswith(("http://", "https://"))]
    answers = await fetcher.each(urls[:PICTURES_MAX], FILE_BYTES)
    files = {url: answer.body for url, answer in answers if answer is not None}
    return files, len(urls) - len(files)


def _wiki(url: str, guard: Guard, folder: Path) -> Origin:
    parts = urlsplit(str(parse(url)))
    named = _WIKI.fullmatch(parts.path.rstrip("/"))
    if named is None:
        raise Refused(f"{shown(url)} is no address of a wiki, which is /owner/repository/wiki.")
    base = f"{parts.scheme}://{parts.netloc}{named[1]}"
    pack = folder / "pack"
    pack.mkdir()
    limits = Limits(bytes=BYTES, files=5000, seconds=SECONDS, file_bytes=FILE_BYTES)
    # The pack is read as long as the import lasts, and goes with the process.
    snapshot = git.clone(f"{base}.wiki.git", "HEAD", pack, limits=limits, guard=guard)
    public = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{named[1]}/wiki"
    return Wiki(snapshot.paths(), snapshot.read, public)


def _claimed(answer: web.Fetched) -> str:
    return answer.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_page(answer: web.Fetched) -> bool:
    return _claimed(answer) in ("", "text/html", "application/xhtml+xml") and b"<" in answer.body


def _utf8(answer: web.Fetched) -> bytes:
    """The body in UTF-8 with a mark that says so, where its sender names another encoding."""
    named = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", answer.headers.get("content-type", ""), re.IGNORECASE)
    if named is None or answer.body.startswith(b"\xef\xbb\xbf"):
        return answer.body
    try:
        return b"\xef\xbb\xbf" + answer.body.decode(named[1]).encode()
    except (LookupError, UnicodeError):
        return answer.body
