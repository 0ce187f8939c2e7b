"""The words around pages: the same ones in every locale, none beside the tables, and each page in its own."""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from babel import Locale as Cldr
from markupsafe import Markup, escape

from octavo.content import html as rendering
from octavo.kernel.locales import LOCALES
from octavo.publish import templating, words
from octavo.publish.actions import page_actions
from octavo.publish.views import (
    Announcement,
    FeedbackView,
    HeaderLink,
    Link,
    LinkGroup,
    Marked,
    MessageKind,
    MessageView,
    NavNode,
    Outline,
    PageView,
    PdfView,
    PreviewView,
    SearchHit,
    SearchView,
    SectionHit,
    SiteChrome,
    Tab,
    Tag,
)
from tests.client import World
from tests.publish.visiting import Visitor, tree, visit, write

PUBLISH = files("octavo.publish")
NAMES = {"Octavo", "Markdown", "RSS", "Ctrl", "Esc", "K", "PDF", "MCP"}
"""What is the same in every language."""
OTHERS = [locale for locale in LOCALES if locale != "en"]


def _customize(site: Visitor, look: dict[str, Any]) -> None:
    async def change(unit: Any) -> None:
        await unit.sites.change(await unit.sites.get(site.site["id"]), customization=look)

    site.world.run(site.world.house.store.write(change))


