"""An organization moves to another installation: exported, imported, exported again, it is the same byte by byte."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from octavo.access.signing import Signer
from octavo.administration import first_admin
from octavo.exporting import Order, export, export_now
from octavo.importing import Order as Import
from octavo.importing import import_all, import_now, organizations
from octavo.kernel.errors import BadRequest
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.manifests.sums import SUMS, write_sums
from octavo.manifests.tables import DERIVED, ELSEWHERE, LEFT, ROWS
from octavo.store.database.statement import Statement
from octavo.store.schema.tables import metadata
from tests.client import World
from tests.conftest import FakeClock
from tests.contract.everything import everything
from tests.resources.handbook import every, write
from tests.resources.typefaces import WOFF2, uploaded
from tests.translating import Studio

SECRET = "a secret of the tests"
SINK = Path(__file__).parent / "content" / "kitchen_sink"


def test_every_table_is_exported_or_left_out_with_a_reason() -> None:
    """Whoever adds a table says here what becomes of it when an organization moves."""
    rows = {one.name for one in ROWS}
    parts = (rows, set(ELSEWHERE), set(DERIVED), set(LEFT))
    assert set().union(*parts) == set(metadata.tables), "name the table in `manifests.tables`"
    assert sum(map(len, parts)) == len(metadata.tables), "a table is named twice"
    for one in ROWS:
        sealed = {name for name in one.table.record.__struct_fields__ if name.startswith("sealed") or name == "hash"}
        assert sealed <= {*one.sealed, *one.left}, f"{one.name}: a secret would be among the rows"
    reasons = [*ELSEWHERE.values(), *DERIVED.values(), *LEFT.values()]
    assert all(len(reason) > 8 for reason in reasons)


def furnished(world: World, salt: int) -> dict[str, Any]:
    """A site with all that one can have, drawn from a number."""
    draw = random.Random(salt)
    first, second = world.imported(SINK), world.space("Words", emoji="1f426")["id"]
    font = world.api.put(
        f"/v1/orgs/{world.organization}/fonts",
        {"fontFamily": "Heron", "fontFaces": [
            {"weight": 400, "storageKey": uploaded(world, world.organization, WOFF2)},
        ]},
    ).json["id"]  # fmt: skip
    site = world.site(first, title=f"Site {salt}", visibility="share-link")
    base = f"/v1/orgs/{world.organization}/sites/{site['id']}"

    def done(method: str, path: str, body: Any) -> Any:
        reply = world.api.request(method, base + path, body)
        assert reply.status < 300, reply.text
        return reply.json

    section = done("POST", "/sections", {"title": "Others", "spaceId": second})
    done("POST", "/section-groups", {"title": "More", "sections": [section["id"]]})
    done("PATCH", f"/sections/{section['id']}", {
        "condition": "visitor.claims.beta", "description": "For some", "localizedTitle": {"de": "Andere"},
        "draft": draw.random() < 0.5,
    })  # fmt: skip
    done(
        "POST", "/external-links", {"title": "Code", "url": "https://example.org", "localizedDescription": {"de": "x"}}
    )
    shown = {one["space"]["id"]: one["id"] for one in done("GET", "/site-spaces", None)["items"]}
    pages = world.api.get(f"/v1/spaces/{first}/content/pages").json["pages"]
    page = next(one["id"] for one in pages[1:] if one["type"] == "document")
    done("PATCH", f"/site-spaces/{shown[first]}", {"pageId": page, "hidden": draw.random() < 0.5})
    link = {"title": "Start", "to": {"kind": "page", "space": first, "page": page}}
    drawn = uploaded(world, world.organization, f"<svg id='{salt}'/>".encode(), kind="organization_file")
    logo = done("POST", "/pictures", {"storageKey": drawn})["url"]
    done("PUT", "/customization", {
        "favicon": {"icon": {"light": logo, "dark": logo}},
        "styling": {"font": {"custom": True, "id": font}}, "header": {"links": [link]},
        "announcement": {"enabled": True, "message": f"Hello {salt}"},
    })  # fmt: skip
    done("PATCH", f"/site-spaces/{shown[second]}/customization", {"feedback": {"enabled": True}})
    off = done("POST", "/share-links", {"name": "Partners"})
    done("POST", "/share-links", {"name": "Press"})
    done("PATCH", f"/share-links/{off['id']}", {"active": False})
    done("GET", "/publishing/auth", None)
    done("PATCH", "/publishing/auth", {"backend": "custom", "fallbackURL": "https://example.org/in"})
    done("PUT", "/adaptive-schema", {"jsonSchema": {
        "type": "object", "properties": {"beta": {"type": "boolean", "description": "Early"}},
        "additionalProperties": False,
    }})  # fmt: skip
    done(
        "POST",
        "/mcp-servers",
        {"name": "m", "url": "https://example.org/m", "transport": "http", "headers": {"a": "b"}},
    )
    done("PATCH", "", {"hostname": f"docs{salt}.example.org", "defaultLevel": "read", "agentsContext": "excluded"})
    for source, destination in (
        ("/away", {"kind": "external", "url": "https://example.org/"}),
        ("/old", {"kind": "site-page", "siteSpaceId": shown[first], "pageId": page}),
        ("/part", {"kind": "site-section", "siteSectionId": section["id"]}),
    ):
        done("POST", "/redirects", {"source": source, "destination": destination})
    return site


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def exported(world: World, target: Path) -> dict[str, bytes]:
    world.run(export(world.house, Order(target, organization=world.organization)))
    return tree(target)


def elsewhere(world: World, folder: Path, work: Callable[[House], Any], secret: str = SECRET) -> Any:
    """What comes of it in an installation where nobody is."""

    async def run() -> Any:
        settings = Settings(data=folder / "data")
        settings.data.mkdir(parents=True)
        async with open_house(settings, base="http://localhost:8000", makes=True) as house:
            return await work(replace(house, signer=Signer(secret)))

    return world.run(run())


async def moved(house: House, source: Path, target: Path, organization: str | None = None) -> Any:
    """What importing it says, and the export of what came of it."""
    made = await import_all(house, Import(str(source), organization), quiet=True)
    await export(house, Order(target, organization=made["organization"]))
    return made, tree(target)


def test_all_of_an_organization(world: World, tmp_path: Path) -> None:
    """One of everything that there is, and then some; the second installation may keep its data elsewhere than the first."""
    everything(world, tmp_path, world.organization, "own")
    furnished(world, 1)
    world.work()
    first, second = tmp_path / "first", tmp_path / "second"
    before = exported(world, first)
    assert differing(exported(world, tmp_path / "again"), before) == set(), "it is the same each time"
    assert {file for one in ROWS if (file := one.file)} - before.keys() <= {"feedback.json"}
    made, after = elsewhere(world, second, lambda house: moved(house, first, second / "out"))
    assert differing(after, before) == {"webhooks.json", SUMS}, "webhooks are switched off"
    assert made["organization"] == world.organization
    assert [
        one for one in made["remade"] if not any(word in one for word in ("account", "hostname", "proven", "webhooks"))
    ] == []


def small(world: World, target: Path) -> dict[str, bytes]:
    """An organization with a little of much; its export."""
    org = f"/v1/orgs/{world.organization}"
    collection = world.api.post(f"{org}/collections", {"title": "Birds"}).json["id"]
    space = world.space("Field guide", parent=collection)["id"]
    site = f"{org}/sites/{world.site(space)['id']}"
    server = {"name": "m", "url": "https://example.org/m", "transport": "http", "headers": {"a": "b"}}
    assert world.api.get(f"{site}/publishing/auth").status == 200
    for path, body in (("share-links", {"name": "Press"}), ("mcp-servers", server)):
        assert world.api.post(f"{site}/{path}", body).status < 300
    assert world.api.post(f"/v1/spaces/{space}/change-requests", {"subject": "More"}).status == 201
    team = world.api.put(f"{org}/teams", {"title": "Writers"}).json["id"]
    pat = world.person("comment")
    user = world.api.get("/v1/user", token=pat).json["id"]
    assert world.api.put(f"{org}/teams/{team}/members/{user}", {}).status < 300
    for users, teams in (([user], []), ([], [team])):
        reply = world.api.post(f"/v1/spaces/{space}/permissions", {"role": "edit", "users": users, "teams": teams})
        assert reply.status < 300, reply.text
    assert world.api.post(f"{org}/webhooks", {
        "title": "Hook", "url": "https://example.org/", "events": ["comment_posted"], "spaces": [space]
    }).status == 201  # fmt: skip
    return exported(world, target)


MAILED = {"README.md", "access.json", "change-requests.json", "people.json", "webhooks.json"}
"""Files that name the admin."""


def test_into_an_installation_where_some_people_are(world: World, tmp_path: Path) -> None:
    """People are found by their addresses, whatever their letters; others get accounts that nobody can enter yet. Where the
    secret is another one, what was sealed is made anew, and the import says so."""
    before = small(world, tmp_path / "first")
    admin = world.api.get("/v1/user").json["email"]

    async def work(house: House) -> Any:
        own = await first_admin(house.store, admin.upper(), "Another name", "Here before")
        made, after = await moved(house, tmp_path / "first", tmp_path / "out", own["organization"])
        [pat] = [one for one in json.loads(before["people.json"])["people"] if one["email"] != admin]
        user = await house.store.read(lambda unit: unit.people.user_by_email(pat["email"]))
        locked = (
            await house.store.read(lambda unit: unit.proofs.password(user.id)),
            await house.store.read(lambda unit: unit.people.tokens_of(user.id)),
        )
        return own, made, after, user, pat, locked

    own, made, after, user, pat, locked = elsewhere(world, tmp_path / "second", work, "another secret")
    assert made["organization"] == own["organization"] != world.organization
    assert (user.id, locked) == (pat["id"], (None, []))
    assert [one for one in made["remade"] if "account" in one] == [
        f"{pat['email']} has an account now, and has to set a password or sign in by mail."
    ]
    said = " ".join(made["remade"])
    said_of = ("share links have new keys", "key of visitors' tokens", "lost their headers", "webhooks are signed")
    for words in (*said_of, "1 webhooks are switched off"):
        assert words in said
    assert differing(after, before) == {"secrets.json", SUMS, "octavo.json", *MAILED}, (
        "ids of the organization, the address"
    )
    [hook] = json.loads(after["webhooks.json"])["webhooks"]
    assert (hook["active"], hook["disabled_reason"]) == (
        False,
        "It came with an import and was never switched on here.",
    )
    told = json.loads(after["people.json"])
    assert [one["name"] for one in told["people"] if one["email"] != pat["email"]] == ["Another name"]
    assert len(told["members"]) == 2, "nobody is there twice"
    assert {one["role"] for one in told["members"]} == {"admin", "comment"}
    assert after["access.json"] == before["access.json"].replace(admin.encode(), admin.upper().encode())
    assert json.loads(after["octavo.json"])["title"] == json.loads(before["octavo.json"])["title"]


def test_beside_itself(world: World, tmp_path: Path) -> None:
    """Into the organization that it comes from: all of it is there twice, under other ids, and leads to its own half."""
    small(world, tmp_path / "first")
    folder = tmp_path / "first"
    [space] = [one["id"] for one in json.loads((folder / "octavo.json").read_text())["spaces"]]
    page = folder / "spaces" / "field-guide" / "README.md"
    page.write_text(f"# Home\n\nSee [all](https://octavo.example.org/app/s/{space}/home), not {space}x.\n")
    write_sums(folder)
    before = len(world.api.get(f"/v1/orgs/{world.organization}/spaces").json["items"])
    made, after = world.run(moved(world.house, folder, tmp_path / "out", world.organization))
    said = " ".join(made["remade"])
    assert "its own title and settings stay" in said
    assert "1 share links have new keys, as the site that they open is here" in said
    spaces = {one["id"] for one in json.loads(after["octavo.json"])["spaces"]}
    assert len(spaces) == before + 1
    [new] = spaces - {space}
    grants = json.loads(after["access.json"])["grants"]
    assert sorted(one["role"] for one in grants if one["resource"] == new) == sorted(
        one["role"] for one in grants if one["resource"] == space
    )
    teams = [one["team"] for one in grants if "team" in one]
    assert len(set(teams)) == 2
    hooks = {tuple(one["spaces"]) for one in json.loads(after["webhooks.json"])["webhooks"]}
    assert hooks == {(space,), (new,)}
    assert len(json.loads(after["people.json"])["members"]) == 2
    pages = world.api.get(f"/v1/spaces/{new}/content/pages").json["pages"]
    text = world.api.get(f"/v1/spaces/{new}/content/page/{pages[0]['id']}?format=markdown").json["markdown"]
    assert f"/app/s/{new}/home" in text
    assert f"{space}x" in text


def test_by_the_command_line(world: World, tmp_path: Path) -> None:
    """Into a directory where nothing is yet, which is not begun for what cannot be imported; by way of a zip."""
    before = small(world, tmp_path / "first")
    world.run(export(world.house, Order(tmp_path / "all.zip", organization=world.organization)))
    settings = Settings(data=tmp_path / "data")
    (tmp_path / "bare").mkdir()
    for source, said in ((tmp_path / "bare", "--organization"), (tmp_path / "first", "people.json")):
        shutil.copytree(source, tmp_path / "copy", dirs_exist_ok=True)
        (tmp_path / "copy" / "people.json").write_text("[]")
        with pytest.raises(BadRequest, match=said):
            world.run(import_now(settings, Import(str(tmp_path / "copy"), None)))
        assert not settings.data.exists()
    made = world.run(import_now(settings, Import(str(tmp_path / "all.zip"), None)))
    world.run(export_now(settings, Order(tmp_path / "out", organization=made["organization"])))
    assert differing(tree(tmp_path / "out"), before) <= {"secrets.json", SUMS, "webhooks.json"}


def _changed(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))
        write_sums(folder)

    return change


def _without_sums(name: str, data: bytes | None) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).unlink() if data is None else (folder / name).write_bytes(data)

    return change


def test_what_is_being_worked_on(world: World, clock: FakeClock, tmp_path: Path) -> None:
    """A translation that people edited, and a change request that primary content has passed, go on where they were: nothing
    is asked again, nobody's words are lost, and comments stand at their nodes."""
    studio = Studio(world, clock)
    studio.run()
    german, page = studio.result["space"], studio.pages(studio.space)["begin-here"]["id"]
    studio.edit(page, "\\[de:A key]", "Ein Schlüssel", german)
    asked = world.api.post(f"/v1/spaces/{studio.space}/change-requests", {"subject": "A better lamp"}).json
    proposal = f"/v1/spaces/{studio.space}/change-requests/{asked['id']}"
    text = studio.page(page, studio.space)["markdown"].replace("[lamp]", "[bright lamp]")
    change = {"operation": "update_page", "page": page, "document": {"markdown": text}}
    assert world.api.post(f"{proposal}/content", {"changes": [change]}).status == 200
    node = studio.page(page, studio.space, "document")["document"]["nodes"][1]["key"]
    for place, body in (
        (proposal, {"body": {"markdown": "Why?"}, "page": page, "node": node}),
        (f"/v1/spaces/{studio.space}", {"body": {"markdown": "All of it."}, "page": page}),
    ):
        comment = world.api.post(f"{place}/comments", body)
        assert comment.status == 200, comment.text
    assert world.api.patch(proposal, {"status": "open"}).status == 200
    assert world.api.post(f"{proposal}/reviews", {"status": "approved"}).status < 300
    studio.edit(page, "# Begin here", "# Start here")

    before = exported(world, tmp_path / "first")
    assert {name for name in before if name.startswith("states/")} == {
        f"states/{name}/begin-here.md" for name in ("guide-1", "guide-2", "guide-de-1")
    }, "only what is another"
    _, after = elsewhere(world, tmp_path / "second", lambda house: moved(house, tmp_path / "first", tmp_path / "out"))
    assert differing(after, before) == set()

    old = world.api.get(proposal).json
    made = world.run(import_all(world.house, Import(str(tmp_path / "first"), None), quiet=True))
    org = f"/v1/orgs/{made['organization']}"
    [translation] = world.api.get(f"{org}/translations").json["items"]
    [guide] = [one for one in world.api.get(f"{org}/spaces").json["items"] if one["title"] == "Guide"]
    base = f"/v1/spaces/{guide['id']}"
    [listed] = world.api.get(f"{base}/change-requests").json["items"]
    proposal = f"{base}/change-requests/{listed['id']}"
    new = world.api.get(proposal).json
    kept = ("number", "subject", "status", "outdated", "comments")
    assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    [told] = world.api.get(f"{proposal}/comments").json["items"]
    assert (told["target"]["page"]["id"], told["target"]["node"]["id"]) == (page, node)
    assert len(world.api.get(f"{base}/comments").json["items"]) == 1
    assert world.api.get(f"{proposal}/reviews").json["items"][0]["status"] == "approved"
    studio.translator.asked.clear()
    studio.path = f"{org}/translations/{translation['id']}"
    run = studio.run()
    assert (run["status"], run["blocks"]["asked"]) == ("completed", 1), "the one that changed since"
    assert "* Ein Schlüssel" in studio.page(page, translation["result"]["space"])["markdown"]
    merged = world.api.post(f"{proposal}/merge")
    assert merged.status == 200, merged.text
    text = studio.page(page, guide["id"])["markdown"]
    assert "# Start here" in text
    assert "[bright lamp]" in text


