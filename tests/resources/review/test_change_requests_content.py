"""/spaces/{space}/change-requests/{cr}/content: its own line of content. What all places share is in test_content_get."""

from __future__ import annotations

from tests.client import World
from tests.resources.proposals import propose, texts_of, write_primary


def test_it_has_the_edits_and_primary_content_has_not(world: World) -> None:
    space = world.space(empty=True)["id"]
    write_primary(world, space, {"Nests": "# Nests\n"})
    one, other = propose(world, space), propose(world, space)
    made = one.write({"Nests": "# Nests\n\nMoss.\n", "Eggs": "# Eggs\n"})
    assert one.get("/content")["id"] == one.shown["revision"] == made
    assert texts_of(world, one.path + "/content") == {"Nests": "# Nests\n\nMoss.\n", "Eggs": "# Eggs\n"}
    for content in (f"/v1/spaces/{space}/content", other.path + "/content"):
        assert texts_of(world, content) == {"Nests": "# Nests\n"}
    assert texts_of(world, f"/v1/spaces/{space}/revisions/{made}") == texts_of(world, one.path + "/content")


def test_it_does_not_follow_primary_content(world: World) -> None:
    space = world.space(empty=True)["id"]
    one = propose(world, space)
    write_primary(world, space, {"News": "# News\n"})
    assert one.get("/content/pages") == {"pages": []}


def test_pages_have_their_address_in_the_change_request(world: World) -> None:
    one = propose(world, texts={"Eggs": "# Eggs\n"})
    app = one.shown["urls"]["app"]
    content = one.get("/content")
    assert content["urls"]["app"] == app
    for page in content["pages"]:
        assert page["urls"]["app"] == f"{app}/{page['id']}"
        assert one.get(f"/content/page/{page['id']}")["urls"] == page["urls"]


def test_an_edit_is_seen_at_once(world: World) -> None:
    one = propose(world, texts={"Eggs": "# Eggs\n"})
    first = world.api.get(one.path + "/content/path/eggs?format=markdown")
    assert "etag" not in first.headers
    one.write({"Eggs": "# Eggs\n\nTwo.\n"})
    assert one.get("/content/path/eggs?format=markdown")["markdown"] == "# Eggs\n\nTwo.\n"


def test_content_is_found_by_number_and_by_id_within_its_space_only(world: World) -> None:
    one, other = propose(world, texts={"Eggs": "# Eggs\n"}), propose(world)
    base = f"/v1/spaces/{one.space}/change-requests"
    page = one.get("/content/pages")["pages"][-1]["id"]
    assert world.api.get(f"{base}/{one.id}/content").json == one.get("/content")
    for path in (
        f"{base}/{other.id}/content", f"{base}/2/content", f"{base}/nothing/content/pages",
        f"{other.path}/content/page/{page}", f"{one.path}/content/page/nothing", f"{one.path}/content/files/nothing",
        f"{one.path}/content/path/nothing", f"{one.path}/content/reusable-contents/nothing",
        f"{one.path}/content/page/nothing/meta-links",
    ):  # fmt: skip
        assert world.api.get(path).status == 404, path


def test_a_merged_one_is_still_read(world: World) -> None:
    one = propose(world, texts={"Eggs": "# Eggs\n"})
    before = one.get("/content")
    one.become("merged")
    write_primary(world, one.space, {"Eggs": None})
    assert one.get("/content") == before
