"""Share links and visitors' tokens: who is let in, what their browsers keep, and when that ends."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import jwt
import pytest

from tests.client import World
from tests.publish.browsing import Browser, Guarded
from tests.publish.visiting import write
from tests.resources.checks import other_organization

SECRET = "quince"


@pytest.fixture
def site(world: World, tmp_path: Path) -> Guarded:
    files: dict[str, str | bytes] = {
        "README.md": f"# Home\n\nThe {SECRET}.\n",
        "guide.md": "# Guide\n\nMore.\n",
        "SUMMARY.md": "* [Home](README.md)\n* [Guide](guide.md)\n",
    }
    space = world.imported(write(tmp_path / "docs", files))
    return Guarded(world, world.site(space, title="Orchard"))


def _path(address: str) -> str:
    return urlsplit(address).path


def test_a_share_link_lets_in_and_leaves_the_address(site: Guarded) -> None:
    site.change(visibility="share-link")
    link = site.link()
    browser = site.browser()
    assert browser.get(site.base).status == 404
    came = browser.get(_path(link["urls"]["published"]) + "guide")
    assert (came.status, came.headers["location"]) == (303, site.base + "guide")
    assert came.headers["cache-control"] == "no-store"
    assert came.headers["referrer-policy"] == "no-referrer"
    cookie = came.headers["set-cookie"]
    assert f"Path={site.base};" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    key = link["urls"]["published"].rstrip("/").rpartition("/")[2]
    assert key not in cookie
    page = browser.get(site.base)
    assert page.status == 200
    assert SECRET in page.text
    assert key not in page.text
    assert page.headers["cache-control"] == "private, no-cache"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert site.browser().get(site.base).status == 404


def test_secure_cookies_where_browsers_come_by_https(site: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    site.change(visibility="share-link")
    path = _path(site.link()["urls"]["published"])

    async def send() -> list[dict[str, object]]:
        sent: list[dict[str, object]] = []

        async def keep(message: dict[str, object]) -> None:
            sent.append(message)

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b"", "more_body": False}

        scope = {"type": "http", "method": "GET", "scheme": "https", "path": path, "raw_path": path.encode(),
                 "query_string": b"", "headers": [(b"host", b"octavo.test")], "client": ("127.0.0.1", 1)}  # fmt: skip
        await site.world.app(scope, receive, keep)
        return sent

    [start, *_] = site.world.run(send())
    headers = dict(start["headers"])  # type: ignore[call-overload]
    assert b"; Secure" in headers[b"set-cookie"]


def test_secure_cookies_where_the_installation_is_behind_https(site: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who ends TLS ahead of Octavo hands requests on by HTTP; the address that the site is known by tells."""
    site.change(visibility="share-link")
    path = _path(site.link()["urls"]["published"])
    assert "; Secure" not in site.browser().get(path).headers["set-cookie"]
    monkeypatch.setattr(site.world.app._publisher, "_base", "https://octavo.test")
    assert "; Secure" in site.browser().get(path).headers["set-cookie"]


UPWARDS = ("../../v1/orgs", "..%2F..%2Fv1/orgs", "a/../../../v1/orgs", "./.././../v1/orgs", "%2e%2e/%2E%2E/v1/orgs")


@pytest.mark.parametrize("path", UPWARDS)
def test_nobody_who_is_let_in_is_sent_above_the_site(site: Guarded, path: str) -> None:
    """A browser takes `..` out of the address that it is sent to, and so would leave the site."""
    for visibility, at in (
        ("share-link", lambda: _path(site.link()["urls"]["published"]) + path),
        ("visitor-auth", lambda: f"{site.base}{path}?jwt_token={site.token()}"),
        ("visitor-auth", lambda: f"{site.base}~octavo/login?location=/{path}"),
    ):
        site.change(visibility=visibility)
        browser = site.browser()
        if "login" in at():
            browser.open(f"{site.base}?jwt_token={site.token()}")
        came = browser.get(at())
        assert came.status == 303
        assert urljoin(site.base, came.headers["location"]).startswith(site.base), came.headers["location"]


