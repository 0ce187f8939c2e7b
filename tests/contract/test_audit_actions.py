"""The audit log's words: every operation that writes has one, no two have the same, and the page of them is kept."""

from __future__ import annotations

import dataclasses
import re

import pytest

from octavo.api.audit import action_of
from octavo.api.routes import OPERATIONS
from octavo.kernel.audit import ACTIONS, LABELS, OTHER_ACTIONS, UNRECORDED

_ACTION = re.compile(r"[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+")


def test_every_operation_that_writes_has_an_action() -> None:
    writing = {row.id for row in OPERATIONS if row.unit.writes}
    assert writing == ACTIONS.keys() | UNRECORDED
    assert not ACTIONS.keys() & UNRECORDED
    for row in OPERATIONS:
        assert (action_of(row) is not None) == (row.id in ACTIONS)


def test_an_operation_that_nobody_named_is_refused() -> None:
    row = next(row for row in OPERATIONS if row.unit.writes)
    with pytest.raises(TypeError, match="writesWithoutAWord"):
        action_of(dataclasses.replace(row, id="writesWithoutAWord"))


def test_actions_are_unique_and_well_formed() -> None:
    assert len(set(ACTIONS.values())) == len(ACTIONS)
    assert not set(ACTIONS.values()) & OTHER_ACTIONS.keys()
    for action, label in LABELS.items():
        assert _ACTION.fullmatch(action), action
        assert label[0].isupper(), action
