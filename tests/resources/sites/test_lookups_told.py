"""What the tokens of visits do not read along with what they read: of people, and of what is for others."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from octavo.content.reading import evaluated
from tests.client import World
from tests.publish.visiting import write
from tests.resources.sites.test_lookups import _adapted, _staff, look_up, read
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


IN_PARTS: dict[str, str | bytes] = {
    "README.md": "# Home\n\n[a](.gitbook/assets/open.txt)\n\n{% if visitor.claims.staff %}\n[b](.gitbook/assets/staff.txt)\n\n"
    '[c](.gitbook/assets/both.txt)\n\n{% include ".gitbook/includes/inner.md" %}\n{% endif %}\n\n'
    "{% if !visitor.claims.staff %}\n[d](.gitbook/assets/others.txt)\n{% endif %}\n\n"
    '{% include ".gitbook/includes/open.md" %}\n',
    "guide.md": "---\ncover: .gitbook/assets/cover.txt\n---\n\n# Guide\n\n[c](.gitbook/assets/both.txt)\n\n"
    "{% if visitor.claims.staff %}\n[e](.gitbook/assets/cover.txt)\n{% endif %}\n",
    ".gitbook/includes/inner.md": "[f](../assets/inner.txt)\n",
    ".gitbook/includes/open.md": "[g](../assets/included.txt)\n\n"
    "{% if visitor.claims.staff %}\n[h](../assets/within.txt)\n{% endif %}\n",
    "SUMMARY.md": "* [Home](README.md)\n* [Guide](guide.md)\n",
} | {
    f".gitbook/assets/{name}.txt": name
    for name in ("open", "staff", "both", "others", "cover", "inner", "included", "within", "loose")
}


def test_files_of_parts_that_are_for_others_are_not_told(world: World, tmp_path: Path) -> None:
    space = world.imported(write(tmp_path / "docs", IN_PARTS))
    site = _adapted(world, space)
    head = world.api.get(f"/v1/spaces/{space}/content").json
    files = {one["name"].removesuffix(".txt"): one["id"] for one in head["files"]}
    url = site["urls"]["published"]

    def told(found: dict[str, Any]) -> set[str]:
        seen = []
        for at in (f"spaces/{space}/content", f"spaces/{space}/revisions/{head['id']}"):
            seen.append({one["id"] for one in read(world, found, at).json["files"]})
            seen.append({one["id"] for one in read(world, found, f"{at}/files").json["items"]})
            seen.append({id_ for id_ in files.values() if read(world, found, f"{at}/files/{id_}").status == 200})
        assert all(one == seen[0] for one in seen)
        return {name for name, id_ in files.items() if id_ in seen[0]}

    staff = look_up(world, url, visitor=_staff(world, site)).json
    for _ in range(2):
        assert told(look_up(world, url).json) == {"open", "both", "others", "cover", "included", "loose"}
        assert told(staff) == set(files) - {"others"}


def test_what_files_stand_in_is_opened_beside_the_loop(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = world.imported(write(tmp_path / "docs", IN_PARTS))
    site = _adapted(world, space)
    head = world.api.get(f"/v1/spaces/{space}").json["revision"]
    loop, threads = threading.current_thread(), list[threading.Thread]()

    def noted(*given: Any, **named: Any) -> Any:
        threads.append(threading.current_thread())
        return evaluated(*given, **named)

    monkeypatch.setattr("octavo.site.shown_files.evaluated", noted)
    found = look_up(world, site["urls"]["published"]).json
    # What is found out once is known for every revision of the same content.
    assert read(world, found, f"spaces/{space}/content?computed=true").status == 200
    assert threads
    times = len(threads)
    for path in ("content", "content/files", f"revisions/{head}", f"revisions/{head}/files"):
        assert read(world, found, f"spaces/{space}/{path}").status == 200
    assert len(threads) == times
    assert loop not in threads


_NAMING = '{% openapi-operation spec="SLUG" path="/nuke" method="get" %}\n{% endopenapi-operation %}\n'


_SLUGS = ("open", "included", "entry", "closed", "part", "within", "loose")
_STAFF = "{% if visitor.claims.staff %}\n\nSLUG\n\n{% endif %}\n"
_ENTRY = """\
* ```yaml
  type: builtin:openapi
  title: API
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: entry
  ```
