"""Posts by which Git hosts tell of pushes: whether one was signed with the secret of a space, and what it tells.

Each host signs in its own way; what is compared is compared in a time that tells nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import parse_qs

import msgspec

from octavo.kernel.clock import MINUTE

TOLERANCE = 5 * MINUTE
"""Milliseconds by which the time of a plain signature may be off."""
PUSH, OTHER = "push", "other"
_EVENTS = ("x-github-event", "x-gitea-event", "x-gitlab-event", "x-event-key")
_PUSHES = {"push", "repo:push", "push hook", "tag push hook"}
_PULLS = {
    "pull_request", "pull_request_sync", "merge request hook", "pullrequest:created", "pullrequest:updated",
    "pullrequest:fulfilled", "pullrequest:rejected",
}  # fmt: skip


class Pull(msgspec.Struct, frozen=True):
    """A pull request, or merge request: from the branch `ref` into the branch `into`, both in full."""

    number: int
    ref: str
    into: str
    state: Literal["open", "closed", "merged"]
    title: str
    link: str | None
    fork: bool
    """Whether `ref` is one of another repository, under the name that this one has for it."""
    head: str = ""
    """The commit at which `ref` is, or was when it came to an end, or how it begins; empty where that is not told."""


class Pushed(msgspec.Struct, frozen=True):
    """What a post tells; `refs` are the branches in full, empty where it does not say which."""

    event: Literal["push", "pull", "other"]
    refs: list[str]
    pull: Pull | None = None


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: int) -> bool:
    """Whether whoever sent the body knows the secret; `headers` have lower-case names, `now` is in milliseconds.

    GitHub, Gitea and Bitbucket sign the body, GitLab shows the secret, and a plain sender signs its time with the body:
    `X-Octavo-Signature: t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>", hexadecimal>`.
    """
    plain = headers.get("x-octavo-signature")
    if plain is not None:
        fields = dict(part.strip().partition("=")[::2] for part in plain.split(","))
        written = fields.get("t", "")
        if not (written.isascii() and written.isdigit() and len(written) <= 12):
            return False
        if abs(now - int(written) * 1000) > TOLERANCE:
            return False
        return _same(fields.get("v1", ""), _sign(secret, written.encode() + b"." + body))
    if (shown := headers.get("x-gitlab-token")) is not None:
        return _same(shown, secret)
    for name in ("x-hub-signature-256", "x-gitea-signature", "x-hub-signature"):
        if (given := headers.get(name)) is not None:
            return _same(given.removeprefix("sha256="), _sign(secret, body))
    return False


def told(headers: Mapping[str, str], body: bytes) -> Pushed:
    """What a post tells. Raises ValueError where it is no JSON, or a form without one."""
    event = next((headers[name].lower() for name in _EVENTS if name in headers), "push")
    if headers.get("content-type", "").partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
        body = parse_qs(body.decode(errors="replace"), max_num_fields=10).get("payload", [""])[0].encode()
    try:
        said = msgspec.json.decode(body) if body.strip() else {}
    except msgspec.DecodeError as error:
        raise ValueError("the body is no JSON") from error
    if event in _PULLS:
        return Pushed("pull", [], pull_of(said) if isinstance(said, dict) else None)
    if event not in _PUSHES:
        return Pushed("other", [])
    return Pushed("push", _refs(said) if isinstance(said, dict) else [])


def _refs(said: dict[str, Any]) -> list[str]:
    if isinstance(said.get("ref"), str):
        return [said["ref"]]
    push = said.get("push")
    changes = push.get("changes") if isinstance(push, dict) else None
    found = []
    for change in changes if isinstance(changes, list) else []:
        new = (change.get("new") or change.get("old")) if isinstance(change, dict) else None
        if isinstance(new, dict) and new.get("type") == "branch" and isinstance(new.get("name"), str):
            found.append(f"refs/heads/{new['name']}")
    return found


def pull_of(said: dict[str, Any]) -> Pull | None:
    """The pull request that a post is about, as GitHub, Gitea, GitLab or Bitbucket tells it; None where it is none."""
    try:
        if "object_attributes" in said:
            return _of_gitlab(said["object_attributes"])
        if "pullrequest" in said:
            return _of_bitbucket(said["pullrequest"])
        return _of_github(said["pull_request"]) if "pull_request" in said else None
    except (KeyError, TypeError, AttributeError, ValueError):
        return None


def pull_listed(provider: str, said: dict[str, Any]) -> Pull | None:
    """The pull request that the API of a host answers; None where it is none that could be followed."""
    read = {"gitlab": _of_gitlab, "bitbucket": _of_bitbucket}.get(provider, _of_github)
    try:
        return read(said)
    except (KeyError, TypeError, AttributeError, ValueError):
        return None


def _of_github(pull: dict[str, Any]) -> Pull:
    """Gitea tells the same."""
    head, base, number = pull["head"], pull["base"], int(pull["number"])
    fork = (head.get("repo") or {}).get("full_name") != (base.get("repo") or {}).get("full_name")
    # A list has no `merged`.
    state = "merged" if pull.get("merged") or pull.get("merged_at") else "open" if pull["state"] == "open" else "closed"
    ref = f"refs/pull/{number}/head" if fork else f"refs/heads/{head['ref']}"
    link, sha = pull.get("html_url"), head.get("sha")
    return _pull(number, ref, base["ref"], state, pull.get("title"), link, fork=fork, head=sha)


def _of_gitlab(pull: dict[str, Any]) -> Pull:
    number = int(pull["iid"])
    fork = pull["source_project_id"] != pull["target_project_id"]
    state = {"opened": "open", "locked": "open", "merged": "merged"}.get(pull["state"], "closed")
    ref = f"refs/merge-requests/{number}/head" if fork else f"refs/heads/{pull['source_branch']}"
    link, sha = pull.get("web_url") or pull.get("url"), pull.get("sha")
    return _pull(number, ref, pull["target_branch"], state, pull.get("title"), link, fork=fork, head=sha)


def _of_bitbucket(pull: dict[str, Any]) -> Pull | None:
    source, into = pull["source"], pull["destination"]
    fork = source["repository"]["full_name"] != into["repository"]["full_name"]
    if fork:
        # It has no name here by which its commits could be fetched.
        return None
    state = {"OPEN": "open", "MERGED": "merged"}.get(pull["state"], "closed")
    link = pull.get("links", {}).get("html", {}).get("href")
    ref = f"refs/heads/{source['branch']['name']}"
    sha = (source.get("commit") or {}).get("hash")
    return _pull(int(pull["id"]), ref, into["branch"]["name"], state, pull.get("title"), link, fork=False, head=sha)


def _pull(
    number: int, ref: str, into: str, state: str, title: object, link: object, *, fork: bool, head: object = None
) -> Pull:
    shown = link if isinstance(link, str) and link.startswith(("https://", "http://")) and len(link) <= 2048 else None
    named = " ".join(str(title or "").split())[:200]
    return Pull(number, ref, f"refs/heads/{into}", state, named, shown, fork, head if isinstance(head, str) else "")  # type: ignore[arg-type]


def _sign(secret: str, data: bytes) -> str:
    return hmac.new(secret.encode(), data, hashlib.sha256).hexdigest()


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
