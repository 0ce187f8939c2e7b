"""Readers rate pages: without a script, a cookie or an account, once each, as long as they see the page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from octavo.kernel.events import Event, PageRated
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.publish.browsing import Guarded
from tests.publish.visiting import Visitor, tree, visit, write
from tests.resources.checks import other_organization

FILES = {
    "SUMMARY.md": "* [Home](README.md)\n* [Ducks](ducks.md)\n* [Closed](closed.md)\n",
    "README.md": "# Home\n",
    "ducks.md": "# Ducks\n",
    "closed.md": '---\nif: visitor.claims.plan == "pro"\n---\n\n# Closed\n',
}
FORM = {"content-type": "application/x-www-form-urlencoded"}


class Rated(Visitor):
    """A site that asks its readers."""

    @property
    def api(self) -> str:
        return f"/v1/orgs/{self.world.organization}/sites/{self.site['id']}"

    def ask(self, enabled: bool = True) -> None:
        assert self.world.api.put(f"{self.api}/customization", {"feedback": {"enabled": enabled}}).status == 200

    def action(self, path: str = "ducks") -> str:
        return self.page(path).one("section", "feedback").one("form")["action"]

    def send(self, action: str, *, agent: str = "a", address: str = "203.0.113.1", **fields: str) -> Reply:
        headers = FORM | {"user-agent": agent, "sec-fetch-site": "same-origin"}
        return self.client.post(action, body=urlencode(fields).encode(), headers=headers, address=address)

    def told(self, more: str = "") -> list[dict[str, Any]]:
        reply = self.world.api.get(f"{self.api}/feedback{more}")
        assert reply.status == 200, reply.text
        items: list[dict[str, Any]] = reply.json["items"]
        assert reply.json["count"] >= len(items)
        return items


@pytest.fixture
def site(world: World, tmp_path: Path) -> Rated:
    made = visit(world, write(tmp_path, FILES), title="Pond")
    rated = Rated(world, made.space, made.site)
    rated.ask()
    return rated


def test_pages_ask_where_the_site_wants_it(site: Rated) -> None:
    box = site.page("ducks").one("section", "feedback")
    assert [one["value"] for one in box.all("button")] == ["bad", "ok", "good"]
    assert all(one["aria-label"] for one in box.all("button"))
    assert box.one("form")["method"] == "post"
    action = site.action()
    site.ask(False)
    assert not site.page("ducks").all("section", "feedback")
    assert site.send(action, rating="good").status == 404
    assert site.told() == []


def test_a_rating_thanks_asks_for_words_and_is_told(site: Rated) -> None:
    action = site.action()
    reply = site.send(action, rating="bad")
    assert (reply.status, reply.headers["location"]) == (303, f"{action}?rating=bad")
    assert "set-cookie" not in reply.headers
    thanks = site.page(reply.headers["location"])
    assert "Thank you!" in thanks.one("section", "feedback").text
    assert thanks.one("button", value="bad", aria_pressed="true")
    assert thanks.one("textarea")["maxlength"] == "512"
    assert [one for one in thanks.all("a") if one["href"] == f"{site.base}ducks"]
    reply = site.send(action, rating="bad", comment=" Too short.\r\nWhy? ")
    sent = site.page(reply.headers["location"])
    assert not sent.all("textarea")
    [said] = site.told()
    assert said == {
        "object": "page-feedback", "id": said["id"], "rating": "bad", "comment": "Too short.\nWhy?",
        "createdAt": said["createdAt"], "space": site.space,
        "page": {"id": action.rpartition("/")[2], "title": "Ducks", "path": "ducks",
                 "urls": {"published": f"{site.site['urls']['published']}ducks"}},
    }  # fmt: skip


def test_what_is_said_leads_where_the_site_shows_the_page(site: Rated) -> None:
    for path in ("", "ducks"):
        site.send(site.action(path), rating="ok")
    ids = {one["page"]["path"]: one["page"]["id"] for one in site.told()}
    [held] = site.world.api.get(f"{site.api}/site-spaces").json["items"]
    at = f"{site.api}/site-spaces/{held['id']}"
    root = site.site["urls"]["published"]
    for first, shown in (
        (None, {"readme": root, "ducks": f"{root}ducks"}),
        ("ducks", {"readme": f"{root}readme", "ducks": root}),
    ):
        page = None if first is None else ids[first]
        assert site.world.api.patch(at, {"pageId": page}).status == 200
        assert {one["page"]["path"]: one["page"]["urls"]["published"] for one in site.told()} == shown


def test_the_thanks_speak_the_language_of_the_interface(site: Rated) -> None:
    look = {"feedback": {"enabled": True}, "internationalization": {"locale": "de"}}
    assert site.world.api.put(f"{site.api}/customization", look).status == 200
    action = site.action()
    assert "War diese Seite hilfreich?" in site.page("ducks").text
    assert "Danke!" in site.page(site.send(action, rating="ok").headers["location"]).text


def test_one_word_of_each_visitor_counts_and_it_may_change(site: Rated, clock: FakeClock) -> None:
    action = site.action()
    site.send(action, rating="bad", comment="Hm.")
    first = site.told()[0]
    clock.advance(HOUR)
    site.send(action, rating="good")
    [changed] = site.told()
    assert (changed["id"], changed["rating"], changed["comment"]) == (first["id"], "good", "Hm.")
    assert changed["createdAt"] > first["createdAt"]
    site.send(action, rating="ok", agent="b")
    site.send(action, rating="ok", address="203.0.113.2")
    assert sorted(one["rating"] for one in site.told()) == ["good", "ok", "ok"]
    # The rest of an address of IPv6 changes every day.
    site.send(action, rating="bad", address="2001:db8::1")
    site.send(action, rating="good", address="2001:db8::2")
    assert len(site.told()) == 4


def test_two_at_once_are_one(site: Rated) -> None:
    action, client = site.action(), site.client
    headers = FORM | {"sec-fetch-site": "same-origin"}

    async def both() -> list[Reply]:
        sent = (client.send("POST", action, body=b"rating=" + word, headers=headers) for word in (b"ok", b"good"))
        return await asyncio.gather(*sent)

    assert [one.status for one in site.world.run(both())] == [303, 303]
    assert len(site.told()) == 1


def test_what_is_no_rating_is_refused_with_a_sentence(site: Rated) -> None:
    action = site.action()
    for fields, words in (
        ({}, "rating"),
        ({"rating": "great"}, "rating"),
        ({"rating": "ok", "comment": "x" * 513}, "513"),
    ):
        reply = site.send(action, **fields)
        assert reply.status == 400, reply.text
        assert words in reply.text
    headers = {"sec-fetch-site": "same-origin"}
    assert site.client.post(action, {"rating": "ok"}, headers=headers).status == 415
    assert site.client.post(action, body=b"rating=ok&comment=%ff", headers=FORM | headers).status == 400
    assert site.client.post(action, body=b"x" * 20_000, headers=FORM | headers).status == 413
    assert site.client.request("PUT", action, body=b"rating=ok", headers=FORM).status == 405
    assert site.client.post(f"{site.base}ducks", body=b"rating=ok", headers=FORM).status == 405
    assert site.send(f"{site.base}~octavo/feedback/absent", rating="ok").status == 404
    assert site.told() == []
    assert site.send(action, rating="ok", comment="🦆" * 512).status == 303
    assert len(site.told()[0]["comment"]) == 512


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({"origin": "https://elsewhere.test"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://octavo.test"}, 303),
        ({"origin": "https://elsewhere.test", "sec-fetch-site": "same-origin"}, 303),
    ],
    ids=str,
)
def test_forms_of_other_sites_say_nothing(site: Rated, headers: dict[str, str], status: int) -> None:
    reply = site.client.post(site.action(), body=b"rating=ok", headers=FORM | headers)
    assert reply.status == status
    assert len(site.told()) == (status == 303)


def test_an_address_is_heard_so_often_in_an_hour(
    site: Rated, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FEEDBACK_OF_ADDRESS", 3)
    action = site.action()
    said = [site.send(action, rating="ok", agent=str(number)).status for number in range(5)]
    assert said == [303, 303, 303, 429, 429]
    assert len(site.told()) == 3
    assert site.send(action, rating="ok", address="203.0.113.9").status == 303
    clock.advance(HOUR)
    assert site.send(action, rating="bad", agent="x").status == 303


def test_only_who_sees_a_page_may_rate_it(world: World, tmp_path: Path) -> None:
    site = Guarded(world, world.site(world.imported(write(tmp_path, FILES)), title="Pond"))
    site.adapt()
    assert world.api.put(f"{site.api}/customization", {"feedback": {"enabled": True}}).status == 200
    pro, other = site.browser(), site.browser()
    page = tree(pro.open(f"{site.base}closed?jwt_token={site.token(plan='pro')}").text)
    action = page.one("section", "feedback").one("form")["action"]
    own = FORM | {"sec-fetch-site": "same-origin"}
    cookies = {"cookie": "; ".join(f"{name}={value}" for (_, _, name), value in pro.jar.items())}
    client = Visitor(world, "", site.site).client
    assert client.post(action, body=b"rating=ok", headers=own).status == 404
    assert other.get(action).status == 404
    assert client.post(action, body=b"rating=ok", headers=own | cookies).status == 303
    # A closed site's pages name no origin.
    site.change(visibility="share-link")
    shared = site.browser()
    shared.open(site.link()["urls"]["published"].partition("octavo.test")[2])
    action = tree(shared.open(site.base).text).one("section", "feedback").one("form")["action"]
    cookies = {"cookie": "; ".join(f"{name}={value}" for (_, _, name), value in shared.jar.items())}
    assert client.post(action, body=b"rating=ok", headers=FORM | {"origin": "null"}).status == 404
    assert client.post(action, body=b"rating=ok", headers=FORM | {"origin": "null"} | cookies).status == 303


def test_previews_do_not_ask(site: Rated) -> None:
    preview = site.world.api.get(f"{site.api}/publishing/preview").json["url"].partition("octavo.test")[2]
    assert site.page(f"{preview}ducks").one("h1").text == "Ducks"
    assert not site.page(f"{preview}ducks").all("section", "feedback")
    action = site.action().removeprefix(site.base)
    assert site.send(preview + action, rating="ok").status == 404


def test_what_was_said_is_an_event(site: Rated, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Event] = []
    store = site.world.house.store
    reactions = store._reactions
    monkeypatch.setattr(store, "_reactions", lambda event: (seen.append(event), reactions(event))[1])
    action = site.action()
    for fields in ({"rating": "ok"}, {"rating": "ok"}, {"rating": "ok", "comment": "Fine."}):
        site.send(action, **fields)
    told = [one for one in seen if isinstance(one, PageRated)]
    assert [(one.rating, one.comment) for one in told] == [("ok", None), ("ok", "Fine.")]
    assert {one.url for one in told} == {f"{site.site['urls']['published']}ducks"}
    assert {one.page for one in told} == {action.rpartition("/")[2]}
    [(name, again)] = {(one.visitor, told[1].visitor) for one in told[:1]}
    assert name == again
    assert "203.0.113" not in name


def test_lists_are_filtered_counted_and_paged(site: Rated, clock: FakeClock) -> None:
    ducks, home = site.action(), site.action("")
    for number in range(5):
        clock.advance(1000)
        words = {"comment": f"Word {number}"} if number % 2 else {}
        site.send(ducks, rating="bad" if number else "good", agent=str(number), **words)
    site.send(home, rating="ok")
    page = ducks.rpartition("/")[2]
    assert [one.get("comment") for one in site.told("?rating=bad")] == [None, "Word 3", None, "Word 1"]
    assert len(site.told(f"?pageId={page}")) == 5
    assert len(site.told("?commented=true")) == 2
    assert len(site.told(f"?spaceId={site.space}")) == 6
    assert site.told("?spaceId=other") == []
    empty = site.world.api.get(f"{site.api}/feedback?rating=bad&limit=0").json
    assert (empty["items"], empty["count"]) == ([], 4)
    first = site.world.api.get(f"{site.api}/feedback?limit=4").json
    rest = site.world.api.get(f"{site.api}/feedback?limit=4&page={first['next']['page']}").json
    assert len(first["items"] + rest["items"]) == len({one["id"] for one in first["items"] + rest["items"]}) == 6
    assert "next" not in rest
    numbers = site.world.api.get(f"{site.api}/feedback/pages").json
    assert [(one["page"]["title"], one["good"], one["ok"], one["bad"], one["comments"]) for one in numbers["items"]] == [
        ("Ducks", 1, 0, 4, 2), ("Home", 0, 1, 0, 0),
    ]  # fmt: skip
    cut = site.world.api.get(f"{site.api}/feedback/pages?limit=1").json
    assert (len(cut["items"]), cut["count"]) == (1, 2)
    reply = site.world.api.get(f"{site.api}/feedback/pages?limit=1&page={cut['next']['page']}").json
    assert reply["items"][0]["page"]["title"] == "Home"
    assert site.world.api.get(f"{site.api}/feedback?rating=great").status == 400


def test_who_writes_a_space_reads_what_is_said_of_it(site: Rated) -> None:
    site.send(site.action(), rating="ok")
    world = site.world
    for role, count in (("read", 0), ("comment", 0), ("edit", 1), ("admin", 1)):
        for path in (f"{site.api}/feedback", f"{site.api}/feedback/pages"):
            reply = world.api.get(path, token=world.person(role))
            assert (reply.status, reply.json["count"]) == (200, count), (role, reply.text)
    assert world.api.get(f"{site.api}/feedback", token=world.person("guest")).status == 404
    assert world.api.get(f"{site.api}/feedback", token="").status == 401
    elsewhere = other_organization(world)["id"]
    assert world.api.get(f"/v1/orgs/{elsewhere}/sites/{site.site['id']}/feedback").status == 404


def test_a_page_that_is_gone_keeps_its_ratings(site: Rated) -> None:
    site.send(site.action(), rating="ok")
    request = site.world.api.post(f"/v1/spaces/{site.space}/change-requests", {"subject": "Gone"}).json["id"]
    at = f"/v1/spaces/{site.space}/change-requests/{request}"
    page = site.action().rpartition("/")[2]
    change = {"changes": [{"operation": "delete_page", "page": page}]}
    assert site.world.api.post(f"{at}/content", change).status == 200
    assert site.world.api.post(f"{at}/merge").status == 200
    assert site.told()[0]["page"] == {"id": page, "urls": {}}
