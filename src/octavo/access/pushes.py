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


class Pushed(msgspec.Struct, frozen=True):
    """What a post tells; `refs` are the branches in full, empty where it does not say which."""

    event: Literal["push", "pull", "other"]
    refs: list[str]


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
        return Pushed("pull", [])
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
        new = change.get("new") if isinstance(change, dict) else None
        if isinstance(new, dict) and new.get("type") == "branch" and isinstance(new.get("name"), str):
            found.append(f"refs/heads/{new['name']}")
    return found


def _sign(secret: str, data: bytes) -> str:
    return hmac.new(secret.encode(), data, hashlib.sha256).hexdigest()


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