NAVIGATION = """\
# Table of contents

* [Home](README.md)

## Parts

* [One](one.md)
* [Elsewhere](https://example.org/)

## Parts

* [Two](two.md)
* [Home again](README.md)
"""


def test_entries_without_a_file_keep_their_ids(world: World, tmp_path: Path) -> None:
    """Groups, of which two may be called the same, and links: comments stay where they were said, in proposals too."""
    texts = {"README.md": "# Home\n", "one.md": "# One\n", "two.md": "# Two\n", "SUMMARY.md": NAVIGATION}
    space = world.imported(write(tmp_path / "docs", {name: text.encode() for name, text in texts.items()}))
    base = f"/v1/spaces/{space}"

    def entries(at: str) -> dict[str, str]:
        found = every(world.api.get(f"{at}/content/pages").json["pages"])
        return {one["id"]: f"{one['type']} {one['title']}" for one in found}

    there = entries(base)
    assert sorted(there.values()) == [
        "document Home", "document One", "document Two", "group Parts", "group Parts",
        "link Elsewhere", "link Home again",
    ]  # fmt: skip
    groups = [key for key, told in there.items() if told == "group Parts"]
    asked = world.api.post(f"{base}/change-requests", {"subject": "Fewer"}).json["id"]
    proposal = f"{base}/change-requests/{asked}"
    done = world.api.post(f"{proposal}/content", {"changes": [{"operation": "delete_page", "page": groups[0]}]})
    assert done.status == 200, done.text
    for at, page in ((base, groups[1]), (base, groups[0]), (proposal, groups[1])):
        said = world.api.post(f"{at}/comments", {"body": {"markdown": "Hm."}, "page": page})
        assert said.status == 200, said.text
    assert world.api.patch(proposal, {"status": "open"}).status == 200
    proposed = entries(proposal)
    before = exported(world, tmp_path / "first")
    _, after = elsewhere(world, tmp_path / "second", lambda house: moved(house, tmp_path / "first", tmp_path / "out"))
    assert differing(after, before) == set()

    made = world.run(import_all(world.house, Import(str(tmp_path / "first"), None), quiet=True))
    [new] = world.api.get(f"/v1/orgs/{made['organization']}/spaces").json["items"]
    base = f"/v1/spaces/{new['id']}"
    [listed] = world.api.get(f"{base}/change-requests").json["items"]
    assert entries(base) == there
    assert entries(f"{base}/change-requests/{listed['id']}") == proposed
    told = world.api.get(f"{base}/comments").json["items"]
    assert {one["target"]["page"]["id"] for one in told} == {*groups}
    [told] = world.api.get(f"{base}/change-requests/{listed['id']}/comments").json["items"]
    assert told["target"]["page"]["id"] == groups[1]


