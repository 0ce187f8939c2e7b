"""The audit log's words: every operation that writes has one, no two have the same, and none ever changes."""

from __future__ import annotations

import re

from octavo.api.audit import actions
from octavo.api.routes import OPERATIONS
from octavo.kernel.audit import OTHER_ACTIONS
from tests.contract.expectations import AUDITED, UNRECORDED

_ACTION = re.compile(r"[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+")


def test_every_operation_that_writes_has_the_word_that_it_always_had() -> None:
    assert {row.id: row.audit for row in OPERATIONS if row.audit is not None} == AUDITED
    assert {row.id for row in OPERATIONS if row.writes and row.audit is None} == set(UNRECORDED)
    assert not any(row.audit for row in OPERATIONS if not row.writes)


def test_actions_are_unique_and_well_formed() -> None:
    assert len(set(AUDITED.values())) == len(AUDITED)
    assert not set(AUDITED.values()) & OTHER_ACTIONS.keys()
    for action, label in actions(OPERATIONS).items():
        assert _ACTION.fullmatch(action), action
        assert label[0].isupper(), action