@pytest.mark.parametrize("how", ["switched off", "deleted"])
def test_a_link_that_ended_ends_what_it_opened(site: Guarded, how: str) -> None:
    site.change(visibility="share-link")
    link, other = site.link(), site.link()
    one, two = site.browser(), site.browser()
    assert one.open(_path(link["urls"]["published"])).status == 200
    assert two.open(_path(other["urls"]["published"])).status == 200
    path = f"{site.api}/share-links/{link['id']}"
    if how == "deleted":
        assert site.world.api.delete(path).status == 205
    else:
        assert site.world.api.patch(path, {"active": False}).json["active"] is False
    assert one.get(site.base).status == 404
    assert one.get(_path(link["urls"]["published"])).status == 404
    assert two.get(site.base).status == 200
    if how == "switched off":
        site.world.api.patch(path, {"active": True})
        assert one.get(site.base).status == 200


def test_links_and_cookies_of_another_site_open_nothing(site: Guarded) -> None:
    other = Guarded(site.world, site.world.site(site.world.space()["id"], title="Elsewhere"))
    for one in (site, other):
        one.change(visibility="share-link")
    mine, foreign = site.link(), other.link()
    browser = site.browser()
    assert browser.open(_path(foreign["urls"]["published"])).status == 200
    key = _path(foreign["urls"]["published"]).removeprefix(other.base)
    assert browser.get(site.base + key).status == 404
    [(host, path, name)] = browser.jar
    assert path == other.base
    forged = site.browser()
    forged.jar[host, site.base, name] = browser.jar[host, path, name]
    assert forged.get(site.base).status == 404
    forged.jar[host, site.base, name] = "x" + browser.jar[host, path, name]
    assert forged.get(site.base).status == 404
    assert forged.open(_path(mine["urls"]["published"])).status == 200


def test_a_share_link_leads_nowhere_else(site: Guarded) -> None:
    site.change(visibility="share-link")
    path = _path(site.link()["urls"]["published"])
    to = site.browser().get(path + "/evil.example/x").headers["location"]
    assert to == site.base + "evil.example/x"
    host = f"{site.site['basename']}.localhost"
    to = site.browser().get("/" + path.removeprefix(site.base) + "/evil.example/x", host=host).headers["location"]
    assert to == "/evil.example/x"


def test_a_link_of_a_site_that_was_opened_leads_to_its_page(site: Guarded) -> None:
    site.change(visibility="share-link")
    path = _path(site.link()["urls"]["published"])
    site.change(visibility="public")
    assert site.browser().open(path + "guide").status == 200
    site.world.api.post(f"{site.api}/unpublish")
    assert site.browser().get(path).status == 404


def test_share_keys_resolve_addresses_in_the_api(site: Guarded) -> None:
    site.change(visibility="share-link")
    link = site.link()
    key = link["urls"]["published"].rstrip("/").rpartition("/")[2]
    api, space = site.world.api, site.world.api.get(f"{site.api}/structure").json["structure"][0]["space"]["id"]
    lists = (f"{site.api}/site-spaces", f"{site.api}/sections")
    for path in (f"{site.api}/published", f"{site.api}/structure", f"/v1/spaces/{space}", lists[0]):
        assert link["urls"]["published"] in api.get(f"{path}?shareKey={key}").text, path
        assert key not in api.get(path).text
        refused = api.get(f"{path}?shareKey=wrong")
        assert refused.status == 400
        assert "shareKey" in refused.message
    (held,) = api.get(f"{lists[0]}?shareKey={key}").json["items"]
    assert held["space"]["urls"]["published"] == held["urls"]["published"] == link["urls"]["published"]
    api.post(f"{site.api}/sections", {"spaceId": space, "title": "More"})
    opened = api.get(f"{lists[1]}?shareKey={key}").json["items"]
    assert [one["urls"]["published"] for one in opened] == [link["urls"]["published"] + end for end in ("", "more/")]
    assert opened[1]["siteSpaces"][0]["urls"]["published"] == opened[1]["urls"]["published"]
    assert key not in api.get(lists[1]).text
    api.patch(f"{site.api}/share-links/{link['id']}", {"active": False})
    for path in (f"{site.api}/published", *lists):
        assert api.get(f"{path}?shareKey={key}").status == 400
    site.change(visibility="public")
    assert api.get(f"{site.api}/published?shareKey=anything").status == 200


