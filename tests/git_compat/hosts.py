"""APIs of Git hosts for tests: what GitHub, GitLab, Gitea and Bitbucket answer to statuses of commits and to comments, in the
shapes that they document; whatever else is asked is a mistake that the test sees."""

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
_STATES = {
    "github": {"pending", "success", "failure", "error"},
    "gitlab": {"pending", "running", "success", "failed", "canceled", "skipped"},
    "gitea": {"pending", "success", "failure", "error", "warning"},
    "bitbucket": {"SUCCESSFUL", "FAILED", "INPROGRESS", "STOPPED"},
}
Answer = tuple[int, dict[str, str], bytes]


@dataclass
class HostApi:
    """One host with one repository, `docs`."""

    kind: str
    statuses: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
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
