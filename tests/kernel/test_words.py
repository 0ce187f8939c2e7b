"""The words that everyone uses: moments, ids, tokens, and refusals that give no token away."""

from __future__ import annotations

import re

import pytest

from octavo.kernel import errors
from octavo.kernel.clock import DAY, iso, system_clock
from octavo.kernel.errors import Failure, NotAllowed, absent
from octavo.kernel.ids import new_id, new_token, token_hash


@pytest.mark.parametrize(
    ("at", "said"),
    [(0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z")],
)
def test_a_moment_is_said_to_the_millisecond(at: int, said: str) -> None:
    assert iso(at) == said


def test_the_clock_tells_milliseconds() -> None:
    assert iso(system_clock()) > iso(20_000 * DAY)


def test_ids_are_safe_in_addresses_and_never_the_same() -> None:
    made = [new_id() for _ in range(1000)]
    assert all(re.fullmatch(r"[\w-]{22}", one, re.ASCII) for one in made)
    assert len({*made}) == 1000


def test_a_token_is_known_by_its_beginning_and_kept_as_a_hash() -> None:
    token = new_token()
    assert token.startswith("octavo_")
    assert len(token) == len("octavo_") + 43
    assert token != new_token()
    assert re.fullmatch("[0-9a-f]{64}", token_hash(token))
    assert token_hash(token) != token_hash(token[:-1])
    assert token_hash("\ud800"), "whatever was sent has a hash"


def test_a_refusal_never_repeats_a_token() -> None:
    token = new_token()
    for failure in (absent("space", token), errors.BadRequest(f"{token} and {token}"), NotAllowed(token, ["GET"])):
        assert token not in str(failure)
        assert "octavo_…" in failure.message


def test_every_refusal_has_a_status_of_its_own() -> None:
    every = Failure.__subclasses__()
    statuses = [one.status for one in every]
    assert len({*statuses}) == len(statuses)
    assert all(400 <= status < 600 for status in statuses)
    named = dict(re.findall(r"^[├└]── (\w+) +(\d{3})", errors.__doc__ or "", re.MULTILINE))
    assert named == {one.__name__: str(one.status) for one in every}
