"""APIs of Git hosts for tests: what GitHub, GitLab, Gitea and Bitbucket answer to statuses of commits, to comments and to
questions for pull requests, in the shapes that they document; whatever else is asked is a mistake that the test sees."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "t0ken"
_HEADERS = {
    "github": ("authorization", f"Bearer {TOKEN}"),
    "gitlab": ("private-token", TOKEN),
    "gitea": ("authorization", f"token {TOKEN}"),
    "bitbucket": ("authorization", f"Bearer {TOKEN}"),
}
_TOPS = {
    "github": "/api/v3/repos/docs",
    "gitlab": "/api/v4/projects/docs",
    "gitea": "/api/v1/repos/docs",
    "bitbucket": "/2.0/repositories/docs",
}
_COMMENTS = {
    "github": (r"/issues/(\d+)/comments", r"/issues/comments/(\d+)", "PATCH"),
    "gitlab": (r"/merge_requests/(\d+)/notes", r"/merge_requests/\d+/notes/(\d+)", "PUT"),
    "gitea": (r"/issues/(\d+)/comments", r"/issues/comments/(\d+)", "PATCH"),
    "bitbucket": (r"/pullrequests/(\d+)/comments", r"/pullrequests/\d+/comments/(\d+)", "PUT"),
}
_PULLS = {
    "github": (r"/pulls", {"state": "open", "base": "main", "per_page": "50"}),
    "gitlab": (r"/merge_requests", {"state": "opened", "target_branch": "main", "per_page": "50"}),
    "gitea": (r"/pulls", {"state": "open", "limit": "50"}),
    "bitbucket": (r"/pullrequests", {"state": "OPEN", "pagelen": "50"}),
}
_ENDED = {
    "github": {"state": "closed", "base": "main", "sort": "updated", "direction": "desc", "per_page": "50"},
    "gitlab": {
        "state": "all", "target_branch": "main", "order_by": "updated_at", "sort": "desc", "per_page": "50",
    },
    "gitea": {"state": "closed", "sort": "recentupdate", "limit": "50"},
    "bitbucket": {"state": "MERGED DECLINED", "sort": "-updated_on", "pagelen": "50"},
}  # fmt: skip
_STATES = {
    "github": {"pending", "success", "failure", "error"},
    "gitlab": {"pending", "running", "success", "failed", "canceled", "skipped"},
    "gitea": {"pending", "success", "failure", "error", "warning"},
    "bitbucket": {"SUCCESSFUL", "FAILED", "INPROGRESS", "STOPPED"},
}
Answer = tuple[int, dict[str, str], bytes]


@dataclass
class PullThere:
    """A pull request of the host; `fork` names the repository that it comes from, where that is another."""

    branch: str
    title: str = "Describe fish"
    state: str = "open"
    into: str = "main"
    oid: str = "0" * 40
    fork: str | None = None


@dataclass
class HostApi:
    """One host with one repository, `docs`."""

    kind: str
    statuses: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    pulls: dict[int, PullThere] = field(default_factory=dict)
    pulls_a_page: int = 50
    wrong: list[str] = field(default_factory=list)
    """What was asked that such a host does not know."""
    refuse: list[Answer] = field(default_factory=list)
    """Answered instead, one after the other."""

    def __call__(self, method: str, path: str, headers: Any, body: bytes) -> Answer:
        name, value = _HEADERS[self.kind]
        if headers.get(name) != value:
            return self._no(401, method, path)
        if self.refuse:
            return self.refuse.pop(0)
        parts, top = urlsplit(path), _TOPS[self.kind]
        if not parts.path.startswith(top):
            return self._no(404, method, path)
        rest, said = parts.path.removeprefix(top), json.loads(body) if body else {}
        if body and headers.get("content-type") != "application/json":
            return self._no(415, method, path)
        status = r"/commit/([0-9a-f]{40})/statuses/build" if self.kind == "bitbucket" else r"/statuses/([0-9a-f]{40})"
        if method == "POST" and (found := re.fullmatch(status, rest)):
            return self._status(found[1], said)
        listed, asked = _PULLS[self.kind]
        if method == "GET" and rest == listed:
            return self._listed({name: " ".join(values) for name, values in parse_qs(parts.query).items()}, asked)
        if method == "GET" and (found := re.fullmatch(listed + r"/(\d+)", rest)):
            number = int(found[1])
            if number not in self.pulls:
                return 404, {}, b'{"message": "Not Found"}'
            return _made(200, self._pull(number, alone=True))
        many, one, change = _COMMENTS[self.kind]
        if re.fullmatch(many, rest):
            return self._many(method, parse_qs(parts.query), said)
        if method == change and (found := re.fullmatch(one, rest)):
            if int(found[1]) not in self.comments:
                return 404, {}, b'{"message": "Not Found"}'
            self.comments[int(found[1])] = self._text(said)
            return _made(200, self._shown(int(found[1])))
        return self._no(404, method, path)

    def _status(self, oid: str, said: dict[str, Any]) -> Answer:
        need = (
            {"key", "state", "url"} if self.kind == "bitbucket" else {"state", "target_url", "description", "context"}
        )
        if not need <= said.keys() or said["state"] not in _STATES[self.kind] or len(said["description"]) > 140:
            return self._no(422, "status", str(said))
        last = next((one for one in reversed(self.statuses) if one["oid"] == oid), None)
        if self.kind == "gitlab" and last is not None and last["state"] == said["state"]:
            state = said["state"]
            why = f'Cannot transition status via :run from :{state} (Reason(s): Status cannot transition via "run")'
            return _made(400, {"message": why})
        self.statuses.append({"oid": oid, **said})
        return _made(201, {"id": len(self.statuses), **said})

    def _many(self, method: str, query: dict[str, list[str]], said: dict[str, Any]) -> Answer:
        if method == "POST":
            number = 100 + len(self.comments)
            self.comments[number] = self._text(said)
            return _made(201, self._shown(number))
        page, size = (
            int(query["page"][0]),
            int(query.get("per_page", query.get("limit", query.get("pagelen", ["0"])))[0]),
        )
        shown = [self._shown(number) for number in sorted(self.comments)][(page - 1) * size : page * size]
        return _made(200, {"values": shown, "pagelen": size} if self.kind == "bitbucket" else shown)

    def _listed(self, query: dict[str, str], asked: dict[str, str]) -> Answer:
        page = int(query.pop("page", "1"))
        ended = query == _ENDED[self.kind]
        if query != asked and not ended:
            return self._no(422, "GET", f"pull requests: {query}")
        # Gitea and Bitbucket are not asked by branch.
        into = query.get("base", query.get("target_branch"))
        numbers = [
            number
            for number, one in sorted(self.pulls.items(), reverse=ended)
            if (one.state == "open") != ended and into in (None, one.into)
        ]
        begin, end = (page - 1) * self.pulls_a_page, page * self.pulls_a_page
        shown = [self._pull(number, alone=False) for number in numbers[begin:end]]
        more = len(numbers) > end
        if self.kind == "bitbucket":
            return _made(200, {"values": shown, "pagelen": 50, **({"next": f"?page={page + 1}"} if more else {})})
        status, headers, body = _made(200, shown)
        link = {"link": f'<https://example.org/?page={page + 1}>; rel="next"'} if more else {}
        return status, headers | link, body

    def _pull(self, number: int, *, alone: bool) -> dict[str, Any]:
        """As each host documents it, as far as Octavo reads it, with some of what it does not."""
        one, link = self.pulls[number], f"https://git.example.org/docs/pull/{number}"
        if self.kind == "gitlab":
            state = {"open": "opened"}.get(one.state, one.state)
            return {
                "id": number + 900, "iid": number, "project_id": 3, "title": one.title, "state": state, "web_url": link,
                "source_branch": one.branch, "target_branch": one.into, "sha": one.oid,
                "source_project_id": 4 if one.fork else 3, "target_project_id": 3, "merged_at": None,
            }  # fmt: skip
        if self.kind == "bitbucket":
            state = {"open": "OPEN", "closed": "DECLINED", "merged": "MERGED"}[one.state]
            return {
                "id": number, "title": one.title, "state": state, "links": {"html": {"href": link}},
                "source": {"branch": {"name": one.branch}, "commit": {"hash": one.oid[:12]},
                           "repository": {"full_name": one.fork or "team/docs"}},
                "destination": {"branch": {"name": one.into}, "repository": {"full_name": "team/docs"}},
            }  # fmt: skip
        head = {"ref": one.branch, "sha": one.oid, "repo": {"full_name": one.fork or "team/docs"}}
        merged = one.state == "merged"
        said: dict[str, Any] = {
            "id": number + 900, "number": number, "title": one.title, "html_url": link,
            "state": "open" if one.state == "open" else "closed", "merged_at": "2026-01-01T00:00:00Z" if merged else None,
            "head": head, "base": {"ref": one.into, "repo": {"full_name": "team/docs"}},
        }  # fmt: skip
        return said | ({"merged": merged} if alone or self.kind == "gitea" else {})

    def _text(self, said: dict[str, Any]) -> str:
        return str(said["content"]["raw"] if self.kind == "bitbucket" else said["body"])

    def _shown(self, number: int) -> dict[str, Any]:
        text = self.comments[number]
        return {"id": number, **({"content": {"raw": text}} if self.kind == "bitbucket" else {"body": text})}

    def _no(self, status: int, method: str, path: str) -> Answer:
        self.wrong.append(f"{method} {path}")
        return _made(status, {"message": "no"})


def _made(status: int, said: Any) -> Answer:
    return status, {"content-type": "application/json"}, json.dumps(said).encode()
