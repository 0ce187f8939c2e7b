"""Addresses become countries by a database that is whole, and nothing by one that is not.

`countries.mmdb` has four networks that are kept for documentation (RFC 5737 and 3849); it was made with `mmdb_writer`:
192.0.2.0/24 is in DE, 198.51.100.0/24 in FR with a place, 203.0.113.0/24 registered in NL, 2001:db8::/32 in SE.
"""

from __future__ import annotations

import logging
import random
from pathlib import Path

import h3
import pytest

from octavo.store.insights.countries import Countries

FILE = Path(__file__).with_name("countries.mmdb")


@pytest.mark.parametrize(
    ("address", "country"),
    [("192.0.2.7", "DE"), ("203.0.113.200", "NL"), ("2001:db8::5", "SE"), ("10.0.0.1", None)],
)
def test_an_address_has_a_country_or_none(address: str, country: str | None) -> None:
    assert Countries(str(FILE)).find(address) == (country, None)


def test_a_place_is_a_cell_of_the_finest_grid() -> None:
    country, cell = Countries(str(FILE)).find("198.51.100.1")
    assert country == "FR"
    assert cell is not None
    assert h3.int_to_str(cell) == h3.latlng_to_cell(48.85, 2.35, 15)


def test_whatever_is_damaged_is_an_answer_or_none(tmp_path: Path) -> None:
    file, whole = tmp_path / "countries", FILE.read_bytes()
    for seed in range(200):
        chance, data = random.Random(seed), bytearray(whole)
        for _ in range(chance.choice((1, 3, 20))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(data)
        for address in ("192.0.2.7", "198.51.100.9", "2001:db8::1"):
            country, cell = Countries(str(file)).find(address)
            assert isinstance(country, str | None)
            assert isinstance(cell, int | None)


def test_without_a_database_or_an_address_there_is_no_country() -> None:
    assert Countries(None).find("192.0.2.7") == (None, None)
    assert Countries(str(FILE)).find(None) == (None, None)


@pytest.mark.parametrize("kind", ["absent", "empty", "text", "cut", "folder", "damaged"])
def test_a_broken_database_is_told_of_once_and_loses_nothing(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, whole = tmp_path / "countries", FILE.read_bytes()
    contents = {"empty": b"", "text": b"no database\n" * 50, "cut": whole[: len(whole) // 2]}
    # Every pointer of its tree leads nowhere, and its description is whole.
    contents["damaged"] = b"\xff" * (len(whole) - 220) + whole[-220:]
    if kind == "folder":
        file.mkdir()
    elif kind in contents:
        file.write_bytes(contents[kind])
    countries = Countries(str(file))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert countries.find("192.0.2.7") == (None, None)
    assert [one.getMessage() for one in caplog.records] == ["the database of countries is not used"]
