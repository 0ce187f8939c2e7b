"""Runs of translations: what is asked for, what comes of it, and what people wrote meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.gateways.failures import Refused, Unreachable
from octavo.history.contents import contents_of
from octavo.history.moves import follow
from octavo.jobs.translations import asking
from octavo.kernel.clock import MINUTE
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.translating import Studio


@pytest.fixture
def studio(world: World, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.setattr(asking, "PAUSES", (0.0, 0.0))
    return Studio(world, clock)


def test_a_run_makes_a_space_that_only_differs_in_its_words(studio: Studio) -> None:
    run = studio.run()
    assert (run["status"], run["problems"], run["blocks"]["kept"]) == ("completed", [], 0)
    assert run["pages"] == {"total": 2, "done": 2}
    settings = studio.world.api.get(studio.path).json
    assert (settings["status"], settings["stats"]["runs"]) == ("completed", 1)
    assert settings["result"] == {"space": studio.result["space"], "revision": run["revision"], "language": "de"}
    space = studio.world.api.get(f"/v1/spaces/{studio.result['space']}").json
    assert (space["title"], space["revision"]) == ("Guide (de)", run["revision"])
    source, made = studio.pages(studio.space), studio.pages(space["id"])
    assert {path: one["id"] for path, one in made.items()} == {path: one["id"] for path, one in source.items()}
    first = made["begin-here"]
    assert (first["title"], first["description"]) == ("[de:Begin here]", "[de:How to begin.]")
    text = studio.page(first["id"], space["id"])["markdown"]
    assert "```bash\ntern --help\n```" in text
    assert "\\[de:Open the **door** of `tern` and [go in](" in text
    assert "icon: rocket" in text
    assert "* \\[de:A key]" in text
    document = studio.page(first["id"], space["id"], "document")["document"]
    heading = next(node for node in document["nodes"] if node["type"].startswith("heading"))
    assert heading["data"]["id"] == "what-you-need"
    link = next(node for node in document["nodes"][0]["nodes"] if node["object"] == "inline")
    assert link["data"]["ref"] == {"kind": "page", "page": source["two"]["id"]}


def test_a_second_run_asks_for_what_changed_and_for_nothing_else(studio: Studio) -> None:
    first = studio.run()
    assert first["blocks"]["asked"] == len(studio.translator.texts) == 8
    studio.translator.asked.clear()
    second = studio.run()
    assert (second["status"], second["blocks"]["asked"], studio.translator.asked) == ("completed", 0, [])
    assert second["revision"] == first["revision"]
    assert second["pages"]["total"] == 0
    page = studio.pages(studio.space)["begin-here"]["id"]
    studio.edit(page, "* A key", "* A golden key")
    third = studio.run()
    assert studio.translator.texts == ["A golden key"]
    assert (third["blocks"]["asked"], third["words"], third["pages"]["total"]) == (1, 3, 1)
    assert third["blocks"]["remembered"] == 5
    text = studio.page(page, studio.result["space"])["markdown"]
    assert "\\[de:A golden key]" in text
    assert "A key" not in text


def test_structure_follows_the_source(studio: Studio) -> None:
    studio.run()
    pages = studio.pages(studio.space)
    new = {"operation": "insert_page", "document": {"markdown": "# Three\n\nMore.\n"}}
    studio.write({"operation": "delete_page", "page": pages["two"]["id"]}, new)
    studio.write({"operation": "update_page", "page": pages["begin-here"]["id"], "slug": "start"})
    run = studio.run()
    made = studio.pages(studio.result["space"])
    assert {*made} == {"start", "three"}
    assert made["three"]["title"] == "[de:Three]"
    assert run["blocks"]["asked"] == 2
    # Old addresses go on leading to where pages are now.
    space = studio.result["space"]

    async def before(unit: Any) -> Any:
        record = await unit.spaces.get(space)
        return await follow(unit, await contents_of(unit, await unit.revisions.get(record.revision)), "begin-here")

    assert studio.world.run(studio.world.house.store.read(before)).page.id == pages["begin-here"]["id"]


def test_words_of_people_stay(studio: Studio) -> None:
    studio.run()
    space = studio.result["space"]
    page = studio.pages(space)["begin-here"]["id"]
    studio.edit(page, "\\[de:A key]", "Ein Schlüssel", space)
    # Another place of the source changes: both are there.
    studio.edit(page, "## What you need", "## What you will need")
    run = studio.run()
    text = studio.page(page, space)["markdown"]
    assert (run["status"], run["problems"]) == ("completed", [])
    assert "* Ein Schlüssel" in text
    assert "de:What you will need]" in text
    # The very place changes: the person's words win, and the run says so.
    studio.edit(page, "* A key", "* Two keys")
    run = studio.run()
    shown = studio.world.api.get(f"/v1/spaces/{space}/content/page/{page}?format=markdown&evaluated=true").json
    assert "Ein Schlüssel" in shown["markdown"]
    assert "Two keys" not in shown["markdown"]
    assert "de:Two keys]" in studio.page(page, space)["markdown"]
    assert [(one["page"], "stay" in one["reason"]) for one in run["problems"]] == [(page, True)]
    # Nothing changed since: it is not said twice, and nothing is written.
    again = studio.run()
    assert (again["revision"], again["problems"]) == (run["revision"], [])


def test_instructions_and_the_glossary_ask_again_for_what_they_concern(studio: Studio) -> None:
    studio.run()
    studio.translator.asked.clear()
    glossary = f"/v1/orgs/{studio.world.organization}/translations-glossary"
    term = {"type": "insert", "translations": {"en": "Key", "de": "Schlüssel"}}
    assert studio.world.api.put(glossary, {"operations": [term]}).status == 204
    run = studio.run()
    assert studio.translator.texts == ["A key"]
    assert [(one.source, one.target) for one in studio.translator.asked[0].glossary] == [("Key", "Schlüssel")]
    assert (run["pages"]["total"], run["blocks"]["remembered"]) == (2, 7)
    studio.translator.asked.clear()
    studio.world.api.put(f"{studio.path}/languages/de", {"instructions": "Say du."})
    assert studio.run()["blocks"]["asked"] == 8
    assert studio.translator.asked[0].instructions == "Say du."


def test_how_pages_stand(studio: Studio) -> None:
    api, path = studio.world.api, f"{studio.path}/languages/de/pages"

    def states() -> dict[str, tuple[str, bool, bool]]:
        return {one["path"]: (one["state"], one["edited"], one["conflict"]) for one in api.get(path).json["items"]}

    missing, current, stale = ("missing", False, False), ("current", False, False), ("stale", False, False)
    assert states() == {"begin-here": missing, "two": missing}
    studio.run()
    assert states() == {"begin-here": current, "two": current}
    [first, second] = api.get(path).json["items"]
    assert (second["title"], second["translatedTitle"]) == ("Two", "[de:Two]")
    studio.edit(second["id"], "second", "last")
    assert states() == {"begin-here": current, "two": stale}
    studio.edit(second["id"], "[de:The second", "[Die zweite", studio.result["space"])
    assert states()["two"] == ("stale", True, False)
    assert [one["id"] for one in api.get(f"{path}?state=stale").json["items"]] == [second["id"]]
    listed = api.get(f"{path}?limit=1").json
    assert [one["id"] for one in listed["items"]] == [first["id"]]
    assert [one["id"] for one in api.get(f"{path}?page={listed['next']['page']}").json["items"]] == [second["id"]]
    studio.run()
    assert states()["two"] == ("current", True, True)
    reader = studio.world.person("read")
    assert api.get(path, token=reader).status == 200
    assert api.patch(f"/v1/spaces/{studio.space}", {"defaultLevel": None}).status == 200
    assert api.get(path, token=reader).status == 404


def test_what_is_not_answered_so_that_it_can_be_used_stays_in_the_source_s_language(studio: Studio) -> None:
    wrong = "Open the <1>door</1> of <2/> and <3>go in</3>."
    studio.translator.answers = {wrong: "Öffne die <1>Tür</1> von <2/>.", "A key": None}
    run = studio.run()
    assert (run["status"], run["blocks"]["kept"]) == ("completed", 2)
    reasons = {one["text"]: one["reason"] for one in run["problems"]}
    assert "placeholders" in reasons[wrong]
    assert "no answer" in reasons["A key"]
    page = studio.pages(studio.result["space"])["begin-here"]["id"]
    text = studio.page(page, studio.result["space"])["markdown"]
    assert "* A key" in text
    assert "Open the **door** of `tern`" in text
    # It is asked for again, though nothing has changed.
    studio.translator.answers.clear()
    studio.translator.asked.clear()
    again = studio.run()
    assert studio.translator.texts == [wrong, "A key"]
    assert (again["blocks"]["kept"], again["problems"]) == (0, [])
    assert "\\[de:A key]" in studio.page(page, studio.result["space"])["markdown"]


def test_a_translator_that_fails_leaves_nothing_half(studio: Studio) -> None:
    studio.translator.failures = [Unreachable("The host did not answer.")] * 3
    run = studio.run()
    assert (run["status"], run["message"]) == ("failed", "The host did not answer.")
    assert "result" not in studio.world.api.get(studio.path).json
    assert studio.world.api.get(studio.path).json["status"] == "pending"
    listed = studio.world.api.get(f"/v1/orgs/{studio.world.organization}/spaces").json["items"]
    assert [one["title"] for one in listed] == ["Guide"]
    studio.translator.failures = [Refused("The translator refused the token.")]
    assert studio.run()["message"] == "The translator refused the token."
    # Once is no failure.
    studio.translator.failures = [Unreachable("The host did not answer.")]
    assert studio.run()["status"] == "completed"
    before = studio.result
    studio.edit(studio.pages(studio.space)["two"]["id"], "second", "last")
    studio.translator.failures = [Unreachable("The host did not answer.")] * 3
    assert studio.run()["status"] == "failed"
    assert studio.result == before


def test_nonsense_is_told(studio: Studio) -> None:
    studio.translator.answers = dict.fromkeys(_texts(studio), "<b>")
    run = studio.run()
    assert run["status"] == "failed"
    assert "nothing that can be used" in run["message"]


def _texts(studio: Studio) -> list[str]:
    studio.run()
    texts = studio.translator.texts
    studio.world.api.put(f"{studio.path}/languages/de", {"instructions": "Anew."})
    return texts


def test_a_run_that_was_broken_off_goes_on(studio: Studio, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "BLOCKS", 2)
    translate, calls = studio.translator.translate, []

    async def breaking(question: Any) -> Any:
        calls.append(question)
        if len(calls) == 2:
            raise RuntimeError("the machine broke")
        return await translate(question)

    studio.translator.translate = breaking  # type: ignore[method-assign]
    assert studio.run()["status"] == "running"
    assert "result" not in studio.world.api.get(studio.path).json
    clock.advance(MINUTE)
    studio.world.work()
    run = studio.newest()
    assert (run["status"], run["blocks"]["remembered"]) == ("completed", 2)
    assert len(studio.translator.texts) == len(set(studio.translator.texts)) == 8
    assert studio.world.api.get(f"{studio.path}/runs").json["count"] == 1


def test_a_run_that_breaks_every_time_is_over(studio: Studio, clock: FakeClock) -> None:
    async def breaking(question: Any) -> Any:
        raise RuntimeError("the machine broke")

    translate, studio.translator.translate = studio.translator.translate, breaking  # type: ignore[method-assign]
    studio.run()
    # Another one is wanted while the first waits for its next try.
    clock.advance(1)
    assert studio.world.api.post(f"{studio.path}/run").status == 204
    for _ in range(3):
        clock.advance(5 * MINUTE)
        studio.world.work()
    runs = studio.world.api.get(f"{studio.path}/runs").json["items"]
    assert [(one["status"], "log of the server" in one["message"]) for one in runs] == [("failed", True)] * 2
    studio.translator.translate = translate  # type: ignore[method-assign]
    assert studio.run()["status"] == "completed"


def test_problems_are_told_to_those_who_see_the_source(studio: Studio) -> None:
    api = studio.world.api
    studio.translator.answers = {"A key": None}
    studio.run()
    assert api.patch(f"/v1/spaces/{studio.space}", {"defaultLevel": None}).status == 200
    reader = studio.world.person("read")
    for token, told in ((None, 1), (reader, 0)):
        run = api.get(f"{studio.path}/runs", token=token).json["items"][0]
        assert len(run["problems"]) == told
        assert api.get(f"{studio.path}/runs/{run['id']}", token=token).json == run
        assert api.get(f"{studio.path}/languages/de", token=token).json["run"] == run


def test_runs_wait_once_and_can_be_taken_back(studio: Studio) -> None:
    api = studio.world.api
    for _ in range(3):
        assert api.post(f"{studio.path}/run").status == 204
    listed = api.get(f"{studio.path}/runs").json
    assert listed["count"] == 1
    assert api.get(studio.path).json["status"] == "pending"
    one = f"{studio.path}/runs/{listed['items'][0]['id']}"
    assert api.post(f"{one}/cancel").json["status"] == "cancelled"
    assert api.post(f"{one}/cancel").status == 409
    studio.world.work()
    assert api.get(one).json["status"] == "cancelled"
    assert studio.translator.asked == []
    assert "result" not in api.get(studio.path).json
    assert studio.run()["status"] == "completed"
    assert api.post(f"{studio.path}/runs/{studio.newest()['id']}/cancel").status == 409


def test_a_run_that_is_cancelled_on_its_way_shows_nothing(studio: Studio) -> None:
    translate = studio.translator.translate

    async def cancelling(question: Any) -> Any:
        async def cancel(unit: Any) -> None:
            [run] = await unit.translations.open_runs(studio.settings["id"])
            await unit.translations.change_run(run, status="cancelled", finished_at=unit.now)

        await studio.world.house.store.write(cancel)
        return await translate(question)

    studio.translator.translate = cancelling  # type: ignore[method-assign]
    run = studio.run()
    assert run["status"] == "cancelled"
    assert "result" not in studio.world.api.get(studio.path).json


def test_a_result_that_was_deleted_is_made_anew(studio: Studio) -> None:
    studio.run()
    first = studio.result["space"]
    assert studio.world.api.delete(f"/v1/spaces/{first}").status == 205
    studio.translator.asked.clear()
    run = studio.run()
    assert (run["status"], studio.translator.asked) == ("completed", [])
    assert studio.result["space"] != first
    assert studio.pages(studio.result["space"])["two"]["title"] == "[de:Two]"


def test_a_source_that_is_gone(studio: Studio) -> None:
    assert studio.world.api.post(f"{studio.path}/run").status == 204
    assert studio.world.api.delete(f"/v1/spaces/{studio.space}").status == 205
    studio.world.work()
    run = studio.newest()
    assert (run["status"], "gone" in run["message"]) == ("failed", True)
    assert studio.world.api.post(f"{studio.path}/run").status == 404


def test_it_follows_its_source_where_it_is_told_to(studio: Studio, clock: FakeClock) -> None:
    page = studio.pages(studio.space)["two"]["id"]
    studio.edit(page, "second", "last")
    clock.advance(MINUTE)
    studio.world.work()
    assert studio.world.api.get(f"{studio.path}/runs").json["items"] == []
    assert studio.world.api.put(studio.path, {"title": "Guide", "automatic": True}).status == 200
    studio.edit(page, "last", "final")
    studio.edit(page, "final", "ultimate")
    studio.world.work()
    assert studio.world.api.get(f"{studio.path}/runs").json["items"] == []
    clock.advance(MINUTE)
    studio.world.work()
    [run] = studio.world.api.get(f"{studio.path}/runs").json["items"]
    assert (run["automatic"], run["status"]) == (True, "completed")
    assert "ultimate" in studio.page(page, studio.result["space"])["markdown"]


def test_refusals(studio: Studio) -> None:
    api = studio.world.api
    blank = api.post(f"/v1/orgs/{studio.world.organization}/translations", {"title": "A"}).json
    path = f"/v1/orgs/{studio.world.organization}/translations/{blank['id']}"
    assert "source" in api.post(f"{path}/run").message
    source = {"space": studio.space, "language": "en"}
    api.put(path, {"title": "A", "source": source})
    reply = api.post(f"{path}/run")
    assert (reply.status, "languages" in reply.message) == (409, True)
    assert api.get(f"{studio.path}/runs/missing").status == 404


@pytest.fixture
def bare(engine: Any, clock: FakeClock, memory_folder: Path, loop: Any) -> Iterator[World]:
    with opened_world(engine, clock, memory_folder, loop, translation_command=[]) as world:
        yield world


def test_without_a_translator_nothing_is_run(bare: World, clock: FakeClock) -> None:
    studio = Studio(bare, clock)
    reply = bare.api.post(f"{studio.path}/run")
    assert (reply.status, "OCTAVO_TRANSLATION_URL" in reply.message) == (501, True)
