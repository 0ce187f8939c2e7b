"""An installation with a small team at work, for photographs of the application: its documentation, comments, changes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from browsing import ROOT

PASSWORD = "photographs are taken here"
COUNTRIES = ROOT / "tests" / "store" / "insights" / "countries.mmdb"
PAGE = "getting-started/first-site"
VIEWS = 180
"""Of pages, in a week."""
BUSY = "01122234556666"
"""Days ago, as often as they had readers."""
CHANGED = (
    ("No database and no other service is needed.", "It needs no database and no other service."),
    ("The command prints where to look.", "The command prints two addresses and a **token**."),
)


@dataclass(frozen=True)
class Team:
    """Where the server is, and what there is to look at."""

    base: str
    organization: str
    space: str
    site: str
    page: str
    review: int
    """Number of a change request that waits for Ada."""
    edit: int
    """Number of one that she writes herself."""
    grace: str
    """Token of somebody who has the page open."""
    ada: str
    """Token of the admin, who signs in."""

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        return _asked(self.base, token, method, path, body)


@contextlib.contextmanager
def team() -> Iterator[Team]:
    """A server with all of it, until the photographs are taken; Ada signs in with `PASSWORD`."""
    octavo = str(Path(sys.executable).with_name("octavo"))
    with tempfile.TemporaryDirectory() as data:

        def told(*words: str, typed: str | None = None) -> dict[str, str]:
            command = [octavo, *words, "--data", data]
            done = subprocess.run(command, check=True, capture_output=True, text=True, input=typed)
            answer: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
            return answer

        admin = told("bootstrap", "--email", "ada@example.org", "--name", "Ada Byron", "--organization", "Windmills")
        organization = admin["organization"]
        made = told("import", str(ROOT / "docs"), "--organization", organization, "--title", "Handbook", "--publish")
        person = ("--email", "grace@example.org", "--name", "Grace Hopper")
        grace = told("user", "create", *person, "--organization", organization, "--role", "review")["token"]
        told("user", "password", "--email", "ada@example.org", typed=PASSWORD + "\n")
        command = [octavo, "serve", "--data", data, "--port", "0"]
        operators = {**os.environ, "OCTAVO_OPERATORS": "ada@example.org", "OCTAVO_INSIGHTS_COUNTRIES": str(COUNTRIES)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=operators) as server:
            try:
                assert server.stdout is not None
                base = server.stdout.readline().split()[-1]
                yield _at_work(base, organization, made["space"], made["site"], admin, grace)
            finally:
                server.terminate()
                server.wait(30)


def _at_work(base: str, organization: str, space: str, site: str, admin: dict[str, str], grace: str) -> Team:
    ada, at = admin["token"], f"/v1/spaces/{space}"
    page = _asked(base, ada, "GET", f"{at}/content/path/{PAGE}?format=document")
    paragraphs = [one["key"] for one in page["document"]["nodes"] if one.get("type") == "paragraph"]

    def said(node: str, words: str) -> None:
        body = {"page": page["id"], "node": node, "body": {"markdown": words}}
        _asked(base, grace, "POST", f"{at}/comments", body)

    said(paragraphs[0], f'[@Ada Byron](/users/{admin["user"]} "mention") could we say **which version**?')
    said(paragraphs[1], "This line helped me.")
    numbers = []
    for token, subject in ((grace, "Say what the command prints"), (ada, "Explain the proxy")):
        request = _asked(base, token, "POST", f"{at}/change-requests", {"subject": subject})
        numbers.append(request["number"])
        there = f"{at}/change-requests/{request['number']}"
        text = _asked(base, token, "GET", f"{there}/content/page/{page['id']}?format=markdown")["markdown"]
        for before, after in CHANGED if token == grace else ():
            text = text.replace(before, after)
        change = {"operation": "update_page", "page": page["id"], "document": {"markdown": text}}
        _asked(base, token, "POST", f"{there}/content", {"changes": [change]})
    there = f"{at}/change-requests/{numbers[0]}"
    _asked(base, grace, "PATCH", there, {"status": "open"})
    _asked(base, grace, "POST", f"{there}/requested-reviewers", {"users": [admin["user"]]})
    for title in ("API", "Release notes"):
        _asked(base, ada, "POST", f"/v1/orgs/{organization}/spaces", {"title": title, "empty": True})
    return Team(base, organization, space, site, page["id"], numbers[0], numbers[1], grace, ada)


def published(at: Team) -> None:
    """What the screens of publishing show: two sections, a variant, a share link, people, and readers of some days."""
    site = f"/v1/orgs/{at.organization}/sites/{at.site}"

    def ask(method: str, path: str, body: Any = None) -> Any:
        return at.ask(method, path, body, at.ada)

    spaces = {one["title"]: one["id"] for one in ask("GET", f"/v1/orgs/{at.organization}/spaces")["items"]}
    sections = [ask("POST", f"{site}/sections", {"spaceId": spaces[title]}) for title in ("API", "Release notes")]
    older = ask("POST", f"/v1/orgs/{at.organization}/spaces", {"title": "API, version 1", "empty": True})["id"]
    ask("POST", f"{site}/site-spaces", {"spaceId": older, "sectionId": sections[0]["id"]})
    ask("PATCH", site, {"visibility": "share-link"})
    ask("POST", f"{site}/share-links", {"name": "Customers"})
    for number, name in enumerate(("Marie Curie", "Emmy Noether", "Katherine Johnson")):
        address = f"{name.split()[0].lower()}@example.org"
        body = {"emails": [address], "role": ("edit", "comment", "read")[number]}
        ask("POST", f"/v1/orgs/{at.organization}/invites", body)
    ask("POST", f"{site}/insights/events", {"events": [*_readings(at)]})


def outside(at: Team) -> None:
    """What the screens of parties outside show: a specification in two versions, and an identity provider."""
    organization = f"/v1/orgs/{at.organization}"
    for paths in (("mills", "sails"), ("mills", "wheels")):
        described = {
            "openapi": "3.1.0",
            "info": {"title": "Mills", "version": "1"},
            "paths": {
                f"/{name}": {"get": {"summary": f"All {name}", "responses": {"200": {"description": "Here"}}}}
                for name in paths
            },
        }
        body = {"source": {"text": json.dumps(described)}}
        at.ask("PUT", f"{organization}/openapi/mills", body, at.ada)
        _read(at, f"{organization}/openapi/mills")
    given = {"label": "Acme", "entityID": "https://login.acme.com/metadata", "ssoURL": "https://login.acme.com/saml"}
    at.ask("POST", f"{organization}/saml", given, at.ada)


def _read(at: Team, path: str) -> None:
    """Wait until the job has read the specification."""
    for _ in range(200):
        if at.ask("GET", path, None, at.ada)["processingState"] == "complete":
            return
        time.sleep(0.05)
    sys.exit(f"{path} was not read.")


def _readings(at: Team) -> Iterator[dict[str, Any]]:
    """What readers did lately, the same on every run but for the days."""
    browsers = (
        "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1",
    )
    now = datetime.now(UTC).replace(hour=1, minute=0, second=0, microsecond=0)
    for number in range(VIEWS):
        reader, day = number * number % 41, int(BUSY[number % len(BUSY)])
        yield {
            "type": "page_view",
            "timestamp": (now - timedelta(days=day, minutes=number % 50)).isoformat().replace("+00:00", "Z"),
            "session": {
                "visitorId": f"v{reader}", "sessionId": f"s{reader}-{day}", "userAgent": browsers[number % 5 == 0],
                "referrer": "https://search.example.com/", "cookies": {}, "language": "en",
                "ip": ("192.0.2.7", "2001:db8::1", "198.51.100.9")[number % 3],
            },
            "location": {"url": f"https://docs.example.org/{number % 4}", "space": at.space, "page": at.page},
        }  # fmt: skip


def _asked(base: str, token: str, method: str, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(base + path, method=method, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read() or b"null")
