"""PDFs for readers: asked for on a page, waited for, opened; of what they may see, and as long as they may."""

from __future__ import annotations

import io
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from pypdf import PdfReader

from octavo.jobs.content import pdf as job
from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.content.typesetting import squeezed
from tests.publish.browsing import Browser, Guarded
from tests.publish.visiting import Element, Visitor, tree, visit, write
from tests.resources.writing import Line

FILES = {
    "SUMMARY.md": "* [Home](README.md)\n* [Ducks](ducks.md)\n  * [Teal](teal.md)\n* [Closed](closed.md)\n",
    "README.md": "# Home\n\nThe medlar.\n",
    "ducks.md": '# Ducks\n\nThe quince.\n\n{% if visitor.claims.plan == "pro" %}\nThe damson.\n{% endif %}\n',
    "teal.md": "# Teal\n\nThe sorb.\n",
    "closed.md": '---\nif: visitor.claims.plan == "pro"\n---\n\n# Closed\n\nThe cornel.\n',
}
FORM = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    return visit(world, write(tmp_path, FILES), title="Pond")


def _action(page: Element) -> str:
    return next(one["href"] for one in page.one("div", "actions").all("a") if one.text == "Save as PDF")


def _ask(site: Visitor, action: str, part: str = "page", **headers: str) -> Reply:
    return site.client.post(action, body=urlencode({"of": part}).encode(), headers=FORM | headers)


def _printed(site: Visitor, action: str, part: str, **headers: str) -> str:
    """The words of the PDF that somebody comes to."""
    reply = _ask(site, action, part, **headers)
    assert reply.status == 303, reply.text
    site.world.work()
    reply = site.get(reply.headers["location"], headers=headers)
    assert reply.status == 303, reply.text[:300]
    file = site.get(reply.headers["location"], headers=headers)
    assert (file.status, file.headers["content-type"]) == (200, "application/pdf")
    return squeezed(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(file.body)).pages))


def test_asking_waiting_and_opening(site: Visitor) -> None:
    action = _action(site.page("ducks"))
    asks = site.page(action)
    assert [one["value"] for one in asks.one("form", "pdf-form").all("button")] == ["page", "below", "all"]
    reply = _ask(site, action, "below")
    assert reply.status == 303
    waits = site.get(reply.headers["location"])
    assert (waits.status, waits.headers["refresh"], waits.headers["cache-control"]) == (200, "2", "no-store")
    assert "Your PDF is being made" in waits.text
    # Asking again waits for the same one.
    assert _ask(site, action, "below").headers["location"] == reply.headers["location"]
    site.world.work()
    ready = site.get(reply.headers["location"])
    assert ready.status == 303
    file = site.get(ready.headers["location"])
    assert "sandbox" not in file.headers["content-security-policy"]
    assert file.headers["x-robots-tag"] == "noindex"
    words = squeezed(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(file.body)).pages))
    assert "quince" in words
    assert "sorb" in words
    assert not {"medlar", "damson", "cornel"} & {one for one in ("medlar", "damson", "cornel") if one in words}
    # The next one who asks has it at once.
    assert _ask(site, action, "below").headers["location"] == ready.headers["location"]
    part = site.client.get(ready.headers["location"], headers={"range": "bytes=0-3"})
    assert (part.status, part.body) == (206, b"%PDF")


def test_the_address_of_a_pdf_ends_with_its_content(site: Visitor) -> None:
    action = _action(site.page("ducks/teal"))
    _printed(site, action, "page")
    old = site.get(_ask(site, action).headers["location"])
    address = _ask(site, action).headers["location"]
    assert old.status == 200
    line = Line(site.world, site.space)
    line.insert("# New\n")
    assert site.world.api.post(f"{line.path}/merge").status == 200
    moved = site.get(address)
    assert (moved.status, moved.headers["location"]) == (307, action)


