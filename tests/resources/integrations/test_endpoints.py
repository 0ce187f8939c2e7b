"""Where integrations answer themselves, their scripts on sites, and visitors whom they let in."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest

from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.resources.integrations.building import installed, published
from tests.resources.integrations.test_scripts import script

ROUTER = script("""
if (event.type !== "fetch") return new Response("", {status: 406});
const { method, url, headers } = event.request;
const to = (location) => new Response("", {status: 302, headers: {location, "set-cookie": "a=b"}});
if (url.endsWith("/away")) return to("https://example.com/");
if (url.endsWith("/odd")) return to("javascript:alert(1)");
if (url.endsWith("/broken")) throw new Error("a secret mistake");
return Response.json({method, url, headers, sent, site: event.siteId, installation: event.installationId}, {status: 201});
""")


def asked(world: World, method: str, path: str, **options: Any) -> Reply:
    """A request beside a worker."""
    import asyncio
    import contextlib

    async def together() -> Reply:
        worker = asyncio.ensure_future(world.house.worker.run())
        try:
            return await world.api.send(method, path, token="", **options)
        finally:
            worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await worker

    reply: Reply = world.run(together())
    return reply


def _path(url: str) -> str:
    return urlsplit(url).path


@pytest.fixture(scope="module")
def shop(scripted: World) -> dict[str, Any]:
    """An integration with an endpoint, on a site."""
    site = scripted.site(scripted.space()["id"], title="Shop")
    one = published(scripted, script=ROUTER, contentSecurityPolicy="default-src https://example.com")
    here = installed(scripted, one)
    placed = scripted.api.post(f"{here}/sites", {"siteId": site["id"]})
    assert placed.status == 201, placed.text
    return {"one": one, "here": scripted.api.get(here).json, "placed": placed.json, "site": site}


def test_an_endpoint_answers_for_each_place(scripted: World, shop: dict[str, Any]) -> None:
    for shown, installation, site in (
        (shop["one"], None, None),
        (shop["here"], shop["here"]["id"], None),
        (shop["placed"], shop["here"]["id"], shop["site"]["id"]),
    ):
        at = shown["urls"]["publicEndpoint"] + "/orders/4?x=1"
        sent = {"content-type": "text/plain", "x-key": "k", "cookie": "session=1", "authorization": "Bearer b"}
        reply = asked(scripted, "POST", f"{_path(at)}?x=1", body=b"hello", headers=sent)
        assert reply.status == 201, reply.text
        said = reply.json
        assert (said["method"], said["url"], said["sent"]) == ("post", at, "hello")
        assert (said.get("installation"), said.get("site")) == (installation, site)
        assert said["headers"] == {"content-type": "text/plain", "x-key": "k", "authorization": "Bearer b"}
        assert reply.headers["content-security-policy"].startswith("sandbox ")
        assert reply.headers["content-security-policy"].endswith("; default-src https://example.com")
        assert "allow-same-origin" not in reply.headers["content-security-policy"]


def test_an_endpoint_sets_no_cookie_and_leads_to_web_addresses_only(scripted: World, shop: dict[str, Any]) -> None:
    at = _path(shop["here"]["urls"]["publicEndpoint"])
    reply = asked(scripted, "GET", at + "/away")
    assert (reply.status, reply.headers["location"]) == (302, "https://example.com/")
    assert "set-cookie" not in reply.headers
    assert "location" not in asked(scripted, "GET", at + "/odd").headers


def test_mistakes_of_a_script_are_told_to_its_author_alone(scripted: World, shop: dict[str, Any]) -> None:
    at = _path(shop["here"]["urls"]["publicEndpoint"])
    clock = scripted.house.store.clock
    assert isinstance(clock, FakeClock)
    clock.advance(1)
    reply = asked(scripted, "GET", at + "/broken")
    assert (reply.status, "secret" in reply.text) == (503, False)
    path = f"/v1/integrations/{shop['one']['name']}/events"
    newest = scripted.api.get(f"{path}?limit=1").json["items"][0]
    assert (newest["status"], newest["payload"]["type"]) == ("failed", "fetch")
    traced = scripted.api.get(f"{path}/{newest['id']}").json
    assert traced["trace"]["logs"][-1]["message"] == "the script threw Error: a secret mistake"


def test_what_is_no_endpoint_is_refused(scripted: World, world: World, shop: dict[str, Any]) -> None:
    at = _path(shop["one"]["urls"]["publicEndpoint"])
    assert asked(scripted, "GET", "/~octavo/integration/nobody").status == 404
    other = installed(scripted, published(scripted)).rpartition("/")[2]
    assert asked(scripted, "GET", f"{at}/{shop['here']['id']}/sites/none").status == 404
    assert asked(scripted, "GET", f"{at}/{other}").status == 201  # no installation of this one, so a path
    assert asked(scripted, "TRACE", at).status == 405
    assert asked(scripted, "POST", at, body=b"x" * (1 << 20 | 1)).status == 413
    reply = asked(scripted, "GET", at, headers={"sec-fetch-site": "same-origin", "sec-fetch-dest": "script"})
    assert reply.status == 403
    assert asked(scripted, "OPTIONS", at).status == 204
    one = published(world)
    reply = world.api.get(_path(one["urls"]["publicEndpoint"]), token="")
    assert (reply.status, "runs no scripts" in reply.text) == (501, True)


COUNTER = script("""
if (event.type !== "fetch_published_script") return new Response("", {status: 406});
const key = environment.siteInstallation.configuration.key;
return new Response(`count(${JSON.stringify(key)}, ${JSON.stringify(event.siteId)})`, {headers: {"content-type": "text/html"}});
""")


def test_a_script_runs_on_the_host_of_its_site_and_nowhere_else(scripted: World) -> None:
    site = scripted.site(scripted.space()["id"], title="Counted")
    asked_for = {"site": {"properties": {"key": {"type": "string"}}, "required": ["key"]}}
    one = published(
        scripted,
        script=COUNTER,
        scopes=["site:script:inject", "site:script:cookies"],
        configurations=asked_for,
        contentSecurityPolicy="script-src https://cdn.example 'unsafe-inline'; connect-src https://in.example; base-uri *",
    )
    here = installed(scripted, one)
    path = f"/v1/orgs/{scripted.organization}/sites/{site['id']}"
    place = f"{here}/sites/{site['id']}"
    assert scripted.api.post(f"{here}/sites", {"siteId": site["id"]}).status == 201
    assert scripted.api.get(f"{path}/integration-scripts").json == []  # it is not configured
    assert scripted.api.patch(place, {"configuration": {"key": "k-1"}}).status == 200
    [listed] = scripted.api.get(f"{path}/integration-scripts").json
    assert (listed["cookies"], listed["contentSecurityPolicy"].startswith("script-src")) == (True, True)
    assert scripted.api.get(f"{path}/published").json["scripts"] == [listed]
    own = {"host": "counted.localhost", "accept": "text/html"}
    page = scripted.api.get("/", token="", headers=own)
    at = f"/~octavo/scripts/{here.rpartition('/')[2]}.js"
    assert f'<script src="{at}" async></script>' in page.text
    # Whatever that script does, it does once a page is shown: browsers may fetch the next one ahead, not make it.
    assert "/~octavo/prefetch." in page.headers["speculation-rules"]
    ahead = scripted.api.get(_path(page.headers["speculation-rules"].strip('"')), token="", headers=own).json
    assert list(ahead) == ["prefetch"]
    policy = page.headers["content-security-policy"]
    assert "script-src 'self' https://cdn.example;" in policy
    assert "connect-src 'self' https://in.example;" in policy
    assert "base-uri 'none'" in policy
    wanted = f'count("k-1", "{site["id"]}")'
    for address, headers in ((at, own), (_path(listed["script"]), None)):
        reply = asked(scripted, "GET", address, headers=headers)
        assert (reply.status, reply.text) == (200, wanted)
        assert reply.headers["content-type"].startswith("text/javascript")
    inner = scripted.api.get("/sites/counted/", token="", headers={"accept": "text/html"})
    assert "/~octavo/prerender." in inner.headers["speculation-rules"]
    assert "~octavo/scripts/" not in inner.text
    assert "cdn.example" not in inner.headers["content-security-policy"]
    assert scripted.api.get(f"/sites/counted{at}", token="").status == 404
    assert scripted.api.patch(place, {"configuration": {"key": "k-2"}}).status == 200
    assert '"k-2"' in asked(scripted, "GET", at, headers=own).text
    assert scripted.api.delete(place).status in (204, 205)
    assert "~octavo/scripts/" not in scripted.api.get("/", token="", headers=own).text
    assert asked(scripted, "GET", at, headers=own).status == 404


KEEPER = script("""
if (event.type === "fetch") {
  return Response.redirect("https://example.com/");
}
if (event.type !== "fetch_visitor_authentication") return new Response("", {status: 406});
const at = new URL("https://login.example/in");
at.searchParams.set("location", event.location);
at.searchParams.set("action", event.action ?? "");
at.searchParams.set("key", environment.signingSecrets.siteInstallation);
return Response.redirect(at.href);
""")


def test_an_integration_lets_visitors_in(scripted: World) -> None:
    site = scripted.site(scripted.space()["id"], title="Kept", visibility="visitor-auth")
    auth = f"/v1/orgs/{scripted.organization}/sites/{site['id']}/publishing/auth"
    refused = scripted.api.patch(auth, {"backend": "integration"})
    assert (refused.status, "site:visitor:auth" in refused.message) == (400, True)
    one = published(scripted, script=KEEPER, scopes=["site:visitor:auth"])
    here = installed(scripted, one)
    assert scripted.api.post(f"{here}/sites", {"siteId": site["id"]}).status == 201
    made = scripted.api.patch(auth, {"backend": "integration"})
    assert (made.status, made.json["backend"], made.json["integration"]) == (200, "integration", one["name"])
    own = {"host": "kept.localhost", "accept": "text/html"}
    reply = asked(scripted, "GET", "/guide?x=1", headers=own)
    assert reply.status == 303
    said = parse_qs(urlsplit(reply.headers["location"]).query)
    assert (reply.headers["location"].startswith("https://login.example/in?"), said["location"]) == (True, ["/guide"])
    looked = scripted.api.post("/v1/urls/published", {"url": "http://kept.localhost/guide"}, token="").json
    assert looked["redirect"].endswith("/sites/kept/~octavo/login?location=%2Fguide")
    word = jwt.encode({"exp": int(time.time()) + 3600}, said["key"][0], algorithm="HS256")
    entered = scripted.api.get(f"/?jwt_token={word}", token="", headers=own)
    assert entered.status == 303
    cookie = entered.headers["set-cookie"].partition(";")[0]
    assert scripted.api.get("/", token="", headers=own | {"cookie": cookie}).status == 200
    forged = jwt.encode({"exp": int(time.time()) + 3600}, "another key, which is long enough", algorithm="HS256")
    sent = asked(scripted, "GET", f"/?jwt_token={forged}", headers=own)
    assert (sent.status, sent.headers["location"].startswith("https://login.example/in?")) == (303, True)
    again = own | {"cookie": "octavo-login=1"}
    assert scripted.api.get(f"/?jwt_token={forged}", token="", headers=again).status == 404
    out = asked(scripted, "GET", "/~octavo/logout", headers=own)
    assert "action=logout" in out.headers.get("location", ""), (out.status, out.text)
    assert scripted.api.delete(f"{here}/sites/{site['id']}").status in (204, 205)
    assert scripted.api.get("/", token="", headers=own | {"cookie": cookie}).status == 404
