"""Signed words: read again as written, refused when altered, of another kind, of another secret, or too late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from octavo.access.signing import HOUR, PASSING, Download, Preview, Signer, Upload
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.errors import BadRequest, NotFound

NOW = 1_800_000_000_000
SIGNER, OTHER = Signer("one secret"), Signer("another secret")
FILE = Download("org", "space", "b10b", "image/png")
UPLOAD = Upload("org", "name-of-bytes", 7)


def _token(path: str) -> str:
    return path.split("/")[2]


def _written(signer: Signer) -> dict[str, str]:
    """A word of every kind that is read again."""
    return {
        "cursor": signer.write_cursor("spaces", ("org", 3)),
        "download": _token(signer.download_path(FILE, "a.png", NOW, 30)),
        "passing": _token(signer.passing_path(FILE, "a.png", NOW)),
        "upload": signer.write_upload(UPLOAD, NOW),
        "saml": signer.write_saml_request("provider", "browser", NOW),
        "oidc": signer.write_oidc_request("provider", "browser", NOW, "/app"),
    }


READ: dict[str, tuple[Callable[[str], Any], Any, type[Exception]]] = {
    "cursor": (lambda word: SIGNER.read_cursor("spaces", word), ("org", 3), BadRequest),
    "download": (lambda word: SIGNER.read_download(word, NOW), FILE, NotFound),
    "passing": (lambda word: SIGNER.read_passing(word, NOW), FILE, NotFound),
    "upload": (lambda word: SIGNER.read_upload_address(word, NOW), UPLOAD, NotFound),
    "saml": (SIGNER.read_saml_request, ("provider", "browser", NOW), ValueError),
    "oidc": (SIGNER.read_oidc_request, ("provider", "browser", NOW, "/app"), ValueError),
}


@pytest.mark.parametrize("kind", READ)
def test_a_word_is_read_as_it_was_written_and_no_other(kind: str) -> None:
    read, expected, refusal = READ[kind]
    words = _written(SIGNER)
    word = words.pop(kind)
    assert read(word) == expected
    half = len(word) // 2
    altered = word[:half] + ("A" if word[half] != "A" else "B") + word[half + 1 :]
    bare = word.removeprefix("_").removeprefix(PASSING)
    for wrong in (altered, word[:-8], "", "~", "x", bare.split(".")[0], _written(OTHER)[kind], *words.values()):
        with pytest.raises(refusal):
            read(wrong)


def test_a_refusal_repeats_no_more_than_the_beginning() -> None:
    for read in (SIGNER.read_download, SIGNER.read_passing, SIGNER.read_upload_address):
        with pytest.raises(NotFound, match=f"'{'x' * 20}' was not found"):
            read("x" * 100, NOW)
    with pytest.raises(NotFound, match=f"'{'x' * 20}' was not found"):
        SIGNER.read_unsubscribe("x" * 100)


def test_times_are_milliseconds() -> None:
    assert (HOUR, DAY) == (3_600_000, 86_400_000)


def test_a_cursor_serves_in_its_list() -> None:
    word = SIGNER.write_cursor("spaces", ())
    assert SIGNER.read_cursor("spaces", word) == ()
    with pytest.raises(BadRequest, match="another list"):
        SIGNER.read_cursor("sites", word)


@pytest.mark.parametrize(
    ("word", "read", "ends"),
    [
        (SIGNER.write_upload(UPLOAD, NOW), SIGNER.read_upload_address, NOW + HOUR),
        (_token(SIGNER.passing_path(FILE, "a.png", NOW)), SIGNER.read_passing, NOW + HOUR),
        (
            _token(SIGNER.download_path(FILE, "a.png", NOW, 30)),
            SIGNER.read_download,
            (NOW // (30 * DAY) + 2) * 30 * DAY,
        ),
    ],
)
def test_a_word_serves_until_its_time_is_over(word: str, read: Callable[[str, int], Any], ends: int) -> None:
    assert read(word, ends - 1)
    with pytest.raises(NotFound, match="expired"):
        read(word, ends)


@pytest.mark.parametrize("days", [1, 30])
def test_an_address_of_a_file_serves_for_its_days_and_stays_the_same(days: int) -> None:
    first = NOW // (days * DAY) * days * DAY
    path = SIGNER.download_path(FILE, "a b/ü.png", first, days)
    assert path.endswith("/a%20b%2F%C3%BC.png")
    last = first + days * DAY - 1
    assert SIGNER.download_path(FILE, "a b/ü.png", last, days) == path
    assert SIGNER.download_path(FILE, "a b/ü.png", last + 1, days) != path
    assert SIGNER.read_download(_token(path), last + days * DAY) == FILE


def test_an_upload_is_of_its_organization() -> None:
    key = SIGNER.write_upload(UPLOAD, NOW)
    assert SIGNER.read_upload("org", key, NOW) == "name-of-bytes"
    with pytest.raises(BadRequest, match="this organization"):
        SIGNER.read_upload("another", key, NOW)
    for wrong, now in ((key, NOW + HOUR), (key[1:], NOW)):
        with pytest.raises(BadRequest, match="expired"):
            SIGNER.read_upload("org", wrong, now)


def test_a_question_is_answered_for_a_minute() -> None:
    word = SIGNER.write_question(NOW)
    assert [SIGNER.reads_question(word, NOW + late) for late in (0, MINUTE, -MINUTE)] == [True] * 3
    assert [SIGNER.reads_question(word, NOW + late) for late in (MINUTE + 1, -MINUTE - 1)] == [False] * 2
    for wrong in ("", "x", word + "x", OTHER.write_question(NOW), SIGNER.write_form("session")):
        assert SIGNER.reads_question(wrong, NOW) is False


def test_a_share_link_opens_its_site_as_long_as_it_has_its_key() -> None:
    word, links = SIGNER.write_entry("site", "link", "key"), {"other": "key", "link": "key"}
    assert SIGNER.opens(word, "site", links)
    assert not SIGNER.opens(word, "another site", links)
    for now in ({}, {"link": "another key"}, {"other": "key"}):
        assert not SIGNER.opens(word, "site", now)
    for wrong in ("", "x", word + "x", OTHER.write_entry("site", "link", "key"), SIGNER.write_form("session")):
        assert not SIGNER.opens(wrong, "site", links)


def test_a_preview_is_shown_until_its_time_is_over() -> None:
    preview = Preview("site", "request", True, {"plan": "pro"}, NOW)
    word = SIGNER.write_preview(preview, NOW)
    assert SIGNER.read_preview(word, NOW - 1) == preview
    with pytest.raises(NotFound, match="expired"):
        SIGNER.read_preview(word, NOW)
    with pytest.raises(NotFound, match=f"'{'x' * 20}' was not found"):
        SIGNER.read_preview("x" * 100, NOW)


def test_a_page_of_the_application_has_its_token_until_its_time_is_over() -> None:
    word = SIGNER.write_page_token("session", NOW)
    assert SIGNER.read_page_token(word, NOW - 1) == "session"
    assert SIGNER.read_page_token(word, NOW) is None
    assert SIGNER.read_page_token(word + "x", NOW - 1) is None


def test_a_browser_is_known_to_its_account_until_its_time_is_over() -> None:
    word = SIGNER.write_browser("ada", NOW)
    assert SIGNER.knows_browser(word, "ada", NOW - 1)
    assert not SIGNER.knows_browser(word, "ada", NOW)
    assert not SIGNER.knows_browser(word, "eve", NOW - 1)
    assert not SIGNER.knows_browser("", "ada", NOW - 1)


def test_words_that_are_kept_are_bound_to_who_has_them() -> None:
    assert SIGNER.write_form("session") == SIGNER.write_form("session")
    assert len({SIGNER.write_form("session"), SIGNER.write_form("other"), OTHER.write_form("session")}) == 3
    signs = [SIGNER.sign_code("visit", "12345678"), SIGNER.sign_code("visit", "12345679"),
             SIGNER.sign_code("other", "12345678"), OTHER.sign_code("visit", "12345678")]  # fmt: skip
    assert len({*signs}) == 4
    assert SIGNER.sign_code("visit", "12345678") == signs[0]
    two = {SIGNER.write_saml_request("provider", "browser", NOW) for _ in range(2)}
    assert len(two) == 2, "a request is never the same"


def test_what_is_sealed_is_read_with_the_same_secret_alone() -> None:
    sealed = SIGNER.seal("pässword")
    assert "pässword" not in sealed
    assert sealed != SIGNER.seal("pässword")
    assert Signer("one secret").unseal(sealed) == "pässword"
    for other, word in ((OTHER, sealed), (SIGNER, sealed[:-1]), (SIGNER, "")):
        with pytest.raises(ValueError, match="another secret"):
            other.unseal(word)


def test_what_installations_and_exports_hold_is_read_as_it_was_written() -> None:
    """Written by an earlier version: whoever changes a key, a salt or a length loses what is kept by it."""
    sealed = "gAAAAABrBEnqbp0GnJc6MWqKHA8SG9jadZpOgzpGXuKWK_7Bj8-r9KqRSOiMgSOj9lRi_6BvATNZ4yYAJLVkhZMifi1LYxpBnA=="
    assert SIGNER.unseal(sealed) == "pässword"
    exported = "aGy-rRXNAuaZmy8ronnQgw4GyjEJM0X8g20="
    assert (SIGNER.seal_alike("pässword", "provider"), SIGNER.unseal_alike(exported, "provider")) == (
        exported,
        "pässword",
    )
    assert SIGNER.visitor("site", "127.0.0", "Firefox") == "5cfa8c04b7034505c31c6a84f3fdb4"
    assert SIGNER.read_unsubscribe("InVzZXIi.Exu836POukmnrDlVvw04HaTaCV4") == "user"
    entry = "WyJzaXRlIiwibGluayIsIjgyYWYyN2M2NDI0NWJmZDE1YTUyMDEzNGI0NGU2YmIxIl0.R4NBKrlEkMb0ufb9BU70w_eqUBM"
    assert SIGNER.opens(entry, "site", {"link": "key"})


def test_what_is_sealed_for_an_export_is_read_under_its_name_alone() -> None:
    sealed = SIGNER.seal_alike("", "provider")
    assert SIGNER.unseal_alike(sealed, "provider") == ""
    for signer, word, name in ((OTHER, sealed, "provider"), (SIGNER, sealed, "another"), (SIGNER, "x", "provider")):
        with pytest.raises(ValueError, match="another secret"):
            signer.unseal_alike(word, name)