def test_a_token_lets_in_and_leaves_the_address(site: Guarded) -> None:
    site.change(visibility="visitor-auth")
    browser = site.browser()
    token = site.token(exp=int(time.time()) + 600)
    came = browser.get(f"{site.base}guide?a=1&jwt_token={token}")
    assert (came.status, came.headers["location"]) == (303, site.base + "guide?a=1")
    cookie = came.headers["set-cookie"]
    age = int(cookie.partition("Max-Age=")[2].partition(";")[0])
    assert 500 < age < 700  # the clock of the tests stands still
    assert "HttpOnly" in cookie
    assert browser.get(site.base + "guide").status == 200
    page = browser.get(site.base)
    assert SECRET in page.text
    assert page.headers["cache-control"] == "private, no-cache"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert site.browser().get(site.base).status == 404


def test_a_new_key_ends_what_the_old_one_opened(site: Guarded) -> None:
    site.change(visibility="visitor-auth")
    browser, token = site.browser(), site.token()
    assert browser.open(f"{site.base}?jwt_token={token}").status == 200
    before = site.key
    made = site.world.api.post(f"{site.api}/publishing/auth/regenerate")
    assert made.status == 200
    assert made.json["privateKey"] == site.key != before
    assert browser.get(site.base).status == 404
    assert site.browser().open(f"{site.base}?jwt_token={token}").status == 404
    assert browser.open(f"{site.base}?jwt_token={site.token()}").status == 200


def _unsigned(site: Guarded) -> str:
    return jwt.encode({"beta": True}, None, algorithm="none")


def _with_header(site: Guarded, **header: str) -> str:
    return jwt.encode({}, site.key + "x", algorithm="HS256", headers=header)


def _of_another_site(site: Guarded) -> str:
    other = Guarded(site.world, site.world.site(title="Other", visibility="visitor-auth"))
    return other.token()


def _altered(site: Guarded) -> str:
    head, body, sign = site.token(beta=False).split(".")
    other = base64.urlsafe_b64encode(json.dumps({"beta": True}).encode()).rstrip(b"=").decode()
    assert other != body
    return f"{head}.{other}.{sign}"


def _stripped(site: Guarded) -> str:
    return site.token().rpartition(".")[0] + "."


def _named_none(site: Guarded) -> str:
    _, body, _ = site.token().split(".")
    head = base64.urlsafe_b64encode(b'{"alg":"nOnE","typ":"JWT"}').rstrip(b"=").decode()
    return f"{head}.{body}."


ATTACKS = {
    "no algorithm": _unsigned,
    "an algorithm called nOnE": _named_none,
    "no signature": _stripped,
    "HS512": lambda site: jwt.encode({}, site.key, algorithm="HS512"),
    "HS384": lambda site: jwt.encode({}, site.key, algorithm="HS384"),
    "a guessed key": lambda site: jwt.encode({}, "null", algorithm="HS256"),
    "another key named by kid": lambda site: _with_header(site, kid="../../dev/null"),
    "a key at an address": lambda site: _with_header(site, jku="https://evil.example/keys"),
    "another site's key": _of_another_site,
    "altered": _altered,
    "expired": lambda site: site.token(exp=int(time.time()) - 1),
    "not yet": lambda site: site.token(nbf=int(time.time()) + 600),
    "from the future": lambda site: site.token(iat=int(time.time()) + 600),
    "an end that is no time": lambda site: site.token(exp="soon"),
    "an endless end": lambda site: site.token(exp=float("inf")),
    "no token": lambda site: "x",
    "three dots": lambda site: "a.b.c",
    "too long": lambda site: site.token(name="x" * 4000),
}


@pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning")
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_token_that_does_not_hold(site: Guarded, attack: str) -> None:
    site.change(visibility="visitor-auth")
    token = ATTACKS[attack](site)
    came = site.browser().get(f"{site.base}?jwt_token={token}")
    assert came.status == 404
    assert "set-cookie" not in came.headers
    browser = site.browser()
    browser.jar[browser.host, site.base, "gitbook-visitor-token"] = token
    assert browser.get(site.base).status == 404


@pytest.mark.parametrize("end", [10**400, "9" * 400, 1e300, 9_999_999_999, "9999999999"])
def test_a_token_may_end_at_any_time(site: Guarded, end: object) -> None:
    site.change(visibility="visitor-auth")
    browser = site.browser()
    came = browser.get(f"{site.base}?jwt_token={site.token(exp=end)}")
    assert came.status == 303
    assert "Max-Age=31536000;" in came.headers["set-cookie"]
    assert browser.get(site.base).status == 200


def test_visitors_without_a_token_log_in_elsewhere(site: Guarded) -> None:
    site.change(visibility="visitor-auth")
    auth = {"backend": "custom", "fallbackURL": "https://login.example/in?to=docs&location=x#top"}
    assert site.world.api.patch(f"{site.api}/publishing/auth", auth).status == 200
    browser = site.browser()
    sent = browser.get(site.base + "guide")
    assert sent.status == 303
    to = urlsplit(sent.headers["location"])
    assert (to.netloc, to.path, to.fragment) == ("login.example", "/in", "top")
    assert parse_qs(to.query) == {"to": ["docs"], "location": ["/guide"]}
    # What is fetched rather than read goes nowhere.
    for path in ("~octavo/search?q=quince", "guide.md"):
        assert browser.get(site.base + path, accept="*/*").status == 404
    assert browser.get(site.base + "guide", accept="*/*", **{"sec-fetch-dest": "empty"}).status == 404
    # Programs that take anything are sent as browsers are.
    assert browser.get(site.base + "guide", accept="*/*").headers["location"] == sent.headers["location"]


@pytest.mark.parametrize("end", [-60, None])
def test_a_token_that_does_not_hold_leads_to_the_login_once(site: Guarded, end: int | None) -> None:
    site.change(visibility="visitor-auth")
    auth = {"backend": "custom", "fallbackURL": "https://login.example/in"}
    assert site.world.api.patch(f"{site.api}/publishing/auth", auth).status == 200
    token = "x" if end is None else site.token(exp=int(time.time()) + end)
    browser = site.browser()
    sent = browser.get(f"{site.base}guide?jwt_token={token}")
    assert sent.status == 303
    to = urlsplit(sent.headers["location"])
    assert (to.netloc, to.path, parse_qs(to.query)) == ("login.example", "/in", {"location": ["/guide"]})
    # The next one is told of: two sites would send the visitor to each other for ever.
    told = browser.get(f"{site.base}guide?jwt_token={token}")
    assert told.status == 404
    assert "https://login.example/in" in told.text
    browser = site.browser()
    browser.jar[browser.host, site.base, "gitbook-visitor-token"] = "x"
    sent = browser.get(site.base)
    assert sent.status == 303
    assert not browser.jar


