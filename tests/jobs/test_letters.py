"""How letters are written: every kind in every language, whatever people typed, with templates of the operator's own."""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.jobs.people.letters import KINDS, TEMPLATES, Letters
from octavo.jobs.people.letters.samples import samples
from octavo.kernel.letters import Occasion
from octavo.kernel.locales import LOCALES
from octavo.kernel.settings import Settings, SettingsError, load
from tests.processes import invoked

INVITATION = next(one for one in samples() if one.about == "invitation")


def _words(locale: str) -> dict[str, dict[str, str]]:
    written = files("octavo.jobs.people.letters").joinpath("words", f"{locale}.toml").read_text()
    return tomllib.loads(written)


def _places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


class _Seen(HTMLParser):
    """What a reader meets: words, and where links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("locale", LOCALES)
def test_every_language_has_every_sentence_with_its_places(locale: str) -> None:
    english, own = _words("en"), _words(locale)
    assert {part: set(said) for part, said in own.items()} == {part: set(said) for part, said in english.items()}
    for part, said in english.items():
        for name, sentence in said.items():
            assert _places(own[part][name]) == _places(sentence), (part, name)
    if locale != "en":
        same = [name for part in own for name in own[part] if own[part][name] == english[part][name]]
        assert same == []


@pytest.mark.parametrize("locale", LOCALES)
def test_every_letter_in_every_language(locale: str) -> None:
    letters = [Letters(Settings()).write(one) for one in samples(locale)]
    assert len(letters) == len(KINDS)
    for letter in letters:
        assert letter.subject.strip() == letter.subject != ""
        assert letter.html is not None
        seen = _Seen(letter.html)
        assert letter.subject not in ("", "Subject")
        assert not {"script", "img", "link", "iframe"} & set(seen.tags)
        assert all(link in letter.text for link in seen.links), "who reads text can go where others click"
        assert f'dir="{"rtl" if locale in ("ar", "he") else "ltr"}"' in letter.html
        assert "{" not in letter.text


def test_a_reader_has_her_language_and_others_that_of_the_installation() -> None:
    german, none, gone = (Letters(Settings(language="fr")).write(_in(language)) for language in ("de", None, "xx"))
    assert german.subject == "Einladung zu Analytical Engines"
    assert none.subject == gone.subject == "Invitation à Analytical Engines"
    with pytest.raises(SettingsError, match="OCTAVO_LANGUAGE must be one of en, fr"):
        load({"OCTAVO_LANGUAGE": "klingon"})


def _in(language: str | None, **told: Any) -> Occasion:
    return Occasion(to=INVITATION.to, about=INVITATION.about, told=INVITATION.told | told, language=language)


@given(st.text(max_size=80), st.sampled_from(LOCALES))
def test_what_people_typed_stays_what_it_is(typed: str, locale: str) -> None:
    """No tag begins in HTML, no line in text, no header in a subject."""
    usual, letter = (Letters(Settings()).write(_in(locale, organization=title)) for title in ("Octavo", typed))
    assert letter.html is not None
    assert usual.html is not None
    assert _Seen(letter.html).tags == _Seen(usual.html).tags
    assert len(letter.text.split("\n")) == len(usual.text.split("\n"))
    assert "\n" not in letter.subject
    assert "\r" not in letter.subject


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    done = invoked("mail", "templates", str(tmp_path / "own"))
    assert done.exit_code == 0, done.output
    return tmp_path / "own"


def test_templates_are_written_once_and_take_the_place_of_ours(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == set(TEMPLATES)
    frame, text = folder / "frame.html", folder / "invitation.txt"
    frame.write_text(frame.read_text().replace("</body>", "<p>Analytical Engines Ltd</p></body>"))
    text.write_text("Come, {{ who }} asks\n\nIt is {{ organization }}.\n")
    again = invoked("mail", "templates", str(folder))
    assert '"written":[]' in again.output
    letter = Letters(Settings(mail_templates=folder)).write(INVITATION)
    assert (letter.subject, letter.text) == ("Come, Ada Lovelace asks", "It is Analytical Engines.\n")
    assert "Analytical Engines Ltd" in (letter.html or "")


@pytest.mark.parametrize("wrong", ["{% if %}", "{{ nobody }}", "{{ say('nothing') }}", "{{ 1 / 0 }}", "{{ who.x.y }}"])
def test_a_template_that_is_wrong_holds_up_no_letter(
    folder: Path, tmp_path: Path, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "invitation.html").write_text(wrong)
    letters = Letters(Settings(mail_templates=folder))
    assert letters.write(INVITATION) == Letters(Settings()).write(INVITATION)
    assert "a template of OCTAVO_MAIL_TEMPLATES cannot be used" in caplog.text
    assert "Zm9yIHlvdQ" not in caplog.text
    with pytest.raises(ValueError, match=r"Error"):
        letters.check(INVITATION)
    environment = {"OCTAVO_MAIL_TEMPLATES": str(folder), "OCTAVO_DATA": str(tmp_path / "data")}
    done = invoked("mail", "show", str(tmp_path / "shown"), **environment)
    assert done.exit_code == 1
    assert "a template cannot be used" in done.output
    assert "Traceback" not in done.output


def test_letters_are_shown_as_people_get_them(tmp_path: Path) -> None:
    done = invoked("mail", "show", str(tmp_path), "--language", "de")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "login-code.txt").read_text().startswith("Subject: 4711 0815 ist Ihr Code zum Anmelden\n")
    assert re.search(r'<html lang="de"', (tmp_path / "notifications.html").read_text())
