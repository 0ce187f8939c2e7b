"""The operation rows against the specification: names, methods, success codes; what is not there yet is counted."""

from __future__ import annotations

import re

import pytest

from octavo.api.plan import Plan
from octavo.api.router import Router
from octavo.api.routes import OPERATIONS
from octavo.kernel.errors import NotAllowed, NotFound
from octavo.kernel.operation import SCOPES, UNLIMITED, AnyOperation, nothing
from tests.conftest import SPECIFICATION

_ROW = re.compile(r"^\|(\d+)\|(GET|POST|PUT|PATCH|DELETE) ([^|]+)\|(\w+)†?[^|]*\|(\d+)")
_SECTION = re.compile(r"^\|\|\*\*.*?\*\* ?(/[^|…]*)?")
STILL_MISSING = 0
"""Operations of the specification without a row; this number only ever falls."""


def _rows() -> dict[str, tuple[str, str, int]]:
    """operationId -> (method, path, success code) of the numbered rows of the facts."""
    facts = SPECIFICATION / "api-facts.md"
    if not facts.exists():
        pytest.skip("the specification is not beside this checkout")
    found: dict[str, tuple[str, str, int]] = {}
    prefix = ""
    for line in facts.read_text("utf-8").splitlines():
        if section := _SECTION.match(line):
            prefix = (section[1] or "").strip().rstrip("/")
        if row := _ROW.match(line):
            path = row[3].split(" **")[0].strip()
            found[row[4]] = (row[2], prefix + path.removeprefix("…") if path.startswith("…") else path, int(row[5]))
    return found


def _shape(path: str) -> str:
    return re.sub(r"\{[^}]*\}\w*", "{}", path.replace("{c}omment", "{}"))


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.id)
def test_a_row_is_the_specification_s(row: AnyOperation) -> None:
    specified = _rows().get(row.id)
    if specified is None:
        return
    method, path, status = specified
    assert (row.method, row.status) == (method, status)
    assert _shape(row.path) == _shape(path)


def test_what_is_missing_only_shrinks() -> None:
    rows = _rows()
    assert len(rows) == 116
    missing = sorted(set(rows) - {row.id for row in OPERATIONS})
    assert len(missing) <= STILL_MISSING, missing


def test_ids_are_unique_and_every_row_says_what_it_needs() -> None:
    assert len({row.id for row in OPERATIONS}) == len(OPERATIONS)
    for row in OPERATIONS:
        assert row.needs
        assert row.summary
        assert row.writes or row.method in ("GET", "POST")
        assert not (row.writes and row.method == "GET")
        assert row.scope in (None, UNLIMITED, *SCOPES)


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.id)
def test_every_row_can_be_planned(row: AnyOperation) -> None:
    """The words of the path are those of its place, what it needs is in the policy table, its shapes are known."""
    Plan(row)
    assert row.gives is None or row.present is not nothing
    assert (row.status in (204, 205)) == (row.gives is None)


def test_every_row_is_found_by_its_path_and_nothing_else_is() -> None:
    router = Router(OPERATIONS)
    for row in OPERATIONS:
        words = re.findall(r"\{[^}]*\}", row.path)
        path = row.path
        for number, word in enumerate(words):
            path = path.replace(word, f"w%20{number}")
        found, given = router.find(row.method, path)
        assert found is row
        assert given == [f"w {number}" for number in range(len(words))]
        with pytest.raises(NotAllowed):
            router.find("PURGE", path)
        if not row.path.endswith("...}"):
            with pytest.raises((NotFound, NotAllowed)):
                router.find("GET", path.rstrip("/") + "/no/such/thing")