def test_logging_in_and_out_by_the_addresses_of_the_api(site: Guarded) -> None:
    assert not {"login", "logout"} & set(site.site["urls"])
    site.change(visibility="visitor-auth")
    urls = site.site["urls"]
    assert urls["login"] == urls["published"] + "~octavo/login"
    assert urls["logout"] == urls["published"] + "~octavo/logout"
    read = site.world.api.get(f"{site.api}/published").json["site"]["urls"]
    assert (read["login"], read["logout"]) == (urls["login"], urls["logout"])
    login, logout = (urlsplit(urls[name]).path for name in ("login", "logout"))
    browser = site.browser()
    assert browser.get(f"{login}?location=/guide").status == 404
    auth = {"backend": "custom", "fallbackURL": "https://login.example/in"}
    assert site.world.api.patch(f"{site.api}/publishing/auth", auth).status == 200
    sent = urlsplit(browser.get(f"{login}?location=/guide").headers["location"])
    assert (sent.netloc, parse_qs(sent.query)) == ("login.example", {"location": ["/guide"]})
    # The login sends them back with a token, and they are where they wanted to be.
    page = browser.open(f"{site.base}guide?jwt_token={site.token()}")
    assert page.status == 200
    assert f'href="{logout}"' in page.text
    assert browser.get(f"{login}?location=/guide").headers["location"] == f"{site.base}guide"
    assert browser.get(f"{login}?location=//evil.example/x").headers["location"] == f"{site.base}evil.example/x"
    assert browser.get(f"{login}?location=https://evil.example/").headers["location"].startswith(site.base)
    assert browser.get(logout).status == 200
    assert browser.get(f"{site.base}guide").headers["location"].startswith("https://login.example/in")
    # A token that does not hold is told of there too.
    assert browser.get(f"{login}?jwt_token=x").status == 404
    site.change(visibility="public")
    assert "logout" not in browser.get(f"{site.base}guide").text.lower()
    assert browser.get(login).status == 404


def test_logging_out(site: Guarded) -> None:
    site.change(visibility="visitor-auth")
    browser = site.browser()
    browser.open(f"{site.base}?jwt_token={site.token()}")
    assert browser.get(site.base).status == 200
    out = browser.get(site.base + "~octavo/logout")
    assert out.status == 200
    assert browser.get(site.base).status == 404
    site.world.api.patch(f"{site.api}/publishing/auth", {"backend": "custom", "logoutURL": "https://login.example/out"})
    assert browser.get(site.base + "~octavo/logout").headers["location"] == "https://login.example/out"


def test_nothing_is_mixed_between_organizations_hosts_and_visitors(site: Guarded) -> None:
    """Two sites of two organizations, the same page, the same words around them: each answers for itself alone."""
    world = site.world
    abroad = other_organization(world, "Abroad")["id"]
    space = world.api.post(f"/v1/orgs/{abroad}/spaces", {"title": "Imported"}).json["id"]
    made = world.api.post(f"/v1/orgs/{abroad}/sites", {"title": "Orchard", "spaces": [space]}).json
    world.api.post(f"/v1/orgs/{abroad}/sites/{made['id']}/publish")
    site.change(visibility="share-link")
    inside = site.browser()
    first = inside.open(_path(site.link()["urls"]["published"]))
    assert SECRET in first.text
    tag = first.headers["etag"]
    theirs = f"{made['basename']}.localhost"
    for browser in (Browser(world), inside):
        for host in ("octavo.test", theirs, "evil.example", f"{site.site['basename']}.localhost"):
            for path in ("/", f"/sites/{made['basename']}/", site.base):
                if browser is inside and path == site.base and host == "octavo.test":
                    continue
                for headers in ({}, {"if-none-match": tag}, {"x-forwarded-host": "octavo.test"}):
                    reply = browser.get(path, host=host, **headers)
                    assert SECRET not in reply.text, (host, path)
                    assert reply.status != 304, (host, path)
    assert inside.get(site.base, **{"if-none-match": tag}).status == 304
    assert Browser(world).get(site.base, **{"if-none-match": tag}).status == 404
