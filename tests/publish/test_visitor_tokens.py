"""Tokens of visitors that held once: known again as long as they hold, and by the key that signed them alone."""

from __future__ import annotations

import time

import jwt
import pytest

from octavo.site import tokens
from octavo.site.tokens import read_token

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
    word = jwt.encode({"nbf": int(time.time()) + 60}, KEY, algorithm="HS256")
    assert read_token(word, KEY) is None
    assert read_token(jwt.encode({}, KEY, algorithm="HS256"), KEY) is not None
    assert read_token(word, KEY) is None, "a refusal is not taken for another token's answer"
