"""PDFs over HTTP: what is printed, who may have it printed, how long its address serves, and children that die."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import signal
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from octavo.access.signing import HOUR
from octavo.jobs.content import pdf as job
from tests.client import Reply, World
from tests.conftest import CHILDREN, FakeClock
from tests.content.typesetting import squeezed
from tests.resources.checks import call, other_organization
from tests.resources.openapi.petstore import PETS
from tests.resources.writing import Line

RICH = r"""---
description: Tall and patient.
---

# Herons

A heron, a bird: 苍鹭是一种大型涉禽。アオサギは水辺の鳥。왜가리.

## At work

{% hint style="warning" %}
Do not disturb a heron that stands.
{% endhint %}

```python
def stand(legs: int = 1) -> None: ...
```

| Bird | Height |
| --- | --- |
| Grey heron | 98 cm |

$$
E = mc^2
$$

![A heron by the water](heron.png)

See [the terns](terns.md).
"""


def png() -> bytes:
    """A picture of 40 by 30 grey points."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x99" * 40) * 30)
    header = struct.pack(">IIBBBBB", 40, 30, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def space(world: World, tmp_path: Path) -> str:
    """A space of three pages and a group, one of them with everything, another below it."""
    summary = (
        "# Table of contents\n\n* [Birds](README.md)\n  * [Herons](herons.md)\n\n## Coast\n\n* [Terns](terns.md)\n"
    )
    texts = {
        "SUMMARY.md": summary,
        "README.md": "# Birds\n\nAll that fly.\n",
        "herons.md": RICH,
        "terns.md": "# Terns\n\nThey dive.\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "heron.png").write_bytes(png())
    return world.imported(tmp_path, title="Handbook of birds")


def _ids(world: World, base: str) -> dict[str, str]:
    """Title -> id of every page."""

    def walked(pages: list[Any]) -> Iterator[Any]:
        for one in pages:
            yield one
            yield from walked(one.get("pages", []))

    return {one["title"]: one["id"] for one in walked(world.api.get(f"{base}/content/pages").json["pages"])}


def _opened(world: World, reply: Reply) -> PdfReader:
    """The PDF at the address of an answer, fetched without a token."""
    assert reply.status == 200, reply.text
    assert set(reply.json) == {"url"}
    file = world.api.get(_path(reply), token="")
    assert file.status == 200, file.text
    assert file.headers["content-type"] == "application/pdf"
    return PdfReader(io.BytesIO(file.body))


def _path(reply: Reply) -> str:
    url: str = reply.json["url"]
    assert url.startswith("http://octavo.test/files/")
    return url.removeprefix("http://octavo.test")


def _printed(world: World, path: str) -> PdfReader:
    return _opened(world, world.awaited("GET", path))


def _said(reader: PdfReader) -> str:
    return squeezed("".join(page.extract_text() for page in reader.pages))


def _outline(reader: PdfReader) -> list[Any]:
    """Titles, in lists that stand for levels."""

    def titles(entries: list[Any]) -> list[Any]:
        return [titles(one) if isinstance(one, list) else one.title for one in entries]

    return titles(reader.outline)


def _images(reader: PdfReader) -> int:
    return sum(len(page.images) for page in reader.pages)


def test_the_whole_of_a_space(world: World, space: str) -> None:
    pdf = _printed(world, f"/v1/spaces/{space}/pdf")
    assert pdf.metadata is not None
    assert pdf.metadata.title == "Handbook of birds"
    cover, contents, *sheets = (squeezed(page.extract_text()) for page in pdf.pages)
    assert "Handbookofbirds" in cover
    assert "Testorganization" in cover
    # The words of the table of contents, each with the number of its page.
    assert re.search(r"Birds[.\s]*3.*Herons[.\s]*4.*Coast.*Terns[.\s]*[56]", contents)
    assert _outline(pdf) == ["Birds", ["Herons", ["At work"]], "Coast", ["Terns"]]
    said = "".join(sheets)
    for words in (
        "Allthatfly.", "Tallandpatient.", "苍鹭是一种大型涉禽。", "アオサギは水辺の鳥。", "왜가리", "Donotdisturbaheron",
        "defstand(legs:int=1)->None:...", "Greyheron", "98cm", "𝐸=𝑚𝑐", "Theydive.",
    ):  # fmt: skip
        assert words in said, words
    assert _images(pdf) == 1
    # A link to a page of the book leads within the book.
    assert not [a for page in pdf.pages for a in page.get("/Annots", []) if "/URI" in a.get_object().get("/A", {})]


def test_one_page_and_what_is_below_it(world: World, space: str) -> None:
    base = f"/v1/spaces/{space}"
    ids = _ids(world, base)
    alone = _printed(world, f"{base}/pdf?page={ids['Birds']}&only=true")
    assert len(alone.pages) == 1
    assert "Allthatfly." in _said(alone)
    below = _said(_printed(world, f"{base}/pdf?page={ids['Birds']}"))
    assert "Allthatfly." in below
    assert "Donotdisturb" in below
    assert "Theydive." not in below
    group = _said(_printed(world, f"{base}/pdf?page={ids['Coast']}"))
    assert "Theydive." in group
    assert "Allthatfly." not in group


def test_links_lead_to_the_published_site_where_the_pdf_ends(world: World, space: str) -> None:
    site = world.site(space)["urls"]["published"]
    page = _ids(world, f"/v1/spaces/{space}")["Herons"]
    pdf = _printed(world, f"/v1/spaces/{space}/pdf?page={page}&only=true")
    links = [one.get_object()["/A"]["/URI"] for sheet in pdf.pages for one in sheet.get("/Annots", [])]
    assert links == [f"{site.rstrip('/')}/coast/terns"] * len(links)
    assert links


def test_a_change_request_is_printed_as_it_proposes(world: World, space: str) -> None:
    line = Line(world, space, "Storks too")
    line.insert("# Storks\n\nThey clatter.")
    proposed = _printed(world, f"{line.path}/pdf")
    assert "Theyclatter." in _said(proposed)
    assert f"#{line.request['number']}Storkstoo" in squeezed(proposed.pages[0].extract_text())
    # Printed already: the same by its id.
    assert "Theyclatter." in _said(
        _opened(world, world.api.get(f"{line.base}/change-requests/{line.request['id']}/pdf"))
    )
    assert "Theyclatter." not in _said(_printed(world, f"{line.base}/pdf"))


def test_who_may_have_it_printed(world: World, space: str) -> None:
    line = Line(world, space)
    for path in (f"{line.base}/pdf", f"{line.path}/pdf"):
        assert call(world, "", "GET", path).status == 401
        assert call(world, "octavo_nonsense", "GET", path).status == 401
        assert call(world, world.person(None), "GET", path).status == 404
        abroad = world.person("admin", other_organization(world)["id"])
        assert call(world, abroad, "GET", path).status == 404
        guest = world.person("guest")
        assert call(world, guest, "GET", path).status == 404
        assert world.awaited("GET", path).status == 200
        assert call(world, guest, "GET", path).status == 404
        world.grant(guest, "space", space, "read")
        assert call(world, guest, "GET", path).status == 200
        assert call(world, world.person("read"), "GET", path).status == 200


def test_what_cannot_be_printed(world: World, space: str) -> None:
    line = Line(world, space)
    coast = _ids(world, line.base)["Coast"]
    for base in (line.base, line.path):
        for query, status, word in (
            ("page=nonsense", 404, "page"),
            ("page=nonsense&only=true", 404, "page"),
            ("only=true", 400, "only"),
            (f"page={coast}&only=true", 400, "page"),
            ("only=perhaps", 400, "only"),
        ):
            reply = world.api.get(f"{base}/pdf?{query}")
            assert reply.status == status, (query, reply.text)
            assert word in reply.message
    assert world.api.get("/v1/spaces/nonsense/pdf").status == 404
    assert world.api.get(f"{line.base}/change-requests/999/pdf").status == 404
    assert world.api.post(f"{line.base}/pdf").status == 405


def test_the_address_serves_for_an_hour(world: World, space: str, clock: FakeClock) -> None:
    path = _path(world.awaited("GET", f"/v1/spaces/{space}/pdf"))
    token = path.split("/")[2]
    assert path.endswith("/Handbook%20of%20birds.pdf")
    assert (world.api.token or "") not in path
    file = world.api.get(path, token="")
    assert file.headers["cache-control"] == "private, no-store"
    assert file.headers["content-disposition"].startswith("attachment; filename*=UTF-8''Handbook%20of%20birds.pdf")
    # In the middle: the last character carries bits that mean nothing.
    half = len(token) // 2
    other = token[:half] + ("A" if token[half] != "A" else "B") + token[half + 1 :]
    for wrong in (other, token[1:], token[:-8], "~", token + "x"):
        assert world.api.get(path.replace(token, wrong), token="").status == 404
    clock.advance(HOUR - 1)
    assert world.api.get(path, token="").status == 200
    clock.advance(1)
    late = world.api.get(path, token="")
    assert late.status == 404
    assert "expired" in late.text
    # Another address for what is there already.
    fresh = _path(world.api.get(f"/v1/spaces/{space}/pdf"))
    assert fresh != path
    assert world.api.get(fresh, token="").status == 200


def test_the_same_content_is_printed_once(world: World, space: str) -> None:
    path = f"/v1/spaces/{space}/pdf"
    first = world.api.get(_path(world.awaited("GET", path)), token="").body
    # Nobody works now: there is nothing to wait for.
    reply = world.api.get(path)
    assert reply.status == 200
    assert world.api.get(_path(reply), token="").body == first
    line = Line(world, space)
    line.text(_ids(world, line.base)["Terns"], "# Terns\n\nThey hover.\n")
    line.post("merge")
    assert "Theyhover." in _said(_printed(world, path))


def _children() -> list[int]:
    """Processes that set a PDF for this one."""
    tasks = Path("/proc/self/task").iterdir()
    found = [int(one) for task in tasks for one in (task / "children").read_text().split()]
    return [one for one in found if b"octavo.jobs.content.pdf_child" in _command(one)]


def _command(process: int) -> list[bytes]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    return []


async def _killing(world: World, path: str) -> Reply:
    """A request whose child process is killed as soon as there is one."""
    worker = asyncio.ensure_future(world.house.worker.run())
    asked = asyncio.ensure_future(world.api.send("GET", path))
    try:
        while not (children := _children()):
            assert not asked.done()
            await asyncio.sleep(0.001)
        for child in children:
            os.kill(child, signal.SIGKILL)
        return await asked
    finally:
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await worker


def test_a_child_that_is_killed_is_nobody_s_mistake(world: World, space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CHILDREN, "warm", False)  # it is found by its command
    path = f"/v1/spaces/{space}/pdf"
    reply = world.run(_killing(world, path))
    assert reply.status == 503
    assert "try again" in reply.message
    assert not _children()
    # Nothing of it was kept: it is printed when it is asked for again.
    assert "Theydive." in _said(_printed(world, path))


@pytest.mark.parametrize("limit", [24 << 20, 100 << 20])
def test_a_child_may_take_so_much_memory(world: World, space: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/v1/spaces/{space}/pdf"
    monkeypatch.setattr(job, "SETTING", replace(job.SETTING, memory=limit))
    reply = world.awaited("GET", path)
    assert reply.status == 503
    assert "memory" in reply.message
    monkeypatch.undo()
    assert world.awaited("GET", path).status == 200


def test_a_child_may_take_so_much_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space = world.space(empty=True)["id"]
    line = Line(world, space)
    line.insert("# Long\n\n" + "| a | b |\n| --- | --- |\n" + "| *one* | `two` |\n" * 6_000)
    monkeypatch.setattr(job, "SETTING", replace(job.SETTING, computing=1))
    reply = world.awaited("GET", f"{line.path}/pdf")
    assert reply.status == 503
    assert "time" in reply.message


def test_more_pages_than_one_pdf_holds(world: World, space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "PAGES", 2)
    reply = world.awaited("GET", f"/v1/spaces/{space}/pdf")
    assert reply.status == 400
    assert "at most 2 pages" in reply.message


def test_progress_is_told_and_begins_nothing(world: World, space: str) -> None:
    at = f"/v1/spaces/{space}/pdf/progress"
    assert world.api.get(at).json == {"state": "absent"}

    async def asked() -> tuple[Reply, Reply]:
        waiting = asyncio.ensure_future(world.api.send("GET", f"/v1/spaces/{space}/pdf"))
        while (told := await world.api.send("GET", at)).json["state"] == "absent":
            await asyncio.sleep(0)
        await world.house.worker.drain()
        return told, await waiting

    told, made = world.run(asked())
    assert told.json["state"] == "waiting"
    assert told.json["job"]
    assert made.status == 200
    assert world.api.get(at).json == {"state": "ready"}
    assert world.api.get(f"{at}?page=absent").status == 404
    assert world.api.get(at, token=world.person(None)).status == 404


SUMMARY = """\
* [Home](README.md)
* ```yaml
  type: builtin:openapi
  title: Pets API
  props:
    grouping: by-operation
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  ```
"""


def test_references_of_apis_are_printed(world: World, tmp_path: Path) -> None:
    """Pages that are made of a description, and blocks of other pages; another version makes another PDF."""
    block = '{% openapi-operation spec="pets" path="/pets" method="post" %}\n{% endopenapi-operation %}\n'
    (tmp_path / "README.md").write_text(f"# Home\n\n{block}")
    (tmp_path / "SUMMARY.md").write_text(SUMMARY)
    base = f"/v1/spaces/{world.imported(tmp_path)}"
    spec = f"/v1/orgs/{world.organization}/openapi/pets"
    assert world.api.put(spec, {"source": {"text": PETS}}).status == 200
    world.work()
    pdf = _printed(world, f"{base}/pdf")
    said = _said(pdf)
    for words in ("List pets", "GET", "/pets/{pet}", "limit", "POST"):
        assert squeezed(words) in said, words
    first = _path(world.api.get(f"{base}/pdf"))
    assert world.api.put(spec, {"source": {"text": PETS.replace("List pets", "List zeppelins")}}).status == 200
    world.work()
    second = world.awaited("GET", f"{base}/pdf")
    assert _path(second) != first
    assert "zeppelins" in _said(_opened(world, second))
