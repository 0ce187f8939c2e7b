"""POST and GET /urls/published: what an address shows, and the token that reads it with a visitor's rights."""

from __future__ import annotations

import base64
import json
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jwt
import pytest

from octavo.content.reading import evaluated
from octavo.kernel.clock import DAY
from octavo.kernel.operation import UNLIMITED
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.contract.stage import ROWS
from tests.publish.visiting import write
from tests.resources.writing import Line

SCHEMA = {
    "type": "object",
    "properties": {
        "staff": {"type": "boolean", "description": "Works here"},
        "unsigned": {
            "type": "object",
            "description": "Unsigned claims of the site visitor.",
            "properties": {"beta": {"type": "boolean", "description": "Wants what is new"}},
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}


def look_up(world: World, url: str, token: str = "", **body: Any) -> Reply:
    return world.api.post("/v1/urls/published", {"url": url, **body}, token=token)


def read(world: World, found: dict[str, Any], path: str) -> Reply:
    return world.api.get(f"/v1/{path}", token=found["apiToken"])


def payload(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    said: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return said


def test_an_address_shows_a_site_and_what_reads_it(world: World) -> None:
    space = world.space("Guide")
    site = world.site(space["id"])
    page = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"][0]
    found = look_up(world, site["urls"]["published"] + "some/page", cacheBust="1").json
    base = f"/sites/{site['basename']}/"
    assert found | {"apiToken": ""} == {
        "organization": world.organization,
        "site": site["id"],
        "siteSpace": world.api.get(f"/v1/orgs/{world.organization}/sites/{site['id']}/site-spaces").json["items"][0][
            "id"
        ],
        "space": space["id"],
        "pathname": "some/page",
        "basePath": base,
        "siteBasePath": base,
        "canonicalUrl": site["urls"]["published"] + "some/page",
        "apiToken": "",
        "complete": True,
    }
    at = f"spaces/{space['id']}/revisions/{space['revision']}"
    for path in (
        f"orgs/{world.organization}/sites/{site['id']}/published",
        f"spaces/{space['id']}",
        at,
        f"{at}/path/{quote(page['path'], safe='')}",
        f"{at}/page/{page['id']}?format=markdown&format.markdown.refs=stable",
        f"{at}/page/{page['id']}/document?evaluated=deterministic-only&dereferenced=reusable-contents",
        f"{at}/page/{page['id']}/meta-links",
    ):
        assert read(world, found, path).status == 200, path
    searched = world.api.post(
        f"/v1/orgs/{world.organization}/sites/{site['id']}/search", {"query": "page"}, token=found["apiToken"]
    )
    assert searched.status == 200
    by_query = world.api.get(f"/v1/urls/published?url={quote(site['urls']['published'], safe='')}", token="")
    assert by_query.json["space"] == space["id"]


def test_the_token_reads_its_site_and_nothing_else(world: World) -> None:
    space, other = world.space("Guide"), world.space("Other")
    site = world.site(space["id"])
    world.site(other["id"], title="Other")
    found = look_up(world, site["urls"]["published"]).json
    assert read(world, found, f"spaces/{other['id']}").status == 404
    assert read(world, found, f"spaces/{other['id']}/revisions/{other['revision']}").status == 404
    opened = {id_ for id_, row in ROWS.items() if row.visitors or row.anyone}
    assert not [id_ for id_ in opened if ROWS[id_].writes]
    for path in (
        "user", "orgs", f"orgs/{world.organization}", f"orgs/{world.organization}/members",
        f"orgs/{world.organization}/sites", f"orgs/{world.organization}/spaces", f"spaces/{space['id']}/comments",
        f"spaces/{space['id']}/change-requests", f"orgs/{world.organization}/search?query=a",
        f"orgs/{world.organization}/sites/{site['id']}/share-links",
    ):  # fmt: skip
        assert read(world, found, path).status == 403, path
    changed = world.api.patch(f"/v1/spaces/{space['id']}", {"title": "Mine"}, token=found["apiToken"])
    assert changed.status == 403
    assert all(row.scope != UNLIMITED for id_, row in ROWS.items() if id_ in opened)


def test_the_token_is_the_same_all_day_and_ends(world: World, clock: FakeClock) -> None:
    clock.now = clock.now // DAY * DAY + 1000
    space = world.space("Guide")
    site = world.site(space["id"])
    url = site["urls"]["published"]
    first = look_up(world, url).json
    clock.advance(DAY - 2000)
    assert look_up(world, url).json["apiToken"] == first["apiToken"]
    clock.advance(1000)
    assert look_up(world, url).json["apiToken"] != first["apiToken"]
    said = payload(first["apiToken"])
    assert (said["kind"], said["site"], said["claims"]) == ("site", site["id"], {})
    assert len(first["apiToken"]) < 255
    assert read(world, first, f"spaces/{space['id']}").status == 200
    clock.now = said["exp"] * 1000
    assert read(world, first, f"spaces/{space['id']}").status == 401


def test_altered_and_foreign_tokens_are_nobody_s(world: World) -> None:
    space = world.space("Guide")
    site = world.site(space["id"])
    token = look_up(world, site["urls"]["published"]).json["apiToken"]
    said = payload(token)
    head, body, sign = token.split(".")
    forged = [
        jwt.encode(said, "another key of thirty-two characters", algorithm="HS256"),
        jwt.encode(said, "", algorithm="none"),
        f"{head}.{body}.",
        f"{head}.{body}.{sign[:-2]}AA",
        jwt.encode(said | {"kind": "user"}, "x" * 64, algorithm="HS512"),
        "eyJ.eyJ.eyJ",
    ]
    for wrong in forged:
        assert world.api.get(f"/v1/spaces/{space['id']}", token=wrong).status == 401, wrong


def test_prefixes_are_answered_alike_and_say_whether_they_are_whole(world: World) -> None:
    first, second = world.space("First"), world.space("Second")
    site = world.site(first["id"])
    sections = f"/v1/orgs/{world.organization}/sites/{site['id']}/sections"
    made = world.api.post(sections, {"spaceId": second["id"], "title": "Later"}).json
    url = site["urls"]["published"]
    whole = look_up(world, f"{url}{made['path']}/a/b").json
    assert (whole["space"], whole["siteSection"], whole["pathname"]) == (second["id"], made["id"], "a/b")
    assert whole["basePath"] == f"{whole['siteBasePath']}{made['path']}/"
    assert look_up(world, url).json["complete"] is False
    short = look_up(world, f"{url}{made['path']}").json
    assert (short["space"], short["pathname"]) == (second["id"], "")
    assert look_up(world, f"{url}nothing/like/it").json["space"] == first["id"]


def test_nobody_reads_what_is_not_published(world: World) -> None:
    space = world.space("Guide")
    site = world.site(space["id"], publish=False)
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    url = site["urls"]["preview"].split("~preview")[0]
    assert look_up(world, f"{world.house.base}/sites/{site['basename']}/").status == 404, url
    world.api.post(f"{at}/publish")
    found = look_up(world, f"{world.house.base}/sites/{site['basename']}/").json
    world.api.post(f"{at}/unpublish")
    assert read(world, found, f"spaces/{space['id']}").status == 401
    for wrong in ("https://nowhere.example.org/", f"{world.house.base}/o/x", f"{world.house.base}/sites/nothing/"):
        assert look_up(world, wrong).status == 404, wrong
    for wrong in ("", "http://[", "x" * 3000):
        assert look_up(world, wrong).status in (400, 404), wrong
    assert world.api.post("/v1/urls/published", {}, token="").status == 400


def test_share_links_let_in_as_long_as_they_are_active(world: World) -> None:
    space = world.space("Guide")
    site = world.site(space["id"], visibility="share-link")
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    link = world.api.post(f"{at}/share-links", {"name": "Partners"}).json
    base = f"{world.house.base}/sites/{site['basename']}/"
    assert look_up(world, base).status == 404
    assert look_up(world, f"{base}~share/wrong/").status == 404
    found = look_up(world, link["urls"]["published"] + "a").json
    assert found["shareKey"] in found["siteBasePath"]
    assert found["pathname"] == "a"
    assert read(world, found, f"spaces/{space['id']}").status == 200
    assert (
        read(
            world, found, f"orgs/{world.organization}/sites/{site['id']}/published?shareKey={found['shareKey']}"
        ).status
        == 200
    )
    world.api.patch(f"{at}/share-links/{link['id']}", {"active": False})
    assert read(world, found, f"spaces/{space['id']}").status == 401
    assert look_up(world, link["urls"]["published"]).status == 404


def test_visitors_show_who_they_are_and_are_out_when_the_key_is_new(world: World) -> None:
    space = world.space("Guide")
    site = world.site(space["id"], visibility="visitor-auth")
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    auth = world.api.get(f"{at}/publishing/auth").json
    url = f"{world.house.base}/sites/{site['basename']}/"
    assert look_up(world, url + "x").status == 404
    world.api.patch(f"{at}/publishing/auth", {"backend": "custom", "fallbackURL": "https://login.example.org/in?a=1"})
    sent = look_up(world, url + "x/y").json
    assert sent == {
        "target": "external",
        "redirect": "https://login.example.org/in?a=1&location=%2Fx%2Fy",
        "site": site["id"],
    }
    wrong = {"jwtToken": jwt.encode({}, "another key of thirty-two characters", algorithm="HS256")}
    assert look_up(world, url, visitor=wrong).status == 404
    assert look_up(world, url, visitor=wrong, redirectOnError=True).json["target"] == "external"
    right = {"jwtToken": jwt.encode({"exp": 9_999_999_999}, auth["privateKey"], algorithm="HS256")}
    found = look_up(world, url, visitor=right).json
    assert read(world, found, f"spaces/{space['id']}").status == 200
    assert world.api.post(f"{at}/publishing/auth/regenerate").status == 200
    assert read(world, found, f"spaces/{space['id']}").status == 401
    assert look_up(world, url, visitor=right).status == 404


@pytest.fixture
def adaptive(world: World) -> tuple[dict[str, Any], str, dict[str, str]]:
    """A site with a page and a block for staff, its space, and the pages by title."""
    space = world.space("Guide")
    text = "# Open\n\nFor all.\n\n{% if visitor.claims.staff %}\nThe heron nests.\n{% endif %}\n"
    writing = Line(world, space["id"])
    writing.insert(text)
    writing.insert("---\nif: visitor.claims.staff\n---\n\n# Closed\n\nThe tern nests.\n")
    writing.post("merge")
    site = world.site(space["id"])
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    assert world.api.put(f"{at}/adaptive-schema", {"jsonSchema": SCHEMA}).status == 200
    assert world.api.patch(at, {"adaptiveContent": {"enabled": True}}).status == 200
    pages = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"]
    return site, space["id"], {page["title"]: page["id"] for page in pages}


def test_each_visitor_is_told_what_is_for_her(
    world: World, adaptive: tuple[dict[str, Any], str, dict[str, str]]
) -> None:
    site, space, pages = adaptive
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    key = world.api.get(f"{at}/publishing/auth").json["privateKey"]
    url = site["urls"]["published"]
    anybody = look_up(world, url).json
    staff = look_up(world, url, visitor={"jwtToken": jwt.encode({"staff": True}, key, algorithm="HS256")}).json
    liar = look_up(world, url, visitor={"unsignedClaims": {"staff": True}}).json
    assert payload(staff["apiToken"])["claims"] == {"staff": True}
    assert "contextId" in staff
    assert "contextId" not in anybody
    assert liar["apiToken"] == anybody["apiToken"]
    head = world.api.get(f"/v1/spaces/{space}").json["revision"]
    revision = f"spaces/{space}/revisions/{head}"

    def everything(found: dict[str, Any]) -> str:
        texts = [read(world, found, revision).text]
        for page in pages.values():
            for word in ("document", "document?evaluated=true", "document?evaluated=deterministic-only"):
                texts.append(read(world, found, f"{revision}/page/{page}/{word}").text)
            for form in ("?format=markdown", "?format=document", "?format=markdown&format.markdown.refs=stable"):
                texts.append(read(world, found, f"{revision}/page/{page}{form}").text)
        for word in ("heron", "tern", "Closed"):
            reply = world.api.post(f"{at}/search", {"query": word}, token=found["apiToken"])
            texts.append(json.dumps([one["pages"] for one in reply.json["items"]]))
        return "\n".join(texts)

    told = everything(anybody)
    assert "For all" in told
    assert "heron" not in told
    assert "tern nests" not in told
    assert '"Closed"' not in told
    assert "heron" in everything(staff)
    assert "tern nests" in everything(staff)
    assert read(world, anybody, f"{revision}/page/{pages['Closed']}/document").status == 404


def _adapted(world: World, space: str) -> dict[str, Any]:
    site = world.site(space)
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    assert world.api.put(f"{at}/adaptive-schema", {"jsonSchema": SCHEMA}).status == 200
    assert world.api.patch(at, {"adaptiveContent": {"enabled": True}}).status == 200
    return site


def _staff(world: World, site: dict[str, Any]) -> dict[str, str]:
    auth = world.api.get(f"/v1/orgs/{world.organization}/sites/{site['id']}/publishing/auth").json
    return {"jwtToken": jwt.encode({"staff": True}, auth["privateKey"], algorithm="HS256")}


def test_what_an_expression_says_to_others_is_not_sent_along(world: World) -> None:
    space = world.space("Guide")["id"]
    writing = Line(world, space)
    writing.insert('# Open\n\nBirds: <code class="expression">visitor.claims.staff ? "heron" : "gulls"</code>.\n')
    writing.post("merge")
    site = _adapted(world, space)
    page = world.api.get(f"/v1/spaces/{space}/content/path/open").json["id"]
    head = world.api.get(f"/v1/spaces/{space}").json["revision"]

    def told(**visitor: Any) -> str:
        found = look_up(world, site["urls"]["published"], visitor=visitor).json
        forms = (
            "",
            "?evaluated=deterministic-only",
            "?format=markdown",
            "?format=markdown&format.markdown.refs=stable",
        )
        texts = [read(world, found, f"spaces/{space}/content/page/{page}{form}").text for form in forms]
        document = f"spaces/{space}/revisions/{head}/page/{page}/document"
        return " ".join([*texts, *(read(world, found, document + form).text for form in forms[:2])])

    assert told().count("gulls") == 4
    assert "heron" not in told()
    assert told(**_staff(world, site)).count("heron") == 4


def test_documents_are_decided_beside_the_loop(
    world: World, adaptive: tuple[dict[str, Any], str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, space, pages = adaptive
    threads: list[str] = []

    def noted(*given: Any, **named: Any) -> Any:
        threads.append(threading.current_thread().name)
        return evaluated(*given, **named)

    monkeypatch.setattr("octavo.resources.content.reading.evaluated", noted)
    found = look_up(world, site["urls"]["published"]).json
    head = world.api.get(f"/v1/spaces/{space}").json["revision"]
    at = f"spaces/{space}/content/page/{pages['Open']}"
    document = f"spaces/{space}/revisions/{head}/page/{pages['Open']}/document"
    asked = (f"{at}?format=document", f"{at}?format=markdown", document, f"{document}?evaluated=deterministic-only")
    assert [read(world, found, path).status for path in asked] == [200] * 4
    assert [world.api.get(f"/v1/{path}").status for path in asked] == [200] * 4
    assert len(threads) == 5
    assert all(name.startswith("octavo-beside") for name in threads)


FOLDER: dict[str, str | bytes] = {
    "README.md": "# Home\n\n[Ours](.gitbook/assets/open.txt) [both](.gitbook/assets/both.txt)\n\n"
    '{% include ".gitbook/includes/open.md" %}\n\n'
    '{% if visitor.claims.staff %}\n{% include ".gitbook/includes/block.md" %}\n{% endif %}\n',
    "closed.md": "---\nif: visitor.claims.staff\ncover: .gitbook/assets/cover.txt\n---\n\n# Closed\n\n"
    "[Theirs](.gitbook/assets/closed.txt) [both](.gitbook/assets/both.txt)\n\n"
    '{% include ".gitbook/includes/closed.md" %}\n',
    ".gitbook/includes/open.md": "For all.\n",
    ".gitbook/includes/block.md": "The heron nests.\n",
    ".gitbook/includes/closed.md": "The tern nests. [More](../assets/inner.txt)\n",
    "SUMMARY.md": "* [Home](README.md)\n* [Closed](closed.md)\n",
} | {f".gitbook/assets/{name}.txt": name for name in ("open", "both", "closed", "cover", "inner", "loose")}


def test_files_and_reusable_contents_of_closed_pages_are_not_told(world: World, tmp_path: Path) -> None:
    space = world.imported(write(tmp_path / "docs", FOLDER))
    world.work()
    site = _adapted(world, space)
    contents = world.api.get(f"/v1/spaces/{space}/content").json
    reusables = {one["title"]: one["id"] for one in contents["reusableContents"]}
    files = {one["name"]: one["id"] for one in contents["files"]}
    head = contents["id"]
    url = site["urls"]["published"]
    anybody, staff = look_up(world, url).json, look_up(world, url, visitor=_staff(world, site)).json

    def told(found: dict[str, Any]) -> tuple[set[str], set[str], set[str]]:
        """(Files, reusable contents in the revision, reusable contents that can be read)."""
        whole = read(world, found, f"spaces/{space}/content").json
        listed = read(world, found, f"spaces/{space}/content/files").json["items"]
        names = {one["name"] for one in whole["files"]}
        assert names == {one["name"] for one in listed}
        for name, id_ in files.items():
            assert (read(world, found, f"spaces/{space}/content/files/{id_}").status == 200) == (name in names), name
        at = f"spaces/{space}/revisions/{head}/reusable-contents"
        opened = {
            title
            for title, id_ in reusables.items()
            if {read(world, found, f"{at}/{id_}{more}").status for more in ("", "/document")} == {200}
        }
        return names, {one["title"] for one in whole["reusableContents"]}, opened

    everything = set(files), set(reusables), set(reusables)
    assert told(staff) == everything
    assert told(anybody) == ({"open.txt", "both.txt", "loose.txt"}, {"Open", "Block"}, {"Open"})


def test_what_visitors_say_of_themselves_has_a_limit(world: World) -> None:
    space = world.space("Guide")["id"]
    writing = Line(world, space)
    writing.insert('# Open\n\nIn <code class="expression">visitor.claims.unsigned.words</code>.\n')
    writing.post("merge")
    site = world.site(space)
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    said = {"words": {"type": "string", "description": "Any"}}
    unsigned = SCHEMA["properties"]["unsigned"] | {"properties": said}
    schema = SCHEMA | {"properties": SCHEMA["properties"] | {"unsigned": unsigned}}
    assert world.api.put(f"{at}/adaptive-schema", {"jsonSchema": schema}).status == 200
    assert world.api.patch(at, {"adaptiveContent": {"enabled": True}}).status == 200
    short = look_up(world, site["urls"]["published"], visitor={"unsignedClaims": {"words": "x" * 100}}).json
    assert payload(short["apiToken"])["claims"] == {"unsigned": {"words": "x" * 100}}
    long = look_up(world, site["urls"]["published"], visitor={"unsignedClaims": {"words": "x" * 100_000}}).json
    assert payload(long["apiToken"])["claims"] == {}


def test_a_page_with_the_path_of_its_site_space_is_found(world: World) -> None:
    space = world.space("Guide")["id"]
    writing = Line(world, space)
    writing.insert("# Guide\n\nThe heron nests.\n")
    writing.post("merge")
    site = world.site(space)
    [own] = world.api.get(f"/v1/orgs/{world.organization}/sites/{site['id']}/site-spaces").json["items"]
    found = look_up(world, site["urls"]["published"] + own["path"]).json
    assert found["pathname"] == own["path"] == "guide"
    assert look_up(world, site["urls"]["published"] + "guide/nothing").json["pathname"] == "nothing"


def test_what_was_primary_content_lately_is_read_and_drafts_are_not(world: World, clock: FakeClock) -> None:
    space = world.space("Guide")
    site = world.site(space["id"])
    writing = Line(world, space["id"])
    writing.insert("# New\n\nText.\n")
    draft = writing.get()["revision"]
    found = look_up(world, site["urls"]["published"]).json
    old = f"spaces/{space['id']}/revisions/{space['revision']}"
    assert read(world, found, f"spaces/{space['id']}/revisions/{draft}").status == 404
    writing.post("merge")
    assert read(world, found, old).status == 200
    clock.advance(2 * DAY)
    later = look_up(world, site["urls"]["published"]).json
    assert read(world, later, old).status == 404


def test_a_site_behind_a_proxy_is_found_by_both_its_addresses(world: World) -> None:
    space = world.space("Guide")
    site = world.site(space["id"])
    at = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    assert world.api.patch(at, {"proxy": f"www.{site['id'].lower().replace('_', '-')}.test/docs/v1"}).status == 200
    shown = world.api.get(at).json["proxy"]
    found = look_up(world, shown["origin"] + "/a/b").json
    assert (found["siteBasePath"], found["pathname"]) == ("/docs/v1/", "a/b")
    assert found["canonicalUrl"] == shown["origin"] + "/a/b"
    assert look_up(world, shown["target"] + "a/b").json["space"] == space["id"]


def test_lookups_have_an_allowance_of_their_own(world: World) -> None:
    site = world.site(world.space("Guide")["id"])
    reply = look_up(world, site["urls"]["published"])
    assert reply.headers["x-ratelimit-limit"] == str(world.house.settings.rate_limit_lookup)
    assert world.api.get("/v1/user", token="").headers["x-ratelimit-limit"] == str(
        world.house.settings.rate_limit_address
    )