"""


def _naming(slug: str, around: str = "SLUG") -> str:
    return around.replace("SLUG", _NAMING.replace("SLUG", slug))


def test_an_api_description_is_read_where_a_page_shows_it(world: World, tmp_path: Path) -> None:
    parts = "# Parts\n\n" + _naming("part", _STAFF) + '\n{% include ".gitbook/includes/inner.md" %}\n'
    files: dict[str, str | bytes] = {
        "README.md": "# Home\n\n" + _naming("open"),
        "closed.md": "---\nif: visitor.claims.staff\n---\n\n# Closed\n\n" + _naming("closed"),
        "parts.md": parts,
        ".gitbook/includes/inner.md": "# Inner\n\n" + _naming("included") + "\n" + _naming("within", _STAFF),
        "SUMMARY.md": "* [Home](README.md)\n* [Closed](closed.md)\n* [Parts](parts.md)\n" + _ENTRY,
    }
    at = f"orgs/{world.organization}/openapi"
    said = {"openapi": "3.1.0", "info": {"title": "API", "version": "1"}}
    text = json.dumps(said | {"paths": {"/nuke": {"get": {"summary": "Launch", "responses": {}}}}})
    for slug in _SLUGS:
        assert world.api.put(f"/v1/{at}/{slug}", {"source": {"text": text}}).status == 200
    space = world.imported(write(tmp_path / "docs", files))
    world.work()
    site = _adapted(world, space)
    url = site["urls"]["published"]

    def told(found: dict[str, Any]) -> list[str]:
        replies = {slug: read(world, found, f"{at}/{slug}/versions/latest/content") for slug in _SLUGS}
        assert {reply.status for reply in replies.values()} <= {200, 404}
        assert all(("Launch" in reply.text) == (reply.status == 200) for reply in replies.values())
        return [slug for slug, reply in replies.items() if reply.status == 200]

    assert told(look_up(world, url).json) == ["open", "included", "entry"]
    assert told(look_up(world, url, visitor=_staff(world, site)).json) == [*_SLUGS[:-1]]


def test_links_of_the_look_are_told_to_those_for_whom_they_are(world: World) -> None:
    spaces = [world.space(title)["id"] for title in ("Guide", "Other")]
    site = _adapted(world, spaces[0])
    at = f"orgs/{world.organization}/sites/{site['id']}"
    made = world.api.post(f"/v1/{at}/site-spaces", {"spaceId": spaces[1]}).json["id"]

    def link(word: str, *, staff: bool = False, **more: Any) -> dict[str, Any]:
        condition = {"condition": "visitor.claims.staff"} if staff else {}
        return {"title": word, "to": {"kind": "url", "url": f"https://{word}.example/"}, **condition, **more}

    look = {
        "header": {
            "links": [
                link("plain", links=[link("inside"), link("secret1", staff=True)]),
                link("secret2", staff=True, links=[link("secret3")]),
                {"title": "secret4", "links": [link("secret5", staff=True)]},
            ]
        },
        "footer": {
            "groups": [
                {"title": "Group", "links": [link("secret6", staff=True), link("below")]},
                {"title": "secret7", "links": [link("secret8", staff=True)]},
            ]
        },
        "announcement": {"enabled": True, "message": "Said", "link": link("secret9", staff=True)},
    }
    whole = world.api.get(f"/v1/{at}/customization").json
    whole = {key: value for key, value in whole.items() if key not in ("object", "urls", "updatedAt")}
    reply = world.api.put(
        f"/v1/{at}/customization", whole | {key: whole.get(key, {}) | one for key, one in look.items()}
    )
    assert reply.status == 200, reply.text
    own = {"header": {"links": [link("own"), link("secret10", staff=True)]}}
    reply = world.api.patch(f"/v1/{at}/site-spaces/{made}/customization", own)
    assert reply.status == 200, reply.text
    url = site["urls"]["published"]

    def told(found: dict[str, Any]) -> set[str]:
        reply = read(world, found, f"{at}/published")
        assert reply.status == 200
        return {word for word in (*plain, *secret) if f'"{word}"' in reply.text}

    plain, secret = {"plain", "inside", "Group", "below", "Said", "own"}, {f"secret{number}" for number in range(1, 11)}
    assert told(look_up(world, url).json) == plain
    assert told(look_up(world, url, visitor=_staff(world, site)).json) == plain | secret
