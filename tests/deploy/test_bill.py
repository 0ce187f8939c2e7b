"""What operators are told of the libraries: the bill of materials, and known weaknesses."""

from __future__ import annotations

import json
from datetime import date
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest
from tools import audit, bill

TODAY = date(2026, 11, 23)


def _resource(name: str) -> Any:
    return json.loads(files("cyclonedx").joinpath("schema", "_res", f"{name}.SNAPSHOT.schema.json").read_text())


def test_the_bill_is_valid_and_names_every_library_of_the_lock() -> None:
    made = json.loads(bill.BILL.read_text())
    schema, names = _resource("bom-1.6"), ("spdx", "jsf-0.82", "cryptography-defs")
    registry = jsonschema_rs.Registry(
        [(f"http://cyclonedx.org/schema/{name}.SNAPSHOT.schema.json", _resource(name)) for name in names]
    )
    jsonschema_rs.Draft7Validator(schema, registry=registry).validate(made)
    named = {(one["name"], one["version"]) for one in made["components"]}
    assert named == set(bill.locked(bill.LOCK.read_text()))
    assert len(named) > 50
    [itself] = [one for one in made["dependencies"] if one["ref"] == "octavo"]
    assert len(itself["dependsOn"]) == len(named)


def test_the_same_lock_makes_the_same_bytes() -> None:
    assert bill.bill() == bill.bill() == bill.BILL.read_text(), "python tools/bill.py"


def _told(*weaknesses: dict[str, Any], skipped: bool = False) -> dict[str, Any]:
    lone = {"name": "lone", "version": "1", "vulns": list(weaknesses)}
    return {"dependencies": [{"name": "lone", "skip_reason": "not found"} if skipped else lone]}


WEAK = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["2"], "description": "…"}


@pytest.mark.parametrize(
    ("told", "accepted", "code", "line"),
    [
        (_told(), {}, 0, "no known weakness in 1 libraries"),
        (_told(WEAK), {}, 1, "lone 1: PYSEC-1, mended in 2"),
        (_told(WEAK), {"CVE-1": {"reason": "", "until": TODAY}}, 0, "no known weakness in 1 libraries"),
        (_told(WEAK), {"CVE-1": {"reason": "", "until": date(2026, 11, 22)}}, 1, "lone 1: PYSEC-1, mended in 2"),
        (_told(skipped=True), {}, 0, "the database of advisories was not reached: nothing was audited"),
        ({"dependencies": []}, {}, 0, "the database of advisories was not reached: nothing was audited"),
    ],
)
def test_what_is_known_of_them(told: Any, accepted: Any, code: int, line: str) -> None:
    assert audit.judged(told, accepted, TODAY) == (code, [line])
