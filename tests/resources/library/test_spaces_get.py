"""GET /spaces/{space}."""

from __future__ import annotations

from octavo.kernel.records.library import Space
from tests.client import World
from tests.resources.checks import check_roles


def _delete(world: World, space: str) -> None:
    """As deleting it does: the time is noted, nothing goes."""

    async def work(unit: object) -> None:
        found: Space = await unit.spaces.get(space)  # type: ignore[attr-defined]
        await unit.spaces.change(found, deleted_at=unit.now)  # type: ignore[attr-defined]

    world.run(world.house.store.write(work))


def test_every_member_reads_it(world: World) -> None:
    space = world.space()
    check_roles(world, "read", "GET", f"/v1/spaces/{space['id']}", success=200)


def test_a_guest_reads_what_was_granted(world: World) -> None:
    shown, hidden = world.space("Shown"), world.space("Hidden")
    guest = world.person("guest")
    world.grant(guest, "space", shown["id"], "comment")
    got = world.api.get(f"/v1/spaces/{shown['id']}", token=guest)
    assert got.status == 200
    assert got.json["permissions"]["comment"] is True
    assert got.json["permissions"]["edit"] is False
    assert world.api.get(f"/v1/spaces/{hidden['id']}", token=guest).status == 404


def test_an_absent_one_and_one_out_of_sight_look_alike(world: World) -> None:
    space, stranger = world.space(), world.person(None)
    absent = world.api.get("/v1/spaces/nothing", token=stranger)
    unseen = world.api.get(f"/v1/spaces/{space['id']}", token=stranger)
    assert absent.status == unseen.status == 404
    assert absent.message.replace("nothing", "*") == unseen.message.replace(space["id"], "*")


def test_a_share_key_that_means_nothing_is_ignored(world: World) -> None:
    space = world.space()
    assert world.api.get(f"/v1/spaces/{space['id']}?shareKey=nonsense&other=1").json == space


def test_visibility_is_the_most_open_of_published_sites(world: World) -> None:
    space = world.space()
    path = f"/v1/spaces/{space['id']}"
    world.site(space["id"], title="Draft", publish=False)
    assert world.api.get(path).json["visibility"] == "private"
    assert "public" not in world.api.get(path).json["urls"]
    world.site(space["id"], title="Share", visibility="share-link")
    assert world.api.get(path).json["visibility"] == "share-link"
    world.site(space["id"], title="Unlisted", visibility="unlisted")
    assert world.api.get(path).json["visibility"] == "unlisted"
    world.site(space["id"], title="Public", visibility="public")
    shown = world.api.get(path).json
    assert shown["visibility"] == "public"
    assert shown["urls"]["public"]
    assert shown["urls"]["published"]


def test_a_deleted_one_is_shown_to_its_admins_only(world: World) -> None:
    space = world.space()
    path = f"/v1/spaces/{space['id']}"
    _delete(world, space["id"])
    shown = world.api.get(path)
    assert shown.status == 200
    assert shown.json["deletedAt"]
    for role in ("read", "create", "guest", None):
        assert world.api.get(path, token=world.person(role)).status == 404
    for below in ("/content", "/content/pages", "/content/files", f"/revisions/{space['revision']}", "/git/info"):
        assert world.api.get(path + below).status == 404
    assert world.api.patch(path, {"title": "Gone"}).status == 404
    listed = f"/v1/orgs/{world.organization}/spaces"
    assert world.api.get(listed).json["items"] == []
    assert [one["id"] for one in world.api.get(listed + "?deleted=true").json["items"]] == [space["id"]]
    assert world.api.get(listed + "?deleted=true", token=world.person("create")).json["items"] == []
