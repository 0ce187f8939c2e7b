"""The bodies that the description of the API shows are sent, each to every operation that takes it."""

from __future__ import annotations

from octavo.api.examples import EXAMPLES, example_of
from tests.contract.everything import filled
from tests.contract.stage import ROWS, Stage, judged


def test_every_example_runs(stage: Stage) -> None:
    token = next(one.token for one in stage.people if one.inside == "admin")
    taking = [row for row in ROWS.values() if row.in_body]
    assert {row.takes.__name__ for row in taking} == {name for name in EXAMPLES if name not in ROWS}
    wrong = []
    for row in taking:
        ids = {"updateUserById user": stage.user_of(token)}
        reply = stage.request(row.id, token, ids, filled(example_of(row), stage.ids))
        wrong.append(judged(row.id, reply, None))
    assert [one for one in wrong if one] == []