def test_what_is_said_of_a_folder_without_a_page(world: World, tmp_path: Path) -> None:
    """In a repository it has no file; an export keeps its page by one, so that what was said stays with it."""
    folder = tmp_path / "repository" / "docs" / "api"
    folder.mkdir(parents=True)
    for name in ("Agent", "Pool"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nOne of several.\n")

    def titled(space: str) -> dict[str, str]:
        pages = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
        return {one["title"]: one["id"] for one in every(pages) if one["type"] == "document"}

    space = world.imported(tmp_path / "repository")
    api = titled(space)["Api"]
    comment = {"body": {"markdown": "Which version?"}, "page": api}
    assert world.api.post(f"/v1/spaces/{space}/comments", comment).status == 200
    before = exported(world, tmp_path / "first")
    _, after = elsewhere(world, tmp_path / "second", lambda house: moved(house, tmp_path / "first", tmp_path / "out"))
    assert differing(after, before) == set()

    made = world.run(import_all(world.house, Import(str(tmp_path / "first"), None), quiet=True))
    [new] = [one["id"] for one in world.api.get(f"/v1/orgs/{made['organization']}/spaces").json["items"]]
    assert new != space
    assert titled(new) == titled(space)
    [told] = world.api.get(f"/v1/spaces/{new}/comments").json["items"]
    assert (told["target"]["page"]["id"], told["target"]["page"]["title"]) == (api, "Api")


BROKEN: list[tuple[Callable[[Path], None], str]] = [
    (_without_sums("people.json", b"{}"), "people.json: it is not as the export wrote it"),
    (_without_sums("people.json", None), "people.json: the export has lost this file"),
    (_without_sums("spaces/more.md", b"# New"), "spaces/more.md: it is not in SHA256SUMS"),
    (_without_sums(SUMS, b"\xff\x00"), "SHA256SUMS, line 1"),
    (_changed("octavo.json", '"format": 3', '"format": 4'), "octavo.json: format 4 is of another version"),
    (_changed("octavo.json", '"spaces": [', '"spaces": ['[:-1] + "7, "), "octavo.json: .*"),
    (_changed("octavo.json", '"directory": "spaces/field-guide"', '"directory": "../spaces"'), "octavo.json: ../spaces"),
    (_changed("octavo.json", '"directory": "spaces/field-guide"', '"directory": "spaces/gone"'), "spaces/gone: the folder"),
    (_changed("octavo.json", '"parent": "', '"parent": "x'), "octavo.json: spaces 1: parent names"),
    (_changed("people.json", "@", " at "), "people.json: people 1: .* is not an e-mail address"),
    (_changed("people.json", "mailto:", "mailto:x"), "people.json: members 1: user names 'mailto:x"),
    (_changed("people.json", '"role": "comment"', '"role": "king"'), "people.json: .*king.*"),
    (_changed("people.json", '"teams"', '"gangs"'), "people.json: 'gangs' is nothing that it may have"),
    (_changed("access.json", '"resource": "', '"resource": "x'), "access.json: grants 1: resource names 'x"),
    (_changed("access.json", '"kind"', '"sort"'), "access.json: grants 1: .*kind"),
    (_changed("webhooks.json", '"created_at": ', '"created_at": "now", "x": '), "webhooks.json: webhooks 1: .*created_at"),
    (_changed("change-requests.json", '"revision": "content:', '"revision": "content:x'),
     "change-requests.json: change_requests 1: revision names 'content:xspaces/field-guide'"),
    (_changed("secrets.json", '": "', '": ["'), "secrets.json: "),
    (_changed("organization.json", "{", '{"sso": 5,') , "organization.json: .*sso"),
    (_changed("people.json", '"role": "admin"', '"role": "edit"'), "people.json: nobody in this export is an admin"),
]  # fmt: skip


def test_what_was_damaged_on_the_way(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names the file and the place, and nothing is written; nor is anything left of what fails later."""
    small(world, tmp_path / "first")

    async def counted(house: House) -> dict[str, int]:
        async def work(unit: Any) -> dict[str, int]:
            names = (
                "organizations",
                "users",
                "spaces",
                "collections",
                "teams",
                "sites",
                "revisions",
                "blobs",
                "objects",
            )
            return {name: (await unit.at.rows(Statement(f"SELECT count(*) FROM {name}"), {}))[0][0] for name in names}

        return await house.store.read(work)

    async def work(house: House) -> None:
        empty = await counted(house)
        assert set(empty.values()) == {0}
        for number, (damage, said) in enumerate(BROKEN):
            folder = tmp_path / str(number)
            shutil.copytree(tmp_path / "first", folder)
            damage(folder)
            with pytest.raises(BadRequest, match=said) as refused:
                await import_all(house, Import(str(folder), None), quiet=True)
            assert "\n" not in str(refused.value)
            assert await counted(house) == empty, said
        monkeypatch.setattr(organizations, "restore_rows", _fails)
        with pytest.raises(OSError, match="the disk is full"):
            await import_all(house, Import(str(tmp_path / "first"), None), quiet=True)
        assert await counted(house) == empty
        own = await first_admin(house.store, "ada@example.test", "Ada", "Here before")
        before = await counted(house)
        with pytest.raises(OSError, match="the disk is full"):
            await import_all(house, Import(str(tmp_path / "first"), own["organization"]), quiet=True)
        assert (await counted(house))["spaces"] == before["spaces"] == 0

    elsewhere(world, tmp_path / "second", work)


async def _fails(*_: Any) -> None:
    raise OSError("the disk is full")
