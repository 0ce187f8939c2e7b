"""Comments stay with what they are about while pages are edited, moved, merged and deleted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World
from tests.resources.checks import count_statements
from tests.resources.proposals import propose, write_primary
from tests.resources.talking import TEXT, Talk, on_change_request, on_primary
from tests.resources.writing import Line


@pytest.fixture(params=[on_primary, on_change_request])
def talk(request: pytest.FixtureRequest, world: World) -> Talk:
    made: Talk = request.param(world)
    return made


def about(talk: Talk, at: int = 0) -> Any:
    """A comment on one of the page's blocks."""
    return talk.say(page=talk.page["id"], node=talk.nodes[at]["key"])


def where(talk: Talk, comment: Any) -> tuple[str, bool]:
    """(key of the node, outdated) as served now; alone and in a list it is the same."""
    shown = talk.shown(comment)
    listed = {one["id"]: one for one in talk.get(talk.path)["items"]}
    assert listed[comment["id"]] == shown
    return shown["target"]["node"]["id"], shown["target"]["page"]["outdated"]


def test_an_edit_elsewhere_on_the_page_changes_nothing(talk: Talk) -> None:
    made = about(talk)
    talk.rewrite("# Birds\n\nA new beginning.\n\n" + TEXT.removeprefix("# Birds\n\n").replace("Terns", "Gulls"))
    assert where(talk, made) == (made["target"]["node"]["id"], False)
    assert talk.shown(made)["target"]["revision"] == made["target"]["revision"] != talk.get(talk.owner)["revision"]


def test_an_edit_of_the_node_is_followed_and_outdates(talk: Talk) -> None:
    made, other = about(talk), about(talk, 2)
    talk.rewrite("# Birds\n\nFirst of all.\n\n" + TEXT.replace("# Birds\n\n", "").replace("and wait", "for hours"))
    assert talk.nodes[1]["key"] != made["target"]["node"]["id"]
    assert where(talk, made) == (talk.nodes[1]["key"], True)
    assert talk.shown(made)["target"]["node"]["preview"] == "Herons stand in the shallows and wait."
    assert where(talk, other) == (other["target"]["node"]["id"], False)
    talk.rewrite(TEXT)
    assert where(talk, made) == (made["target"]["node"]["id"], False)


def test_a_node_that_is_gone_outdates(talk: Talk) -> None:
    made = about(talk)
    talk.rewrite("# Birds\n\nNothing like that.\n")
    assert where(talk, made) == (made["target"]["node"]["id"], True)
    talk.rewrite("")
    assert where(talk, made) == (made["target"]["node"]["id"], True)


def test_a_node_within_a_block_is_found_again(talk: Talk) -> None:
    item = talk.nodes[1]["nodes"][1]
    made = talk.say(page=talk.page["id"], node=item["key"])
    assert made["target"]["node"]["preview"] == "two eggs"
    talk.rewrite(TEXT.replace("* one egg\n", "* three eggs\n* one egg\n"))
    assert where(talk, made) == (item["key"], False)
    talk.rewrite(TEXT.replace("two eggs", "two blue eggs"))
    assert where(talk, made) == (talk.nodes[1]["nodes"][1]["key"], True)


def test_a_page_that_is_deleted_outdates_and_is_still_named(talk: Talk) -> None:
    page = talk.page["id"]
    node, whole = about(talk), talk.say(page=page)
    assert talk.shown(whole)["target"]["page"]["outdated"] is False
    talk.rewrite(None)
    for made in (node, whole):
        assert talk.shown(made)["target"]["page"] == {"id": page, "outdated": True, "title": "Birds"}
    assert where(talk, node) == (node["target"]["node"]["id"], True)
    assert talk.get(f"{talk.path}?targetPage={page}")["count"] == 2


def test_a_comment_on_a_page_is_not_outdated_by_its_text(talk: Talk) -> None:
    made = talk.say(page=talk.page["id"])
    talk.rewrite("# Birds\n\nNothing like that.\n")
    assert talk.shown(made)["target"]["page"]["outdated"] is False


def test_moving_and_merging_keep_it_attached(world: World) -> None:
    """By way of a change request: the page gets another title and place, and a text before the node."""
    talk = on_primary(world)
    made = about(talk)
    line = Line(world, talk.space)
    page = talk.page["id"]
    parent = line.insert("# Shelf\n\nOf birds.\n")
    line.write(
        {
            "operation": "update_page",
            "page": page,
            "into": parent,
            "document": {"markdown": TEXT.replace("# Birds", "# Water birds\n\nFirst.")},
            "emoji": "🐦",
        }
    )
    assert where(talk, made) == (made["target"]["node"]["id"], False)
    assert talk.shown(made)["target"]["page"]["title"] == "Birds"
    line.post("merge")
    assert where(talk, made) == (made["target"]["node"]["id"], False)
    shown = talk.shown(made)["target"]["page"]
    assert (shown["title"], shown["path"], shown["emoji"]) == ("Water birds", "shelf/birds", "1f426")


def test_an_update_of_the_change_request_keeps_it_attached(world: World) -> None:
    space = world.space()["id"]
    write_primary(world, space, {"Birds": TEXT, "Eggs": "# Eggs\n"})
    one = propose(world, space)
    talk = Talk(
        world, space, one.path + "/comments", lambda text: write_primary(world, space, {"Birds": text}), one.path
    )
    made, other = about(talk), about(talk, 2)
    talk.rewrite(TEXT.replace("shallows and", "shallows of lakes and"))
    assert where(talk, made) == (made["target"]["node"]["id"], False)
    assert one.post("/update").status == 200
    assert where(talk, made) == (talk.nodes[0]["key"], True)
    assert where(talk, other) == (other["target"]["node"]["id"], False)


def test_many_comments_read_each_document_once(world: World) -> None:
    talk = on_primary(world)
    texts = {f"Page {at}": f"# Page {at}\n\nWords of page {at}.\n" for at in range(12)}
    write_primary(world, talk.space, dict(texts))
    for page in (one for one in talk.get(f"{talk.owner}/content/pages")["pages"] if one["title"] in texts):
        document = talk.get(f"{talk.owner}/content/page/{page['id']}?format=document")["document"]
        for _ in range(2):
            talk.say(page=page["id"], node=document["nodes"][0]["key"])
    write_primary(world, talk.space, {title: text.replace("Words", "Some words") for title, text in texts.items()})
    talk.get(f"{talk.owner}/content/pages")
    asked = world.run(count_statements(world, talk.path + "?limit=100"))
    assert asked < 20, "12 pages, each in two revisions"
    assert {one["target"]["page"]["outdated"] for one in talk.get(talk.path)["items"]} == {True}
    assert min(world.run(count_statements(world, talk.path + "?limit=100")) for _ in range(3)) < asked
