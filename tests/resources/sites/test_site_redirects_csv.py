"""…/sites/{site}/redirects/csv: redirects out of a file, and into one."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from octavo.kernel import limits
from octavo.wire.sites.redirects_csv import Wrong, read
from tests.client import Reply, World
from tests.resources.checks import check_json, check_refusals, check_roles
from tests.resources.sites.test_site_redirects import Redirecting

ELSEWHERE = "https://example.org/"


class Filed(Redirecting):
    """The same site, by files."""

    def take(self, *lines: str) -> Reply:
        return self.world.api.post(f"{self.all}/csv", {"csv": "\n".join(lines)})

    def file(self) -> str:
        reply = self.world.api.get(f"{self.all}/csv")
        assert (reply.status, reply.headers["content-type"]) == (200, "text/csv; charset=utf-8; header=present")
        return reply.text

    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.file())))

    def sources(self) -> list[str]:
        return [one["source"] for one in self.rows()]


@pytest.fixture
def site(world: World) -> Filed:
    return Filed(world)


def test_a_file_becomes_redirects(site: Filed) -> None:
    reply = site.take(
        "source,destination,intent,permanent,captureWildcard",
        f"/old,{ELSEWHERE}a,live,true,",
        f'/w/*,"{ELSEWHERE}b?c=1,2",,,true',
        f"/second,/{site.held[1]['path']}/,,,",
        "/home,/,,,",
        f"/later,{ELSEWHERE},draft,,",
    )
    assert reply.status == 200, reply.text
    assert [(one["status"], one["source"], one["draft"]) for one in reply.json["results"]] == [
        ("created", "/old", False), ("created", "/w/*", False), ("created", "/second", False),
        ("created", "/home", False), ("created", "/later", True),
    ]  # fmt: skip
    assert site.leads("/old") == (308, f"{ELSEWHERE}a")
    assert site.leads("/w/x") == (307, f"{ELSEWHERE}b/x?c=1,2")
    assert site.leads("/second") == (307, f"{site.base}/{site.held[1]['path']}/")
    assert site.leads("/home") == (307, f"{site.base}/")
    assert site.leads("/later")[0] == 404


def test_what_is_exported_is_what_was_imported(site: Filed) -> None:
    page = {"operation": "insert_page", "title": "Install", "document": {"markdown": "# Install"}}
    request = f"/v1/spaces/{site.spaces[1]}/change-requests/"
    request += site.world.api.post(request[:-1], {}).json["id"]
    assert site.world.api.post(f"{request}/content", {"changes": [page]}).status == 200
    site.world.api.post(f"{request}/merge")
    lines = [
        "source,destination,intent,permanent,captureWildcard",
        f"/a,{ELSEWHERE}?b=1,live,true,false",
        f"/b,/{site.held[1]['path']}/install,live,false,false",
        f"/b,{ELSEWHERE},draft,false,false",
        f"/c/*,/{site.held[1]['path']}/,live,false,true",
    ]
    assert site.take(*lines).status == 200
    assert site.file().split() == lines
    ids = {one["source"]: one["id"] for one in site.world.api.get(site.all).json["items"]}
    again = site.world.api.post(f"{site.all}/csv", {"csv": site.file()})
    assert [one["status"] for one in again.json["results"]] == ["updated"] * 4
    assert {one["source"]: one["id"] for one in site.world.api.get(site.all).json["items"]} == ids
    assert site.file().split() == lines
    # What leads nowhere any more has no destination, and an import of that takes it away.
    assert site.world.api.delete(f"/v1/spaces/{site.spaces[1]}").status == 205
    assert {one["source"]: one["destination"] for one in site.rows() if one["intent"] == "live"} == {
        "/a": f"{ELSEWHERE}?b=1", "/b": "", "/c/*": "",
    }  # fmt: skip
    assert site.world.api.post(f"{site.all}/csv", {"csv": site.file()}).status == 200
    assert site.sources() == ["/a", "/b"]


def test_lines_change_publish_and_delete(site: Filed) -> None:
    kept = site.make("/kept", {"kind": "external", "url": ELSEWHERE}, permanent=True)
    site.make("/gone", {"kind": "external", "url": ELSEWHERE})
    site.make("/draft", {"kind": "external", "url": ELSEWHERE}, draft=True)
    reply = site.take("source,destination,intent", f"/kept,{ELSEWHERE}new,", "/gone,,", "/draft,,publish")
    assert [one["status"] for one in reply.json["results"]] == ["updated", "deleted", "published"]
    assert reply.json["results"][0]["id"] == kept["id"]
    assert site.leads("/kept") == (308, f"{ELSEWHERE}new")
    assert site.leads("/draft") == (307, ELSEWHERE)
    assert site.sources() == ["/draft", "/kept"]


def test_files_as_spreadsheets_write_them(site: Filed) -> None:
    text = f"\ufeffIntent;Destination;Note;Source;Capture Wildcard\r\n;{ELSEWHERE};x;/a*;TRUE\r\n\r\n;;;;\r\n"
    assert site.world.api.post(f"{site.all}/csv", {"csv": text}).status == 200
    assert site.leads("/ab") == (307, f"{ELSEWHERE}b")
    # Without names the three columns stand in their order.
    assert site.take(f"/b,{ELSEWHERE}", f"/c,{ELSEWHERE},draft").status == 200
    assert site.sources() == ["/a*", "/b", "/c"]


def test_a_line_may_need_one_that_stands_behind_it(site: Filed) -> None:
    own = site.site["urls"]["published"]
    site.make("/a", {"kind": "external", "url": f"{own}b"})
    assert site.take(f"/b,{own}a", f"/a,{ELSEWHERE}").status == 200
    assert site.leads("/b") == (307, f"{own}a")


def test_one_wrong_line_keeps_everything_out_and_all_are_told(site: Filed) -> None:
    site.make("/kept", {"kind": "external", "url": ELSEWHERE})
    own = site.site["urls"]["published"]
    before = site.file()
    reply = site.take(
        "source,destination,intent,permanent",
        f"/good,{ELSEWHERE},,",
        "no slash,https://example.org/,,",
        "/b,javascript:alert(1),,",
        f"/c,{ELSEWHERE},soon,",
        f"/d,{ELSEWHERE},,perhaps",
        "/e,/no/such/page,,",
        f"/good,{ELSEWHERE},,",
        f"/f,{ELSEWHERE},,,,,more",
    )
    assert reply.status == 400
    for told in (
        "line 3, source: has to be a path", "line 4, destination: has to begin with", "line 5, intent: ",
        "line 6, permanent: has to be true or false", "line 7, destination: the site has no page",
        "line 8, source: line 2 has the same source", "line 9, has 7 cells",
    ):  # fmt: skip
        assert told in reply.message, reply.message
    assert "line 2," not in reply.message
    for lines, told in (
        ((f"/good,{ELSEWHERE}", "/missing,"), "line 2, the site has no redirect from '/missing'"),
        ((f"/good,{ELSEWHERE}", f"/round,{own}round"), "line 2, destination: this leads round in a circle"),
        ((f"/good,{ELSEWHERE}", "/draft,,publish"), "line 2, the site has no draft"),
        (("source,intent", "/a,live"), "line 1, the names of the columns have to say destination once"),
        (("source,destination",), "line 1, the file holds no redirect"),
        (('/a,"https://example.org/', "b"), "destination"),
    ):
        reply = site.take(*lines)
        assert (reply.status, told in reply.message) == (400, True), reply.text
    assert site.file() == before
    assert site.leads("/good")[0] == 404


def test_an_import_takes_so_many(site: Filed) -> None:
    lines = [f"/a{number},{ELSEWHERE}" for number in range(limits.REDIRECTS_BULK_MAX + 1)]
    reply = site.take(*lines)
    assert (reply.status, "line 501" in reply.message) == (400, True)
    assert site.take(*lines[:-1]).status == 200
    assert len(site.sources()) == limits.REDIRECTS_BULK_MAX
    wrong = site.take(f"/good,{ELSEWHERE}", *(f"x{number},{ELSEWHERE}" for number in range(30)))
    assert "and 10 lines more" in wrong.message


def test_numbers_of_lines_are_those_of_the_text() -> None:
    _, wrong = read('source,destination,note\n/a,https://a.test/,"two\nlines"\nb,https://a.test/,\n')
    assert [one.number for one in wrong] == [4]
    with pytest.raises(Wrong, match="no CSV"):
        read("source,destination\n/a," + "x" * 200_000)


def test_only_admins_import(site: Filed) -> None:
    body: dict[str, Any] = {"csv": f"/a,{ELSEWHERE}"}
    check_roles(site.world, "admin", "POST", f"{site.all}/csv", body, success=200)
    check_roles(site.world, "read", "GET", f"{site.all}/csv", success=200)
    check_refusals(site.world, "POST", f"{site.all}/csv", [({}, "csv"), ({"csv": ""}, "csv"), ({"csv": 5}, "csv")])
    check_json(site.world, "POST", f"{site.all}/csv")
    foreign = f"/v1/orgs/{site.world.organization}/sites/gone/redirects/csv"
    assert site.world.api.post(foreign, body).status == site.world.api.get(foreign).status == 404
