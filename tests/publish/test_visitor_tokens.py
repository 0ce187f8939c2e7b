"""Tokens of visitors that held once: known again as long as they hold, and by the key that signed them alone."""

from __future__ import annotations

import json
import time
from typing import Any

import jwt
import pytest
from jwt import api_jws

from octavo.site import tokens
from octavo.site.tokens import read_token
from tests.client import World
from tests.publish.browsing import Guarded

KEY, OTHER = "k" * 32, "o" * 32


def test_a_token_that_held_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    word = jwt.encode({"plan": "pro", "exp": int(time.time()) + 60}, KEY, algorithm="HS256")
    for _ in range(2):
        held = read_token(word, KEY)
        assert held is not None
        assert held.claims["plan"] == "pro"
        assert read_token(word, OTHER) is None
    later = time.time() + 61
    monkeypatch.setattr(tokens.time, "time", lambda: later)
    assert read_token(word, KEY) is None


def test_a_token_that_does_not_hold_yet_is_asked_again() -> None:
    word = jwt.encode({"nbf": int(time.time()) + 120}, KEY, algorithm="HS256")
    assert read_token(word, KEY) is None
    assert read_token(jwt.encode({}, KEY, algorithm="HS256"), KEY) is not None
    assert read_token(word, KEY) is None, "a refusal is not taken for another token's answer"


def test_whoever_signs_may_number_people_and_be_a_little_ahead(world: World) -> None:
    site = Guarded(world, world.site(world.space("Guide")["id"], visibility="visitor-auth"))
    key, now = site.key, int(time.time())

    def let_in(**claims: Any) -> bool:
        word = api_jws.encode(json.dumps(claims).encode(), key, algorithm="HS256")
        browser = site.browser()
        browser.get(f"{site.base}?jwt_token={word}")
        return browser.get(site.base).status == 200

    right: tuple[dict[str, Any], ...] = (
        {"sub": 7}, {"jti": 12}, {"sub": None}, {"sub": "7", "jti": "12"}, {"iat": now + 10}, {"nbf": now + 10},
        {"iat": now + 10, "nbf": now + 10, "exp": now + 600},
    )  # fmt: skip
    wrong: tuple[dict[str, Any], ...] = (
        {"nbf": now + 300}, {"iat": now + 300}, {"exp": now - 1}, {"exp": now - 30}, {"nbf": "soon"}, {"iat": "today"},
    )  # fmt: skip
    assert [let_in(**claims) for claims in right] == [True] * len(right)
    assert [let_in(**claims) for claims in wrong] == [False] * len(wrong)