def _holes(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _sources(folder: str, kind: str) -> Iterator[tuple[str, str]]:
    for source in PUBLISH.joinpath(folder).iterdir():
        if source.name.endswith(kind):
            yield source.name, source.read_text(encoding="utf-8")


def test_there_is_a_table_for_each_locale_and_no_other() -> None:
    assert {name.removesuffix(".toml") for name, _ in _sources("locales", ".toml")} == {*LOCALES}


@pytest.mark.parametrize("locale", OTHERS)
def test_every_locale_has_every_word(locale: str) -> None:
    ours, english = words.of(locale), words.of("en")
    assert ours.locale == locale
    tables = {name: tomllib.loads(text) for name, text in _sources("locales", ".toml")}
    for part, said in tables["en.toml"].items():
        assert tables[f"{locale}.toml"][part].keys() == said.keys()
    assert all(said.strip() == said and said for said in (*ours.text.values(), *ours.content.values()))
    for name, said in english.text.items():
        assert _holes(ours.text[name]) == _holes(said), name
    # Most words differ from the English ones; a table that was copied would not.
    same = [name for name, said in ours.text.items() if said == english.text[name]]
    assert len(same) < len(english.text) / 5, same


def test_what_rendered_documents_say_is_in_the_tables() -> None:
    sources = "\n".join(path.read_text() for path in Path(str(rendering.__file__)).parent.glob("*.py"))
    said = set(re.findall(r"""\.phrase\(["']([^"']+)["']\)""", sources)) | {"Note", "Success", "Warning", "Danger"}
    assert said == set(words.of("en").content)


def test_scripts_say_only_what_the_page_gives_them() -> None:
    given = {
        re.sub(r"-(\w)", lambda found: found[1].upper(), name)
        for name in re.findall(r" data-([\w-]+)=", words.of("en").script)
    }
    scripts = "\n".join(text for _, text in _sources("static", ".js"))
    themes = {"system", "light", "dark"}
    assert set(re.findall(r"\bwords\.(\w+)", scripts)) == given - themes
    assert themes <= given


def _in_russian() -> Iterator[str]:
    """Every page with nothing in it but Cyrillic and figures, so that Latin words can only be the templates'."""
    link = Link("Б", "/1", new_tab=True)
    entry = Tab("Б", "/1", new_tab=True)
    site = SiteChrome(
        "Сайт", "/", "/2/", locale="ru", search_url="/3", header_links=(HeaderLink("В", children=(link,)),),
        header_social=(link,), footer_groups=(LinkGroup("", (link,)),), footer_social=(link,), footer_note="7",
        privacy_url="/4", trademark=True, sections=(entry, entry), variants=(link, link),
        announcement=Announcement("5", "Г", link=link),
        preview=PreviewView(3, "Р", (Marked("4", "С", "removed"), Marked("5", "Т", "added", "/1")), 2),
    )  # fmt: skip
    nav = (NavNode("Д", "/6", children=(NavNode("Е", "/7", mark="У"),)),)
    page = PageView(
        "Ж", "", outline=(Outline(1, "8", "З"), Outline(1, "9", "И")), breadcrumbs=(link,), previous=link, next=link,
        updated_at=datetime(2026, 11, 3, tzinfo=UTC), tags=(Tag("К"),), edit_url="/8", markdown_url="/9",
        feedback_url="/10", pdf_url="/11",
    )  # fmt: skip
    hit = SearchHit("Л", "/1", ("М",), (SectionHit("Н", "/2", ("О",)),), ("П",))
    acting = msgspec.structs.replace(site, actions=("markdown", "mcp", "pdf", "git"), title="1")
    page = msgspec.structs.replace(
        page, actions=tuple(one for one in page_actions(acting, page) if "VS" not in one.title)
    )
    yield templating.page(site, nav, page)
    for told in (
        FeedbackView("Ж", "/1", "/2"),
        FeedbackView("Ж", "/1", "/2", "ok"),
        FeedbackView("Ж", "/1", "/2", "ok", True),
    ):
        yield templating.feedback(site, told)
    for asked in (PdfView("Ж", "З", "/1", "/2", True), PdfView("Ж", "З", "/1", "/2", waits=True, done=1, total=2)):
        yield templating.pdf(site, asked)
    yield templating.page(msgspec.structs.replace(site, preview=PreviewView()), nav, page)
    for view in (SearchView(""), SearchView("1", nearest=(link,)), SearchView("1", (hit,), next_href="/2")):
        yield templating.search(site, nav, view)
    for kind in get_args(MessageKind):
        own = {"title": "5", "text": "5"} if kind == "home" else {}  # says what the installation is
        yield templating.message(site, MessageView(kind, reference="5", **own))


def test_templates_have_no_words_of_their_own() -> None:
    spoken = ("aria-label", "title", "placeholder", "alt")
    for html in _in_russian():
        document = tree(html)
        said = [document.one("body").text, document.one("title").text]
        said += [one[name] for one in document.walk() for name in spoken if name in one.attributes]
        assert {word for text in said for word in re.findall("[A-Za-z]+", text)} <= NAMES


def test_days_are_written_as_the_locale_does() -> None:
    day = date(2026, 11, 3)
    written = {locale: words.of(locale).day(day) for locale in LOCALES}
    assert written == {
        "en": "3 November 2026",
        "fr": "3 novembre 2026",
        "es": "3 de noviembre de 2026",
        "zh": "2026年11月3日",
        "ja": "2026年11月3日",
        "de": "3. November 2026",
        "nl": "3 november 2026",
        "no": "3. november 2026",
        "pt-br": "3 de novembro de 2026",
        "ru": "3 ноября 2026\u202fг.",
        "it": "3 novembre 2026",
        "pt": "3 de novembro de 2026",
        "sv": "3 november 2026",
        "da": "3. november 2026",
        "pl": "3 listopada 2026",
        "ko": "2026년 11월 3일",
        "uk": "3 листопада 2026\u202fр.",
        "tr": "3 Kasım 2026",
        "ar": "3 نوفمبر 2026",
        "he": "3 בנובמבר 2026",
    }
    assert words.of("en").day(day, "short") == "3 Nov 2026"
    assert words.of("de").day(day, "short") == "03.11.2026"
    assert (words.of("en").day(day, "numeric"), words.of("de").day(day, "numeric")) == ("2026-11-03", "3.11.2026")


def test_tags_of_languages_are_real() -> None:
    for locale in LOCALES:
        assert Cldr.parse(words.of(locale).lang, sep="-").language == {"no": "nb"}.get(locale, locale[:2])


def test_the_nearest_locale_of_a_language() -> None:
    assert words.nearest("de", "en") == "de"
    assert words.nearest("pt", "en") == "pt"
    assert words.nearest("pt-ao", "en") == "pt"
    assert words.nearest("pt-BR", "en") == "pt-br"
    assert words.nearest("zh-tw", "en") == "zh"
    assert words.nearest("fi", "fr") == "fr"
    assert words.nearest(None, "fr") == "fr"
    assert words.of("tlh").locale == "en"


def test_what_is_filled_in_is_escaped() -> None:
    assert words.filled("<{a}> {b}", a="<i>", b=Markup("<b>")) == "&lt;&lt;i&gt;&gt; <b>"


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    pages = {
        "SUMMARY.md": "* [Home](README.md)\n* [Next](next.md)\n  * [Below](below.md)\n* [Last](last.md)\n",
        "README.md": "# Home\n\n## One\n\n{% hint style='warning' %}\nMind\n{% endhint %}\n\n## Two\n",
        "next.md": "# Next\n",
        "below.md": "# Below\n",
        "last.md": "# Last\n",
    }
    return visit(world, write(tmp_path, {**pages}))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_page_speaks_the_locale_of_its_site(site: Visitor, locale: str) -> None:
    _customize(site, {"internationalization": {"locale": locale}})
    said = words.of(locale)
    page = site.page("next")
    assert page.one("html")["lang"] == said.lang
    assert page.one("a", "skip").text == said.text["skip"]
    assert page.one("a", rel="prev", class_="previous").one("small").text == said.text["previous"]
    updated = page.one("main").one("time")
    assert updated.text.split() == said.day(date.fromisoformat(updated["datetime"][:10])).split()
    assert words.filled(said.text["updated"], day=updated.text) in page.one("main").text
    assert page.one("template", id="~words")["data-copied"] == said.text["copied"]
    toggle = page.all("button", "nav-toggle")[0]
    assert toggle["aria-label"] == words.filled(said.text["pages_in"], title="Next")
    home = site.page("")
    assert home.one("h2", id="~outline-title").text == said.text["on_this_page"]
    assert home.one("div", "hint")["aria-label"] == said.content["Warning"]
    missing = site.get("no/such/page")
    assert missing.status == 404
    assert str(escape(said.text["not_found_title"])) in missing.text
    assert str(escape(said.text["type_words"])) in site.get("~octavo/search").text


def test_kept_entries_of_the_navigation_follow_the_locale(site: Visitor) -> None:
    def names() -> set[str]:
        return {one["aria-label"] for one in site.page("last").all("button", "nav-toggle")}

    assert names() == {"Pages in Next"}
    _customize(site, {"internationalization": {"locale": "de"}})
    assert names() == {"Seiten in Next"}


def test_a_space_in_another_language_brings_its_words(site: Visitor) -> None:
    _customize(site, {"internationalization": {"locale": "fr"}})
    assert site.world.api.patch(f"/v1/spaces/{site.space}", {"language": "de"}).status == 200
    page = site.page("next")
    assert (page.one("html")["lang"], page.one("a", "skip").text) == ("de", "Zum Inhalt springen")
    assert site.world.api.patch(f"/v1/spaces/{site.space}", {"language": "pt"}).status == 200
    assert site.page("next").one("html")["lang"] == "pt"
    assert site.world.api.patch(f"/v1/spaces/{site.space}", {"language": "zh-tw"}).status == 200
    # There are no words in it, so the site's are around content that says what it is.
    assert site.world.api.patch(f"/v1/spaces/{site.space}", {"language": "fi"}).status == 200
    page = site.page("next")
    assert (page.one("html")["lang"], page.one("a", "skip").text) == ("fi", "Aller au contenu")


@pytest.mark.parametrize("language", ["ar", "he"])
def test_a_page_runs_from_right_to_left_with_its_words(site: Visitor, language: str) -> None:
    assert "dir" not in site.page("last").one("html").attributes
    _customize(site, {"internationalization": {"locale": language}})
    assert site.page("last").one("html")["dir"] == "rtl"
    _customize(site, {"internationalization": {"locale": "fr"}})
    assert site.world.api.patch(f"/v1/spaces/{site.space}", {"language": language}).status == 200
    page = site.page("next")
    assert (page.one("html")["lang"], page.one("html")["dir"]) == (language, "rtl")
    assert page.one("a", "skip").text == words.of(language).text["skip"]


@pytest.mark.parametrize(
    ("language", "way"),
    [
        ("ar", "rtl"),
        ("he-IL", "rtl"),
        ("fa", "rtl"),
        ("ur", "rtl"),
        ("de", "ltr"),
        ("pt-BR", "ltr"),
        ("xx-unknown", "ltr"),
        ("", "ltr"),
    ],
)
def test_the_way_of_a_script_is_that_of_its_language(language: str, way: str) -> None:
    assert words.direction(language) == way
