"""Posts of Git hosts: who signed them, by the examples that the hosts themselves give, and what they tell."""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import urlencode

import pytest

from octavo.access.pushes import TOLERANCE, Pushed, is_signed, told

NOW = 1_700_000_000_000
SECRET, BODY = "It's a Secret to Everybody", b"Hello, World!"
# From GitHub's documentation of webhooks.
DIGEST = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"


def _plain(at: int, secret: str = SECRET, body: bytes = BODY) -> dict[str, str]:
    said = hmac.new(secret.encode(), str(at).encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"x-octavo-signature": f"t={at},v1={said}"}


@pytest.mark.parametrize(
    "headers",
    [
        {"x-hub-signature-256": f"sha256={DIGEST}"},
        {"x-gitea-signature": DIGEST},
        {"x-hub-signature": f"sha256={DIGEST}"},
        {"x-gitlab-token": SECRET},
        _plain(NOW // 1000),
    ],
    ids=["GitHub", "Gitea", "Bitbucket", "GitLab", "plain"],
)
def test_who_knows_the_secret_signed_it(headers: dict[str, str]) -> None:
    assert is_signed(headers, BODY, SECRET, NOW)
    assert not is_signed(headers, BODY, SECRET + "x", NOW)
    if "x-gitlab-token" not in headers:
        assert not is_signed(headers, BODY + b"!", SECRET, NOW)
    broken = {name: value[:-1] + ("1" if value[-1] != "1" else "2") for name, value in headers.items()}
    assert not is_signed(broken, BODY, SECRET, NOW)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-hub-signature-256": ""},
        {"x-hub-signature": "sha1=" + hmac.new(SECRET.encode(), BODY, hashlib.sha1).hexdigest()},
        {"x-gitlab-token": ""},
        {"x-hub-signature-256": "sha256=\u00fc"},
        {"x-octavo-signature": "v1=1"},
        {"x-octavo-signature": "t=\u0661,v1=1"},
        # A second, wrong one does not pass by the first.
        {"x-gitlab-token": "wrong", "x-hub-signature-256": f"sha256={DIGEST}"},
    ],
)
def test_nobody_else_did(headers: dict[str, str]) -> None:
    assert not is_signed(headers, BODY, SECRET, NOW)


def test_a_plain_signature_is_of_its_time() -> None:
    for off, right in ((TOLERANCE, True), (-TOLERANCE, True), (TOLERANCE + 1000, False), (-TOLERANCE - 1000, False)):
        assert is_signed(_plain((NOW + off) // 1000), BODY, SECRET, NOW) is right


@pytest.mark.parametrize(
    ("headers", "body", "pushed"),
    [
        ({"x-github-event": "push"}, b'{"ref": "refs/heads/main"}', Pushed("push", ["refs/heads/main"])),
        ({"x-gitlab-event": "Push Hook"}, b'{"ref": "refs/heads/a/b"}', Pushed("push", ["refs/heads/a/b"])),
        ({"x-gitea-event": "push"}, b'{"ref": "refs/tags/v1"}', Pushed("push", ["refs/tags/v1"])),
        (
            {"x-event-key": "repo:push"},
            b'{"push": {"changes": [{"new": {"type": "branch", "name": "main"}}, {"new": null}]}}',
            Pushed("push", ["refs/heads/main"]),
        ),
        ({}, b"", Pushed("push", [])),
        ({}, b"[]", Pushed("push", [])),
        ({"x-github-event": "ping"}, b"{}", Pushed("other", [])),
        ({"x-github-event": "pull_request"}, b"{}", Pushed("pull", [])),
        ({"x-gitlab-event": "Merge Request Hook"}, b"{}", Pushed("pull", [])),
        (
            {"x-github-event": "push", "content-type": "application/x-www-form-urlencoded"},
            urlencode({"payload": '{"ref": "refs/heads/main"}'}).encode(),
            Pushed("push", ["refs/heads/main"]),
        ),
    ],
)
def test_what_they_tell(headers: dict[str, str], body: bytes, pushed: Pushed) -> None:
    assert told(headers, body) == pushed


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="no JSON"):
        told({}, b"{")
