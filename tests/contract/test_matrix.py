"""Every operation with everybody: what each is answered, against expectations that were written by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from octavo.api.routes import OPERATIONS
from octavo.kernel.operation import ANYBODY, SCOPES
from tests.contract.expectations import EVERY, EXPECTED, NONE
from tests.contract.stage import ROWS, Stage, expected, judged


def test_every_operation_has_an_expectation() -> None:
    for row in OPERATIONS:
        assert row.id in EXPECTED, (
            f"say who may call {row.id} ({row.method} {row.path}): a line with the least role and the scope in"
            " tests/contract/expectations.py, from the specification and not from the code"
        )
    assert not set(EXPECTED) - set(ROWS)


def test_a_row_that_every_valid_token_may_call_says_so_or_says_who() -> None:
    """`anybody` of the expectations are the rows without a rule; the others of them say in words who may."""
    silent = [row.id for row in OPERATIONS if row.needs == ANYBODY and not row.also]
    assert not [id for id in silent if EXPECTED[id][0] != "anybody"]


def test_every_role_guests_and_strangers(stage: Stage) -> None:
    wrong = []
    for row in OPERATIONS:
        for person in stage.people:
            said = judged(row.id, stage.request(row.id, person.token), expected(row.id, person))
            if said:
                wrong.append(f"{person.name}: {said}")
    assert not wrong, "\n".join(wrong)


def test_no_token_a_revoked_one_and_an_expired_one(stage: Stage) -> None:
    admin = stage.user_of(next(one.token for one in stage.people if one.inside == "admin"))
    expired, api = stage.token(admin, lives=-1), stage.world.api
    made = api.post("/v1/user/tokens", {}, token=stage.token(admin)).json
    revoked = made["token"]
    # It is in use, and thus remembered, when it is taken away.
    assert api.get("/v1/user", token=revoked).status == 200
    assert api.delete(f"/v1/user/tokens/{made['id']}", token=revoked).status == 204
    wrong = []
    addresses = _addresses()
    for row in OPERATIONS:
        for name, token in (("none", ""), ("a revoked one", revoked), ("an expired one", expired)):
            reply = stage.request(row.id, token, address=next(addresses))
            if reply.status != (200 if EXPECTED[row.id][0] == "everybody" else 401):
                wrong.append(f"{row.id}: {name} is answered {reply.status} {reply.text[:160]}")
    assert not wrong, "\n".join(wrong)


def _addresses() -> Iterator[str]:
    """So many requests come from no single address."""
    return (f"10.0.{number // 250}.{number % 250}" for number in itertools.count())


def test_tokens_without_the_scope_and_with_nothing_else(stage: Stage) -> None:
    admin = next(one for one in stage.people if one.inside == "admin")
    user = stage.user_of(admin.token)
    only: dict[str, str] = {scope: stage.token(user, scopes=[scope]) for scope in SCOPES}
    but: dict[str, str] = {scope: stage.token(user, scopes=[one for one in SCOPES if one != scope]) for scope in SCOPES}
    every = stage.token(user, scopes=list(SCOPES))
    wrong = []
    for row in OPERATIONS:
        scope, mine = EXPECTED[row.id][1], expected(row.id, admin)
        if scope == EVERY:
            if said := judged(row.id, stage.request(row.id, only["site:ask"]), mine):
                wrong.append(f"with a scope that nothing here needs {said}")
            continue
        reply = stage.request(row.id, every if scope == NONE else but[scope])
        if reply.status != 403 or "scope" not in reply.message:
            wrong.append(f"without {scope} {row.id} is answered {reply.status} {reply.text[:160]}")
        if scope != NONE and (said := judged(row.id, stage.request(row.id, only[scope]), mine)):
            wrong.append(f"with {scope} alone {said}")
    assert not wrong, "\n".join(wrong)
