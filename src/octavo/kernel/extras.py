"""Parts of Octavo whose libraries not every installation has: `pip install octavo[NAME]` brings those of one.

Nobody finds out by an import that fails: who is about to need one asks here, and whoever asked for it reads one sentence.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Literal, NamedTuple

from octavo.kernel.errors import NotInstalled

Name = Literal["pdf", "insights", "saml", "scim", "postgres"]


class Extra(NamedTuple):
    """What it is for, as a sentence begins, and the modules that its libraries bring."""

    what: str
    modules: tuple[str, ...]


EXTRAS: dict[Name, Extra] = {
    "pdf": Extra("PDFs and drawn pictures", ("typst", "pikepdf")),
    "insights": Extra("Insights", ("duckdb", "sqlglot", "ua_parser", "maxminddb", "h3")),
    "saml": Extra("Signing in by SAML", ("onelogin.saml2", "xmlsec")),
    "scim": Extra("Provisioning by SCIM", ("scim2_server", "scim2_models")),
    "postgres": Extra("PostgreSQL", ("asyncpg",)),
}


@cache
def lacks(name: Name) -> str:
    """What to install for a part of Octavo to work; empty where it is installed."""
    if all(map(_found, EXTRAS[name].modules)):
        return ""
    return f'{EXTRAS[name].what} cannot be had here, as libraries are missing: pip install "octavo[{name}]"'


def require(name: Name) -> None:
    """Raises NotInstalled, with that sentence."""
    if sentence := lacks(name):
        raise NotInstalled(sentence)


def _found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # what it lies in is not there either
        return False
