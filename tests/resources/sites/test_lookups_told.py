"""What the tokens of visits do not read along with what they read: of people, and of what is for others."""

from __future__ import annotations

from tests.client import World
from tests.resources.sites.test_lookups import look_up, read
from tests.resources.writing import Line


def test_visitors_are_not_told_of_the_change_request_that_was_merged(world: World) -> None:
    space = world.space("Guide")["id"]
    site = world.site(space)
    line = Line(world, space, subject="The quarrel over terns")
    world.api.patch(line.path, {"description": {"markdown": "Ada was against it."}})
    line.insert("# Terns\n\nThey nest.\n")
    line.post("merge")
    head = world.api.get(f"/v1/spaces/{space}/content").json
    assert head["mergedFrom"]["subject"] == "The quarrel over terns"
    found = look_up(world, site["urls"]["published"]).json
    for path in ("content", f"revisions/{head['id']}"):
        shown = read(world, found, f"spaces/{space}/{path}")
        assert shown.status == 200
        assert "mergedFrom" not in shown.json
        assert not [word for word in ("quarrel", "against", "@example.test") if word in shown.text]
