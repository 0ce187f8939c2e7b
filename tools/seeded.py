"""An installation with a small team at work, for photographs of the application: its documentation, comments, changes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from browsing import ROOT

PASSWORD = "photographs are taken here"
PAGE = "getting-started/first-site"
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
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
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
    return Team(base, organization, space, site, page["id"], numbers[0], numbers[1], grace)


def _asked(base: str, token: str, method: str, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(base + path, method=method, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read() or b"null")