def test_somebody_s_pdf_holds_what_she_sees(world: World, tmp_path: Path) -> None:
    made = Guarded(world, world.site(world.imported(write(tmp_path, FILES)), title="Pond"))
    made.adapt()
    site = Visitor(world, "", made.site)
    action = _action(site.page("ducks"))
    browser = made.browser()
    browser.open(f"{made.base}?jwt_token={made.token(plan='pro')}")
    cookie = _cookies(browser)
    theirs = _printed(site, action, "all", cookie=cookie)
    assert all(word in theirs for word in ("quince", "damson", "cornel"))
    plain = _printed(site, action, "all")
    assert "quince" in plain
    assert not [word for word in ("damson", "cornel") if word in plain]
    own = _ask(site, action, "all", cookie=cookie).headers["location"]
    assert own != _ask(site, action, "all").headers["location"]
    # Their address gives nothing to others, and neither does the page's.
    assert site.get(own).status == 307
    closed = _action(tree(browser.open(f"{made.base}closed").text))
    assert site.get(closed).status == _ask(site, closed).status == 404
    made.change(visibility="share-link")
    assert site.get(action).status == site.get(own).status == 404


def _cookies(browser: Browser) -> str:
    return "; ".join(f"{name}={value}" for (_, _, name), value in browser.jar.items())


def test_what_is_wrong_is_said(site: Visitor) -> None:
    action = _action(site.page("ducks"))
    assert _ask(site, action, "book").status == site.get(f"{action}?of=book").status == 400
    assert _ask(site, f"{site.base}~octavo/pdf/absent").status == 404
    elsewhere = FORM | {"sec-fetch-site": "cross-site"}
    assert site.client.post(action, body=b"of=page", headers=elsewhere).status == 403
    assert site.client.post(action, {"of": "page"}, headers={"sec-fetch-site": "same-origin"}).status == 415
    # What was never asked for, or a job that is none of theirs, is asked for.
    for query in ("?of=all", "?of=all&job=absent"):
        assert site.page(action + query).all("form", "pdf-form")
    at = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}/customization"
    assert site.world.api.put(at, {"pageActions": {"items": ["markdown"]}}).status == 200
    assert site.get(action).status == _ask(site, action).status == 404


def test_one_that_comes_to_nothing_says_why(site: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "PAGES", 1)
    reply = _ask(site, _action(site.page("ducks")), "all")
    site.world.work()
    page = site.page(reply.headers["location"])
    assert page.one("h1").text == "The PDF could not be made"
    assert "at most 1 pages" in page.text
    assert page.all("form", "pdf-form")


def test_an_address_asks_for_so_many_in_an_hour(
    site: Visitor, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PDFS_OF_ADDRESS", 2)
    actions = [_action(site.page(path)) for path in ("", "ducks", "ducks/teal")]
    assert [_ask(site, action).status for action in actions] == [303, 303, 429]
    # What is made already, or being made, costs nothing.
    assert _ask(site, actions[0]).status == 303
    clock.advance(HOUR)
    assert _ask(site, actions[2]).status == 303


def test_links_out_of_a_pdf_lead_to_pages_whatever_a_site_space_begins_with(world: World, tmp_path: Path) -> None:
    teal = {"teal.md": "# Teal\n\n[First](README.md) and [second](ducks.md).\n"}
    site = visit(world, write(tmp_path, FILES | teal), title="Pond")
    pages = {one["title"]: one["id"] for one in world.api.get(f"/v1/spaces/{site.space}/content/pages").json["pages"]}
    at = f"/v1/orgs/{world.organization}/sites/{site.site['id']}/site-spaces"
    [held] = world.api.get(at).json["items"]
    assert world.api.patch(f"{at}/{held['id']}", {"pageId": pages["Ducks"]}).status == 200
    where = {entry[0]: entry[1] for entry in site.nav("ducks/teal")}
    reply = _ask(site, _action(site.page("ducks/teal")))
    world.work()
    file = site.get(site.get(reply.headers["location"]).headers["location"])
    [page] = PdfReader(io.BytesIO(file.body)).pages
    uris = [one.get_object()["/A"]["/URI"] for one in page["/Annots"]]  # type: ignore[attr-defined]
    assert {"Home", "Ducks"} <= where.keys()
    assert [urlsplit(uri).path for uri in uris if site.base in uri] == [where["Home"], where["Ducks"]]
