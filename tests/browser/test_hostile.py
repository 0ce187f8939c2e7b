"""Content that wants to run something: opened in a browser, with and without the policy of the page, nothing does."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.browser.conftest import Served
from tests.browser.corpus import GENERATED
from tests.browser.pages import SETTLED, Open

WATCH = """
for (const name of ["alert", "confirm", "prompt"])
  window[name] = (text) => console.error(`ran: ${location.pathname} ${text}`);
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${location.pathname} ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""
# What a reader may do to an element; where a click would lead is looked at apart.
PROVOKE = """() => {
  addEventListener("click", (event) => event.preventDefault(), true);
  for (const one of document.querySelectorAll("main, main *, .nav *, .outline *")) {
    for (const kind of ["mouseover", "mouseenter", "pointerover", "focus", "click", "toggle", "error", "load", "animationend"])
      one.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }));
  }
}"""
BAD = """() => {
  const bad = [], tell = (one) => bad.push(one.outerHTML.slice(0, 200));
  const bare = (value) => value.replace(/[\\u0000-\\u0020\\u007f-\\u00a0\\u2028\\u2029]/g, "").toLowerCase();
  const address = /^(?:href|src|srcset|action|formaction|data|poster|xlink:href)$/;
  const runs = /^(?:javascript|data|vbscript|blob|file|view-source|feed|jar):/;
  for (const one of document.querySelectorAll("*")) {
    for (const { name, value } of one.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || (address.test(name) && runs.test(bare(value)))) tell(one);
    }
  }
  for (const link of document.querySelectorAll("a[href]")) {
    if (link.protocol && !/^(?:https?|mailto|tel):$/.test(link.protocol)) tell(link);
  }
  // A drawing gets its styles through the object model, which the policy allows.
  const unwanted = ":is(script, object, embed, meta, base, link, template, noscript, form:not(.search-form),"
    + " iframe:not([sandbox]), style, [style]):not(.diagram *)";
  for (const one of document.querySelectorAll(`main ${unwanted}`)) tell(one);
  for (const one of document.scripts) if (!one.src && one.type !== "application/ld+json") tell(one);
  return bad;
}"""
PATHS = ("", "second", "files", *GENERATED)
ODD = ("nowhere'\"><script>alert(1)</script>", "~octavo/search?q=findme", "~octavo/search?q=<script>alert(1)</script>")
# The labels of a drawing are parsed in its frame, which has nothing to lose: see diagrams.js.
FRAME = "/~octavo/diagrams.html"


def _open(open_page: Open, url: str, **options: Any) -> Any:
    tab = open_page("about:blank", **options)
    tab.context.add_init_script(WATCH)
    tab.route(re.compile(r"^https?://(?!localhost)"), lambda route: route.fulfill(body=""))
    tab.goto(url)
    return tab


def _ran(tab: Any, *kinds: str) -> list[str]:
    """What ran, or would have without the policy; a picture of another host that the policy keeps away is none of it."""
    said = [one for one in tab.complaints if one.startswith(kinds or ("ran: ", "dialog ", "policy: "))]
    return [one for one in said if FRAME not in one and " img-src " not in one]


@pytest.mark.parametrize("policy", [True, False], ids=["policy", "no-policy"])
@pytest.mark.parametrize("path", [*PATHS, *ODD])
def test_nothing_hostile_runs(served: Served, open_page: Open, path: str, policy: bool) -> None:
    """The policy would stop most of it; nothing comes even that far."""
    tab = _open(open_page, served.hostile + path, bypass_csp=not policy)
    assert path in ODD or tab.locator(".content").count() == 1
    if path in ("", *GENERATED):
        # What was meant to break out is text: the page goes on behind it.
        assert tab.locator(".content > p", has_text=re.compile("^The end")).is_visible()
        assert tab.locator("main > .pagination").is_visible()
    assert tab.evaluate(BAD) == []
    tab.evaluate(PROVOKE)
    tab.evaluate(SETTLED)
    assert _ran(tab) == []
    assert tab.url.startswith(served.hostile)


def test_a_hostile_diagram_and_a_hostile_search(served: Served, open_page: Open) -> None:
    tab = _open(open_page, served.hostile)
    tab.locator(".diagram[data-drawn] svg").wait_for(state="attached")
    assert tab.evaluate(BAD) == []
    tab.get_by_role("main").locator("[data-action=search]").click()
    tab.locator(".search-status:not(:empty), [role=option]").first.wait_for(state="attached")
    for words in ("findme", "<img src=x onerror=alert(1)>"):
        with tab.expect_response(re.compile(r"~octavo/search\?q=")):
            tab.get_by_role("combobox").fill(words)
        tab.evaluate(SETTLED)
    assert _ran(tab) == []
    assert tab.locator(".search-body :is(img, script)").count() == 0


def test_hostile_files_are_shown_without_their_scripts(served: Served, open_page: Open) -> None:
    tab = _open(open_page, served.hostile + "files")
    found = set(tab.eval_on_selector_all("main a[href*='~octavo/files']", "all => all.map((one) => one.href)"))
    found |= set(tab.eval_on_selector_all("main img", "all => all.map((one) => one.src)"))
    assert {one.rpartition("/")[2].partition("?")[0] for one in found} >= {"drawing.svg", "document.html"}
    for url in sorted(found):
        headers = tab.context.request.get(url).headers
        assert headers["x-content-type-options"] == "nosniff", url
        assert "sandbox" in headers["content-security-policy"], url
        if "attachment" not in headers.get("content-disposition", ""):
            tab.goto(url)
    tab.goto(served.hostile)
    assert _ran(tab, "ran: ", "dialog ") == []


def test_what_machines_read_is_never_a_page(served: Served, open_page: Open) -> None:
    tab = _open(open_page, served.hostile)
    markdown = tab.locator("head link[type='text/markdown']").get_attribute("href")
    for path in (markdown, "llms.txt", "llms-full.txt", "sitemap.xml"):
        reply = tab.context.request.get(urljoin(served.hostile, path))
        assert reply.status == 200, path
        assert "html" not in reply.headers["content-type"], path
        assert reply.headers["x-content-type-options"] == "nosniff", path
        tab.goto(reply.url)
    tab.goto(served.hostile)
    assert _ran(tab, "ran: ", "dialog ") == []


def test_redirects_stay_on_the_site(served: Served, open_page: Open) -> None:
    tab = _open(open_page, served.hostile)
    for path in ("away", "over", "link"):
        place = tab.context.request.get(served.hostile + path, max_redirects=0).headers.get("location", "")
        assert not re.match(r"(?i)javascript:|//|https?://(?!localhost)", place), place


def test_what_runs_is_noticed(served: Served, open_page: Open) -> None:
    tab = _open(open_page, served.hostile + "second", bypass_csp=True)
    with tab.expect_console_message(lambda said: said.text.startswith("ran: ")):
        tab.evaluate("document.querySelector('h1').innerHTML = '<img src=\"/none\" onerror=\"alert(1)\">'")
    assert len(_ran(tab)) == 1
    assert len(tab.evaluate(BAD)) == 1
