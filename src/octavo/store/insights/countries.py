"""Addresses as countries, by a database that the operator has; without one they are nothing."""

from __future__ import annotations

import logging
from typing import Any

_log = logging.getLogger("octavo.insights")


class Countries:
    """Reads a file of the MaxMind format, opened with the first question; one that is broken is told of once."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._reader: Any = None

    def trouble(self) -> str:
        """What is wrong with the file; empty where it can be read, or there is none."""
        if self._file is None:
            return ""
        import maxminddb  # as below

        try:
            maxminddb.open_database(self._file, maxminddb.MODE_MMAP).close()
        except Exception as error:  # as below
            return str(error)
        return ""

    def find(self, address: str | None) -> tuple[str | None, int | None]:
        """(country as two letters, cell of the H3 grid) of an address; the cell where the database has places."""
        if self._file is None or address is None:
            return None, None
        import maxminddb  # where an operator has such a file

        try:
            if self._reader is None:
                # In Python: the one in C takes the process with it where a file is damaged.
                self._reader = maxminddb.open_database(self._file, maxminddb.MODE_MMAP)
            found = self._reader.get(address)
            return _read(found) if isinstance(found, dict) else (None, None)
        except Exception as error:  # it fails in many ways on what is damaged
            _log.warning("the database of countries is not used", extra={"file": self._file, "reason": str(error)})
            self._file = None
            return None, None


def _read(found: dict[str, Any]) -> tuple[str | None, int | None]:
    place, country = found.get("location"), found.get("country") or found.get("registered_country")
    code = country.get("iso_code") if isinstance(country, dict) else None
    cell = None
    if (
        isinstance(place, dict)
        and isinstance(place.get("latitude"), float)
        and isinstance(place.get("longitude"), float)
    ):
        import h3

        cell = h3.str_to_int(h3.latlng_to_cell(place["latitude"], place["longitude"], 15))
    return (code if isinstance(code, str) else None), cell
