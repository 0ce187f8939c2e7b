"""The search index on both engines: what is found, in which order, and what is never found."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.kernel.ids import new_id
from octavo.store.database.statement import Statement
from octavo.store.search.find import CANDIDATES, PageHit
from octavo.store.search.search import SearchIndex, Section
from octavo.store.unit import Store

T = TypeVar("T")

ADD_ORGANIZATION = Statement(
    "INSERT INTO organizations (id, title, created_at, email_domains, sso, ai, invite_links)"
    " VALUES (:id, 'Acme', 0, '[]', 0, 0, 0)"
)
ADD_SPACE = Statement(
    "INSERT INTO spaces (id, organization, title, emoji, position, created_at, updated_at, revision, edit_mode,"
    " comments, change_requests, change_requests_open, change_requests_draft)"
    " VALUES (:id, :organization, 'Docs', '', 'a', 0, 0, 'r', 'live', 0, 0, 0, 0)"
)
DELETE_SPACE = Statement("DELETE FROM spaces WHERE id = :id")


@dataclass(frozen=True)
class Found:
    """One page of hits."""

    hits: list[PageHit]
    total: int
    words: list[str]


class Library:
    """An organization of its own with spaces, and short words for what tests do with its index."""

    def __init__(self, store: Store, loop: asyncio.AbstractEventLoop) -> None:
        self.store = store
        self.loop = loop
        self.organization = new_id()
        self.write(lambda at: at._at.run(ADD_ORGANIZATION, {"id": self.organization}))
        self.space = self.add_space()

    def add_space(self) -> str:
        space = new_id()
        self.write(lambda at: at._at.run(ADD_SPACE, {"id": space, "organization": self.organization}))
        return space

    def write(self, work: Callable[[SearchIndex], Awaitable[T]]) -> T:
        return self.loop.run_until_complete(self.store.write(lambda unit: work(unit.search)))

    def read(self, work: Callable[[SearchIndex], Awaitable[T]]) -> T:
        return self.loop.run_until_complete(self.store.read(lambda unit: work(unit.search)))

    def add(self, page: str, title: str, body: str = "", *more: tuple[str, str], space: str | None = None) -> None:
        sections = [Section("", title, body)]
        sections += [Section(heading.lower().replace(" ", "-"), heading, text) for heading, text in more]
        self.write(lambda at: at.replace(self.organization, space or self.space, page, page.encode(), sections))

    def find(
        self,
        query: str,
        spaces: Sequence[str] | None = None,
        limit: int = 20,
        offset: int = 0,
        hidden: Collection[str] = (),
    ) -> Found:
        async def work(at: SearchIndex) -> Found:
            def worth(space: str, page: str) -> float:
                return page not in hidden

            ranked = await at.rank(self.organization, query, spaces=spaces, worth=worth)
            hits = await at.read(self.organization, ranked.pages[offset : offset + limit])
            return Found(hits, len(ranked.pages), [*ranked.words])

        return self.read(work)

    def pages(self, query: str, spaces: Sequence[str] | None = None) -> list[str]:
        return [hit.page for hit in self.find(query, spaces).hits]


@pytest.fixture
def library(store: Store, loop: asyncio.AbstractEventLoop) -> Library:
    return Library(store, loop)


def test_titles_weigh_more_than_bodies(library: Library) -> None:
    library.add("body", "Other", "endpoint " * 6)
    library.add("heading", "Guide", "text", ("The endpoint in detail", "many words " * 200))
    library.add("title", "Endpoint", "many other words " * 100)
    assert library.pages("endpoint") == ["title", "heading", "body"]


def test_a_title_that_is_the_query_comes_first(library: Library) -> None:
    library.add("long", "HTTP endpoint with custom headers", "http endpoint")
    library.add("exact", "HTTP endpoint", "text " * 100)
    library.add("reverse", "Endpoint HTTP options", "http endpoint")
    assert library.pages("http endpoint")[0] == "exact"


def test_more_of_a_word_ranks_higher(library: Library) -> None:
    filler = " ".join(f"filler{number}" for number in range(30))
    library.add("once", "One", f"zebra {filler} {filler}")
    library.add("often", "Two", f"zebra zebra zebra {filler}")
    assert library.pages("zebra") == ["often", "once"]


def test_all_words_stand_in_one_section_or_its_pages_title(library: Library) -> None:
    library.add("together", "One", "", ("A", "red apples"), ("B", "nothing"))
    library.add("apart", "Two", "", ("A", "red"), ("B", "apples"))
    library.add("by-title", "Red things", "intro", ("B", "some apples"))
    found = library.find("red apples")
    assert {hit.page for hit in found.hits[:2]} == {"together", "by-title"}
    assert [hit.page for hit in found.hits[2:]] == ["apart"]
    by_title = next(hit for hit in found.hits if hit.page == "by-title")
    assert [section.anchor for section in by_title.sections] == ["b"]


def test_a_pages_title_alone_shows_its_first_section_only(library: Library) -> None:
    library.add("page", "Retention", "intro", ("Limits", "text"), ("Keeping", "about retention"))
    (hit,) = library.find("retention").hits
    assert [section.anchor for section in hit.sections] == ["", "keeping"]


def test_any_word_when_none_has_all(library: Library) -> None:
    library.add("one", "One", "the walrus")
    library.add("two", "Two", "the carpenter")
    library.add("none", "Three", "the oyster")
    found = library.find("walrus carpenter")
    assert {hit.page for hit in found.hits} == {"one", "two"}
    assert found.total == 2


def test_frequent_words_do_not_decide_when_none_has_all(library: Library) -> None:
    words = [("How to", "how to do this") for _ in range(60)]
    library.add("often", "How to do", "how to", *words)
    library.add("meant", "Storage", "the retention")
    assert library.pages("how to retention") == ["meant"]
    assert library.pages("retention nonsense") == ["meant"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("endp", {"page", "both"}),
        ("http endp", ["both", "page"]),
        ("endpoint http", ["both", "page"]),
        ("endp http", ["both"]),
    ],
)
def test_the_last_word_is_a_beginning(library: Library, query: str, found: list[str] | set[str]) -> None:
    library.add("page", "Something", "an endpoint")
    library.add("both", "Another", "an endpoint for http")
    pages = library.pages(query)
    assert (set(pages) if isinstance(found, set) else pages) == found


def test_one_or_two_letters_begin_words_of_titles_only(library: Library) -> None:
    library.add("title", "Quasar maps", "")
    library.add("body", "Other", "a quasar")
    library.add("word", "More", "the unit is q or qu")
    assert set(library.pages("q")) == {"title", "word"}
    assert set(library.pages("qu")) == {"title", "word"}
    assert set(library.pages("qua")) == {"title", "body"}


@pytest.mark.parametrize("query", ["walruz", "wlarus", "walrs", "walruss", "xwalrus", "walxrus", "aalrus", "Wakrus"])
def test_one_typo_is_forgiven(library: Library, query: str) -> None:
    library.add("page", "Animals", "the walrus")
    library.add("other", "Plants", "the wallflower")
    found = library.find(query)
    assert [hit.page for hit in found.hits] == ["page"]
    assert "walrus" in found.words
    assert library.pages(f"{query} the") == ["page"]


@pytest.mark.parametrize("query", ["wxlruz", "walr us", "sea", "xat"])
def test_two_typos_and_short_words_are_not_forgiven(library: Library, query: str) -> None:
    library.add("page", "Animals", "walrus cat")
    assert library.pages(query.replace(" ", "")) == [] or query == "walr us"


def test_a_typo_is_not_looked_for_while_the_word_occurs(library: Library) -> None:
    library.add("form", "One", "a form")
    library.add("from", "Two", "a from")
    assert library.pages("form") == ["form"]


def test_a_typo_its_author_removed_is_forgiven(library: Library) -> None:
    library.add("page", "One", "the endpiont")
    library.add("page", "One", "the endpoint")
    assert library.pages("endpiont") == ["page"]


def test_a_typo_inside_an_identifier_is_forgiven(library: Library) -> None:
    library.add("page", "One", "call HttpEndpoint")
    assert library.pages("http-endpiont") == ["page"]


@pytest.mark.parametrize("query", ["検索", "検索機能", "検", "索機", "の検索機"])
def test_scripts_without_spaces(library: Library, query: str) -> None:
    library.add("page", "ガイド", "日本語の検索機能は便利です")
    library.add("other", "ほか", "日本語の機械は便利です")
    assert library.pages(query) == ["page"]


@pytest.mark.parametrize("query", ["elan", "Élan", "ÉLAN", "e\u0301lan"])
def test_accents_and_case_do_not_matter(library: Library, query: str) -> None:
    library.add("accent", "One", "l’élan vital")
    library.add("plain", "Two", "elan vital")
    assert set(library.pages(query)) == {"accent", "plain"}


@pytest.mark.parametrize(
    "query", ["HttpEndpoint", "httpendpoint", "http endpoint", "endpoint", "http-endpoint", "HTTPENDP"]
)
def test_identifiers_are_found_whole_and_by_their_parts(library: Library, query: str) -> None:
    library.add("page", "One", "use the HttpEndpoint activity")
    library.add("other", "Two", "use the TimerEvent activity")
    assert library.pages(query) == ["page"]


def test_organizations_never_see_each_other(library: Library, store: Store, loop: asyncio.AbstractEventLoop) -> None:
    other = Library(store, loop)
    library.add("ours", "Secret plan", "walrus")
    other.add("theirs", "Secret plan", "walrus")
    for query in ("secret", "walrus", "walrsu", "secret nothing", "s"):
        assert library.pages(query) == ["ours"]
        assert other.pages(query) == ["theirs"]
    assert library.find("walrus", [other.space]).total == 0
    assert library.find("walrus", [library.space, other.space]).total == 1


def test_organizations_with_the_same_mark_never_see_each_other(
    library: Library, store: Store, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("search", "query"):
        monkeypatch.setattr(f"octavo.store.search.{module}.mark", lambda organization: "aaaaaaa")
    other = Library(store, loop)
    library.add("ours", "Secret plan", "walrus")
    other.add("theirs", "Secret plan", "walrus ostrich")
    assert (library.pages("walrus"), library.find("walrus").total) == (["ours"], 1)
    assert library.find("ostrich").total == 0
    assert library.find("ostrihc").total == 0


def test_only_the_spaces_asked_for(library: Library) -> None:
    other = library.add_space()
    library.add("here", "Walrus", "text")
    library.add("there", "Walrus", "ostrich", space=other)
    assert set(library.pages("walrus")) == {"here", "there"}
    assert library.pages("walrus", [other]) == ["there"]
    assert library.pages("walrsu", [library.space]) == ["here"]
    assert library.pages("ostrihc", [library.space]) == []
    assert library.find("walrus", []).total == 0
    assert library.find("walrus", ["nowhere"]).total == 0


def test_the_same_page_id_in_two_spaces_is_two_pages(library: Library) -> None:
    other = library.add_space()
    library.add("page", "Walrus", "one")
    library.add("page", "Walrus", "two", space=other)
    assert {(hit.space, hit.page) for hit in library.find("walrus").hits} == {(library.space, "page"), (other, "page")}


def test_replacing_a_page_leaves_no_ghosts(library: Library) -> None:
    library.add("other", "Other", "unicorn")
    library.add("page", "Walrus", "ostrich", ("Emu", "one"), ("Kiwi", "two"))
    library.add("page", "Dodo", "moa")
    assert [library.pages(word) for word in ("walrus", "ostrich", "emu", "kiwi")] == [[]] * 4
    assert library.pages("dodo moa") == ["page"]
    assert library.pages("unicorn") == ["other"]
    assert library.read(lambda at: at.pages(library.space)) == {"page": b"page", "other": b"other"}


def test_a_page_without_sections_is_known_and_not_found(library: Library) -> None:
    library.add("page", "Walrus", "ostrich")
    library.write(lambda at: at.replace(library.organization, library.space, "page", b"empty", []))
    assert library.pages("walrus") == []
    assert library.read(lambda at: at.pages(library.space)) == {"page": b"empty"}


def test_removing_pages(library: Library) -> None:
    for page in ("a", "b", "c"):
        library.add(page, "Walrus", page * 5)
    library.write(lambda at: at.remove(library.space, ["a", "c", "unknown"]))
    assert library.pages("walrus") == ["b"]
    assert [*library.read(lambda at: at.pages(library.space))] == ["b"]
    library.add("d", "Walrus", "again")
    assert set(library.pages("walrus")) == {"b", "d"}
    assert library.pages("aaaaa") == library.pages("ccccc") == []


def test_dropping_a_space(library: Library) -> None:
    other = library.add_space()
    library.add("page", "Walrus", "text")
    library.add("kept", "Walrus", "text", space=other)
    library.write(lambda at: at.set_head(library.organization, library.space, b"root"))
    library.write(lambda at: at.drop(library.space))
    assert library.pages("walrus") == library.pages("walrsu") == ["kept"]
    assert library.read(lambda at: at.pages(library.space)) == {}
    assert library.read(lambda at: at.head(library.space)) is None


def test_deleting_a_space_takes_its_words_along(library: Library) -> None:
    gone = library.add_space()
    library.add("page", "Walrus", "text", space=gone)
    library.write(lambda at: at._at.run(DELETE_SPACE, {"id": gone}))
    assert library.find("walrus").total == 0
    library.add("new", "Ostrich", "text", space=library.add_space())
    assert library.find("walrus").total == 0
    assert library.pages("ostrich") == ["new"]


def test_heads(library: Library) -> None:
    assert library.read(lambda at: at.head(library.space)) is None
    library.add("page", "One", "text")
    assert library.read(lambda at: at.head(library.space)) is None
    library.write(lambda at: at.set_head(library.organization, library.space, b"one"))
    library.write(lambda at: at.set_head(library.organization, library.space, b"two"))
    assert library.read(lambda at: at.head(library.space)) == b"two"
    assert library.pages("text") == ["page"]


def test_hits_are_grouped_and_counted_by_page(library: Library) -> None:
    for number in range(7):
        library.add(f"page{number}", f"Title {number}", "walrus", *[(f"Part {at}", "walrus") for at in range(number)])
    found = library.find("walrus", limit=3)
    assert (found.total, len(found.hits)) == (7, 3)
    by_page = {hit.page: hit for hit in library.find("walrus").hits}
    assert {page: len(hit.sections) for page, hit in by_page.items()} == {
        "page0": 1, "page1": 2, "page2": 3, "page3": 4, "page4": 5, "page5": 5, "page6": 5,
    }  # fmt: skip
    for hit in by_page.values():
        scores = [section.score for section in hit.sections]
        assert scores == sorted(scores, reverse=True)
        assert hit.score >= scores[0] > 0


def test_the_order_is_stable_over_pages_of_hits(library: Library) -> None:
    for number in range(25):
        library.add(f"page{number}", "Same title", "the same walrus")
    whole = library.pages("walrus", None)
    assert library.pages("walrus") == whole
    parts = [hit.page for at in range(0, 25, 4) for hit in library.find("walrus", limit=4, offset=at).hits]
    assert parts[:20] == whole
    assert len(set(parts)) == 25
    beyond = library.find("walrus", limit=4, offset=100)
    assert (beyond.hits, beyond.total) == ([], 25)


def test_sections_come_with_their_texts(library: Library) -> None:
    library.add("page", "Animals", "intro", ("The Walrus", 'It said:\n\n"Time" has come\0.'))
    (hit,) = library.find("walrus").hits
    (section,) = hit.sections
    assert (section.anchor, section.title, section.body) == (
        "the-walrus",
        "The Walrus",
        'It said:\n\n"Time" has come\ufffd.',
    )


def test_words_to_mark(library: Library) -> None:
    library.add("page", "One", "http endpoint")
    assert library.find("http endp").words == ["http", "~http", "endp*", "~endp"]
    assert library.find("how to htpt endp").words == ["http", "endp*", "~endp"]


def test_hidden_pages_are_neither_found_nor_counted(library: Library) -> None:
    for page in ("a", "b", "c"):
        library.add(page, "Walrus", page * 5)
    found = library.find("walrus", hidden=["a"])
    assert {hit.page for hit in found.hits} == {"b", "c"}
    assert found.total == 2


def test_words_of_hidden_pages_alone_are_as_unknown_as_any(library: Library) -> None:
    library.add("shown", "Animals", "the walrus")
    library.add("hidden", "Plans", "the wallrus merger")
    for word in ("wallrus", "walruss", "walrsu"):
        found = library.find(word, hidden=["hidden"])
        assert ([hit.page for hit in found.hits], found.words) == (["shown"], ["walrus"]), word
    assert library.find("merger walrus", hidden=["hidden"]) == library.find("mergerr walrus", hidden=["hidden"])
    assert library.find("mergre", hidden=["hidden"]).total == 0


def test_endings_do_not_matter(library: Library) -> None:
    library.add("plural", "Custom activities", "")
    library.add("verb", "Other", "we configured a query")
    assert library.pages("custom activity") == library.pages("customs activities") == ["plural"]
    assert library.pages("configuring queries") == ["verb"]


def test_the_word_itself_comes_before_its_relatives(library: Library) -> None:
    library.add("relative", "Configured hosts", "")
    library.add("itself", "Configuration hosts", "")
    assert library.pages("configuration host") == ["itself", "relative"]


def test_a_question_is_answered_without_its_small_words(library: Library) -> None:
    library.add("answer", "Custom activities", "create a custom activity so")
    library.add("noise", "How do I do it", "how to do what I do")
    assert library.pages("how do I create a custom activity")[0] == "answer"
    assert library.pages("how do I") == ["noise"]


def test_a_name_is_meant_whole_first(library: Library) -> None:
    library.add("apart", "HTTP: use cases", "use http")
    library.add("whole", "Other", "call UseHttp there")
    assert library.pages("UseHttp") == ["whole", "apart"]


def test_of_many_matches_titles_are_ranked_first(library: Library) -> None:
    """A page late in the index is found by its title, however many sections before it have the word."""
    for number in range(CANDIDATES // 40 + 1):
        library.add(f"page{number}", "Other", "walrus", *[(f"A walrus {at}", "walrus") for at in range(40)])
    library.add("exact", "Walrus", "text")
    for query in ("walrus", "wal", "walrus walr"):
        found = library.find(query)
        assert found.hits[0].page == "exact", query
        assert found.total >= len(found.hits) > 1


def test_paging_through_more_than_is_ranked_ends(library: Library) -> None:
    for number in range(CANDIDATES + 30):
        library.add(f"page{number}", "Same", "the walrus")
    found = library.find("walrus")
    assert found.total == CANDIDATES
    assert len(library.find("walrus", limit=1000).hits) == CANDIDATES
    assert library.find("walrus", offset=CANDIDATES).hits == []


HOSTILE = [
    "", " ", "\0", "\0walrus\0", "\"", "'", "''", "\"walrus", "walrus\"", "*", "walrus*", "* walrus", "NEAR(a b)",
    "AND", "OR", "NOT", "walrus AND", "NOT walrus", "title:walrus", "title : walrus", "{title}: walrus", "^walrus",
    "-walrus", "(walrus", "walrus)", "((((", "a+b", "+", "=", "=walrus", "walrus:*", "walrus & !x", "a | b", "<->",
    "NEAR", "\\", "'walrus\\':*", "%", "_", ";", "--", "walrus; DROP TABLE search_pages", ":walrus", "$1",
    "\ud800", "walrus\ud800",
    "\u0301", "é" * 512, "検" * 512, "a " * 256, ("ab" * 30 + " ") * 8, "a.b" * 170, "A" * 512, "aB" * 256, ". " * 256,
    "\U0010ffff", "\ufeff", "½", "١٢٣",
]  # fmt: skip


def test_hostile_queries_find_words_or_nothing(library: Library) -> None:
    library.add("page", "Zoo", "the walrus")
    for query in HOSTILE:
        found = library.find(query)
        assert found.total == (1 if "walrus" in query else 0), query
    assert library.pages("walrus") == ["page"]


def test_hostile_pages_are_indexed(library: Library) -> None:
    for number, text in enumerate(HOSTILE):
        library.add(f"page{number}", text, text, (text, text))
    library.add("long", "Long", " ".join(f"unique{number}" for number in range(60_000)) + " x" * 20_000)
    library.add("wide", "Wide", ("é" * 5000 + " ") * 3, *[(f"h{at}", f"unusual{at}") for at in range(5000)])
    assert library.pages("unique17") == ["long"]
    assert library.pages("unusual4999") == ["wide"]
    assert "page3" in library.pages("walrus")


@given(query=st.text(max_size=40) | st.text(alphabet="ab\"'*:()&|! \\\0-._+=é検", max_size=40))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_raises(library: Library, query: str) -> None:
    found = library.find(query)
    assert found.total >= len(found.hits)
