"""Search as visitors use it: for the dialog as data, for everybody else as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client import World
from tests.publish.visiting import Visitor, visit, write


def test_the_dialog_gets_pages_with_their_sections(kitchen: Visitor) -> None:
    hits = kitchen.search("knots")
    assert [hit["title"] for hit in hits] == ["Blocks"]
    assert hits[0]["breadcrumbs"] == ["Writing these pages"]
    assert hits[0]["href"] == kitchen.base + "writing/blocks"
    section = hits[0]["sections"][0]
    assert section["title"] == "Code"
    assert section["href"] == kitchen.base + "writing/blocks#code"
    assert section["snippet"][1::2] == ["knots"]
    assert "".join(section["marked"]) == section["title"]
    page = kitchen.page(section["href"].partition("#")[0])
    assert page.one(id="code").text == "Code"


def test_what_a_page_includes_is_found_on_it(kitchen: Visitor) -> None:
    assert "Tern weather station" in {hit["title"] for hit in kitchen.search("support forum")}


def test_the_page_of_results_says_the_same(kitchen: Visitor) -> None:
    page = kitchen.page("~octavo/search?q=knots")
    results = page.one("ol", "results")
    assert results.one("h2").one("a")["href"] == kitchen.base + "writing/blocks"
    assert "knots" in [one.text for one in results.all("mark")]
    assert page.one("main").one("input", name="q")["value"] == "knots"
    assert page.one("meta", name="robots")["content"] == "noindex"
    for href in (one["href"] for one in results.all("a")):
        assert kitchen.get(href.partition("#")[0]).status == 200


def test_answers_are_told_apart_and_not_kept(kitchen: Visitor) -> None:
    for accept in ("application/json", "text/html"):
        reply = kitchen.get("~octavo/search?q=knots", headers={"accept": accept})
        assert reply.headers["content-type"].startswith(accept)
        assert reply.headers["cache-control"] == "no-store"
        assert "accept" in reply.headers["vary"]


@pytest.mark.parametrize(
    "query",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "%",
        "*",
        '"',
        "'",
        "a OR",
        "NEAR(",
        "{%",
        "wind" * 200,
    ],
)
def test_no_query_is_too_strange(kitchen: Visitor, query: str) -> None:
    assert isinstance(kitchen.search(query), list)
    from urllib.parse import quote

    reply = kitchen.get(f"~octavo/search?q={quote(query)}")
    assert reply.status == 200
    assert "<script>alert" not in reply.text
    assert "<img src=x" not in reply.text
    assert "{%" not in reply.text


def test_nothing_found_and_nothing_asked(kitchen: Visitor) -> None:
    assert kitchen.search("") == []
    assert kitchen.search("xylophone") == []
    page = kitchen.page("~octavo/search?q=xylophone")
    assert "Nothing found" in page.one("section", "empty").text
    assert not kitchen.page("~octavo/search").all("section", "empty")
    near = kitchen.page("~octavo/search?q=changelog").one("ul", "nearest")
    assert [one["href"] for one in near.all("a")] == [kitchen.base + "changelog"]


def test_many_results_are_walked(world: World, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"p{number}.md": f"# Page {number}\n\nquince\n" for number in range(45)}
    site = visit(world, write(tmp_path, {"README.md": "# Home\n", **files}))
    met: list[str] = []
    path = "~octavo/search?q=quince"
    while path:
        page = site.page(path)
        met += [one.one("a").text for one in page.all("h2") if one.all("a")]
        path = next((one["href"] for one in page.all("a", "button") if one.text == "More results"), "")
    assert len(met) == len(set(met)) == 45


def test_nothing_of_other_spaces_or_of_drafts_is_found(world: World, tmp_path: Path) -> None:
    mine = world.imported(write(tmp_path / "mine", {"README.md": "# Mine\n\nquince\n"}))
    world.imported(write(tmp_path / "foreign", {"README.md": "# Foreign\n\nquince\n"}))
    site = Visitor(world, mine, world.site(mine))
    assert [hit["title"] for hit in site.search("quince")] == ["Mine"]
    assert world.api.post(f"/v1/orgs/{world.organization}/sites/{site.site['id']}/unpublish").status == 200
    reply = site.get("~octavo/search?q=quince", headers={"accept": "application/json"})
    assert reply.status == 404
    assert "Mine" not in reply.text


@pytest.fixture
def conditional(world: World, tmp_path: Path) -> Visitor:
    """A site where the word quince stands in three places, of which a visitor may see one."""
    never = 'visitor.claims.plan == "gold"'
    files: dict[str, str | bytes] = {
        "README.md": "# Home\n\nA quince.\n",
        "part.md": f"# Part\n\n{{% if {never} %}}\nA quince for members.\n{{% endif %}}\n",
        "page.md": f"---\nif: {never}\n---\n\n# Page\n\nA quince.\n",
    }
    return visit(world, write(tmp_path, files))


def test_what_a_condition_hides_is_not_found(conditional: Visitor) -> None:
    assert "for members" not in conditional.get("part").text
    assert [hit["title"] for hit in conditional.search("quince")] == ["Home"]


def test_the_count_is_of_what_may_be_seen(conditional: Visitor) -> None:
    accept = {"accept": "application/json"}
    found = conditional.get("~octavo/search?q=quince", headers=accept).json
    assert found["count"] == len(found["items"])


def test_the_count_is_right_wherever_hidden_pages_rank(world: World, tmp_path: Path) -> None:
    """Of 45 pages every second is closed: the count tells so at once, and walking on shows each of the others once."""
    never = '---\nif: visitor.claims.plan == "gold"\n---\n\n'
    files: dict[str, str | bytes] = {
        f"p{number}.md": f"{never if number % 2 else ''}# Page {number}\n\nquince\n" for number in range(45)
    }
    site = visit(world, write(tmp_path, {"README.md": "# Home\n", **files}))
    accept = {"accept": "application/json"}
    met: list[str] = []
    for begin in (0, 8, 16):
        found = site.get(f"~octavo/search?q=quince&from={begin}", headers=accept).json
        assert found["count"] == 23
        met += [hit["title"] for hit in found["items"]]
    assert sorted(met) == sorted(f"Page {number}" for number in range(0, 45, 2))


def test_other_forms_of_a_word_are_marked(kitchen: Visitor) -> None:
    hit = kitchen.search("the tern station")[0]
    assert hit["marked"] == ["", "Tern", " weather ", "station", ""]


def test_a_page_without_a_hit_in_its_beginning_has_no_snippet(kitchen: Visitor) -> None:
    assert kitchen.search("knots")[0]["snippet"] == []


def test_pages_written_much_like_the_query_are_offered(kitchen: Visitor) -> None:
    accept = {"accept": "application/json"}
    found = kitchen.get("~octavo/search?q=intrefacse", headers=accept).json
    assert (found["items"], found["count"]) == ([], 0)
    assert [near["title"] for near in found["nearest"]] == ["Interfaces"]
    near = kitchen.page("~octavo/search?q=intrefacse").one("ul", "nearest")
    assert [one["href"] for one in near.all("a")] == [kitchen.base + "reference/interfaces"]


def test_titles_of_columns_that_are_hidden_are_not_shown(world: World, tmp_path: Path) -> None:
    cards = (
        '<table data-view="cards"><thead><tr><th>Fruitname</th><th data-hidden data-card-target data-type="content-ref">'
        'Leadsto</th></tr></thead><tbody><tr><td>A quince</td><td><a href="part.md">part.md</a></td></tr></tbody></table>'
    )
    site = visit(world, write(tmp_path, {"README.md": f"# Home\n\n{cards}\n", "part.md": "# Part\n"}))
    assert "".join(site.search("quince")[0]["snippet"]) == "A quince"
    assert site.search("Fruitname") == site.search("Leadsto") == []


@pytest.fixture
def two(world: World, tmp_path: Path) -> Visitor:
    """A site of two spaces that hold a page of the same words."""
    spaces = [
        world.imported(
            write(
                tmp_path / name,
                {
                    "README.md": f"# {name}\n\nFrom here the north is far.\n",
                    "gull.md": "# Gull\n\nGulls eat herring-fish here.\n\n## Nest\n\nHerring again.\n",
                    "SUMMARY.md": f"# S\n\n* [{name}](README.md)\n* [Gull](gull.md)\n",
                },
            ),
            title=name,
        )
        for name in ("north", "south")
    ]
    return Visitor(world, spaces[1], world.site(*spaces))


def _asked(site: Visitor, scope: str) -> list[str]:
    reply = site.get(f"~octavo/search?q=herring{scope}", headers={"accept": "application/json"})
    return [hit["where"] for hit in reply.json["items"]]


def test_the_space_being_read_comes_first_and_may_be_all_that_is_searched(two: Visitor) -> None:
    assert sorted(_asked(two, "")) == ["north", "south"]
    assert _asked(two, f"&in={two.space}") == ["south", "north"]
    assert _asked(two, f"&in={two.space}&only=1") == ["south"]
    assert len(_asked(two, "&in=unknown&only=1")) == 2


def test_a_page_of_another_space_whose_title_is_asked_for_stays_first(two: Visitor) -> None:
    reply = two.get(f"~octavo/search?q=north&in={two.space}", headers={"accept": "application/json"})
    assert [hit["title"] for hit in reply.json["items"]] == ["north", "south"]


def test_the_page_of_results_keeps_the_scope_and_names_the_section(two: Visitor) -> None:
    results = two.page(f"~octavo/search?q=herring&in={two.space}&only=1").one("main")
    assert results.one("p", "result-way").text == "south"
    assert results.one("form").one("input", name="in")["value"] == two.space
    chosen = [one for one in results.all("input", name="only") if "checked" in one.attributes]
    assert [one["value"] for one in chosen] == ["1"]


def test_a_site_of_one_space_has_no_scopes(kitchen: Visitor) -> None:
    assert not kitchen.page("~octavo/search?q=knots").all("input", name="only")
    assert [hit["where"] for hit in kitchen.search("knots")] == [""]


def test_what_was_asked_for_is_marked_on_the_page_it_leads_to(two: Visitor) -> None:
    results = two.page("~octavo/search?q=herring").one("ol", "results")
    hrefs = {one["href"].partition("/gull")[2] for one in results.all("a")}
    assert "#nest:~:text=Herring" in hrefs


def test_code_is_shown_as_code_where_prose_does_not_say_it(world: World, tmp_path: Path) -> None:
    text = "# Pump\n\nStart it by hand.\n\n## By command\n\nOr type this.\n\n```sh\npump --start\npump --drain slowly\n```\n"
    site = visit(world, write(tmp_path, {"README.md": text}))
    [hit] = site.search("drain")
    [section] = hit["sections"]
    assert (section["code"], section["snippet"]) == (True, ["pump --", "drain", " slowly"])
    [shown] = site.page("~octavo/search?q=drain").one("ol", "results").all("code")
    assert (shown.text, shown.one("mark").text) == ("pump --drain slowly", "drain")
    [section] = site.search("type")[0]["sections"]
    assert (section["code"], "".join(section["snippet"])) == (False, "Or type this.")
    assert site.search("hand")[0]["code"] is False
