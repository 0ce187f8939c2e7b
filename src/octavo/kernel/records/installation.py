"""Numbers of the whole installation, for those who run it."""

from __future__ import annotations

from octavo.kernel.records import Record


class Counts(Record, frozen=True):
    """How many there are, of what is not deleted."""

    organizations: int
    users: int
    spaces: int
    sites: int
    published: int
    files: int


class Asked(Record, frozen=True):
    """How much there is that counts on libraries which not every installation has."""

    saml: int
    """Identity providers by SAML."""
    scim: int
    """Tokens that are good for SCIM."""
    pdf: int
    """Jobs that made PDFs, as long as they are remembered."""


class Sizes(Record, frozen=True):
    """Of an organization; people are members and guests who are let in."""

    people: int
    spaces: int
    sites: int


class Presence(Record, frozen=True):
    """In how many organizations somebody is, and when she was in one last; 0 = never."""

    organizations: int
    seen_at: int
