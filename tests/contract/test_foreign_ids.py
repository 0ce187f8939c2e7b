"""Ids in paths: one that nobody gave leads nowhere, nor does one from elsewhere, in whichever place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from octavo.api.routes import OPERATIONS
from octavo.kernel.operation import AnyOperation
from tests.client import World
from tests.contract.everything import WORD, address, body, everything
from tests.resources.checks import other_organization

MAKES = frozenset(("createOrUpdateOpenAPISpecBySlug", "publishIntegration"))
"""Operations that make what their path names where it is not there."""


def _rows() -> Iterator[tuple[AnyOperation, list[str]]]:
    for row in OPERATIONS:
        words = WORD.findall(row.path.replace("{path...}", ""))
        if len(words) > 1 and row.id not in MAKES:
            yield row, words


def test_an_id_from_elsewhere_leads_nowhere_in_any_place(world: World, tmp_path: Path) -> None:
    own = everything(world, tmp_path, world.organization, "own")
    beside = everything(world, tmp_path, world.organization, "beside")
    abroad = everything(world, tmp_path, other_organization(world)["id"], "abroad")
    wrong: list[str] = []
    for row, words in _rows():
        if row.method == "GET" and "pdf" not in row.path:
            path = address(row, own)
            status = world.api.get(path).status
            assert status == 200, f"{row.id}: {path} is {status}, so that its 404 would say nothing"
        # What belongs to the organization may be named in any of its paths.
        for foreign in (beside, abroad) if "organization" not in words else (abroad,):
            for word in words if foreign is abroad else [word for word in words if word not in ("user", "team")]:
                reply = world.api.request(row.method, address(row, own, foreign, word), body(row, own))
                absent = (404, 204) if row.method == "DELETE" else (404,)
                if reply.status not in absent:
                    wrong.append(f"{row.id}: a foreign {word} is answered {reply.status} {reply.text[:120]}")
    nowhere = defaultdict(lambda: "nothing")
    for row in OPERATIONS:
        for word in WORD.findall(row.path.replace("{path...}", "")):
            if row.id in MAKES or word == "email_domain":
                continue
            reply = world.api.request(row.method, address(row, own, nowhere, word), body(row, own))
            if reply.status not in (400, 403, 404) and (row.method, reply.status) != ("DELETE", 204):
                wrong.append(f"{row.id}: a {word} that nobody gave is answered {reply.status} {reply.text[:120]}")
    assert not wrong, "\n".join(wrong)
    for ids in (own, beside, abroad):
        for row, _ in _rows():
            if row.method == "GET" and "pdf" not in row.path:
                assert world.api.get(address(row, ids)).status == 200, row.id
