"""Saving a text that began from an older revision: what others wrote meanwhile is joined with it, and nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.client import Reply, World

LINES = "# Mills\n\nOne turns.\n\nTwo stands.\n\nThree is sold.\n"


class Draft:
    """A change request with one page."""

    def __init__(self, world: World) -> None:
        self.api = world.api
        space = world.space(empty=True)["id"]
        request = world.api.post(f"/v1/spaces/{space}/change-requests", {"subject": "Mills"}).json
        self.path = f"/v1/spaces/{space}/change-requests/{request['number']}"
        change = {"operation": "insert_page", "title": "Mills", "document": {"markdown": LINES}}
        self.page = self.send(change).json["changes"][0]["page"]["id"]

    def send(self, change: dict[str, Any]) -> Reply:
        return self.api.post(f"{self.path}/content?compat=false", {"changes": [change]})

    def save(self, text: str, revision: str) -> Reply:
        document = {"markdown": text}
        return self.send({"operation": "update_page", "page": self.page, "document": document, "revision": revision})

    def keep(self, document: Any, revision: str, **fields: str) -> Reply:
        change = {"operation": "update_page", "page": self.page, "document": {"document": document}}
        return self.send(change | {"revision": revision} | fields)

    @property
    def document(self) -> Any:
        return self.api.get(f"{self.path}/content/page/{self.page}?format=document").json["document"]

    @property
    def revision(self) -> str:
        return str(self.api.get(self.path).json["revision"])

    @property
    def text(self) -> str:
        return str(self.api.get(f"{self.path}/content/page/{self.page}?format=markdown").json["markdown"])


@pytest.fixture
def draft(world: World) -> Draft:
    return Draft(world)


def test_what_others_wrote_elsewhere_on_the_page_stays(draft: Draft) -> None:
    began = draft.revision
    assert draft.save(LINES.replace("One turns", "One turns slowly"), began).status == 200
    reply = draft.save(LINES.replace("Three is sold", "Three is gone"), began)
    assert (reply.status, "conflicts" in reply.json) == (200, False)
    assert draft.text == LINES.replace("One turns", "One turns slowly").replace("Three is sold", "Three is gone")


def test_of_the_same_line_both_stay(draft: Draft) -> None:
    began = draft.revision
    draft.save(LINES.replace("Two stands", "Two leans"), began)
    reply = draft.save(LINES.replace("Two stands", "Two fell"), began)
    assert (reply.status, reply.json["conflicts"]) == (200, [draft.page])
    assert "Two leans." in draft.text
    assert "Two fell." in draft.text
    assert "what was saved later" in draft.text


def test_nobody_else_wrote(draft: Draft) -> None:
    began = draft.revision
    text = LINES + "\nFour burnt.\n"
    assert draft.save(text, began).status == 200
    assert draft.text == text
    assert draft.save("# Mills\n", draft.revision).status == 200
    assert draft.text == "# Mills\n"


def test_what_it_goes_with(draft: Draft) -> None:
    named = {"operation": "update_page", "page": draft.page, "revision": draft.revision}
    for change, wrong in (
        (named, "goes with `document`"),
        (named | {"document": {"markdown": "x"}, "revision": "nothing"}, "changes[0].revision: "),
    ):
        reply = draft.send(change)
        assert (reply.status, wrong in reply.message) == (400, True), reply.text
    began = draft.revision
    draft.send({"operation": "delete_page", "page": draft.page})
    assert draft.save("# Mills\n\nWho reads this?\n", began).status in (400, 404)


def _with(document: Any, old: str, new: str) -> Any:
    """A document with other words."""
    return json.loads(json.dumps(document).replace(old, new))


def test_a_document_is_joined_as_a_text_is(draft: Draft) -> None:
    document = draft.document
    began = draft.revision
    assert draft.save(LINES.replace("One turns", "*One*   turns"), began).status == 200
    reply = draft.keep(
        _with(document, "Three is sold", "Three is gone"), began, title="Old mills", description="Of wind"
    )
    assert (reply.status, "conflicts" in reply.json) == (200, False)
    text = LINES.replace("# Mills", "# Old mills").replace("One turns", "*One*   turns").replace("sold", "gone")
    assert draft.text == "---\ndescription: Of wind\n---\n\n" + text
    # What somebody else took away and what is not a document: nothing is half-written.
    began, document = draft.revision, draft.document
    reply = draft.keep(_with(document, "Two stands", "Two fell"), began)
    assert reply.status == 200
    reply = draft.keep(_with(document, "Two stands", "Two leans"), began)
    assert (reply.status, reply.json["conflicts"]) == (200, [draft.page])
    assert ("Two fell." in draft.text, "Two leans." in draft.text) == (True, True)
    before = draft.revision
    hint = {"object": "block", "type": "hint", "data": {"style": "loud"}, "isVoid": False, "nodes": []}
    reply = draft.keep({"object": "document", "nodes": [hint]}, began)
    assert (reply.status, "hint style" in reply.message, draft.revision) == (400, True, before), reply.text


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=1, max_size=8))
def test_no_line_of_either_side_is_lost(draft: Draft, edits: list[tuple[bool, int]]) -> None:
    """Two people add lines at random places of what each of them saw last."""
    draft.save(LINES, draft.revision)
    seen = [(draft.text, draft.revision)] * 2
    written = []
    for number, (second, place) in enumerate(edits):
        text, began = seen[second]
        words = f"Line {number} of {'Bo' if second else 'Ann'}."
        blocks = text.rstrip("\n").split("\n\n")
        blocks.insert(1 + place % len(blocks), words)
        reply = draft.save("\n\n".join(blocks) + "\n", began)
        assert reply.status == 200, reply.text
        written.append(words)
        if number % 2:
            seen[second] = (draft.text, draft.revision)
    final = draft.text
    assert [words for words in written if words not in final] == []
