"""Finished answers among what the store keeps, and the keys that tell what they were made of."""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from octavo import __version__
from octavo.publish.boards import Asks
from octavo.store.kept import Kind
from octavo.web.answers import Answer

FINISHED: Kind[Answer] = Kind("finished pages", lambda answer: len(answer.body) + len(answer.zipped or b"") + 500)


class Reads(NamedTuple):
    """What something was made of besides what its key names."""

    names: frozenset[str]
    """What it read of its visitor."""
    spaces: frozenset[str] = frozenset()
    """Further spaces that it shows pages of."""
    blocks: frozenset[Asks] = frozenset()
    """Blocks of integrations on it."""


READS: Kind[Reads] = Kind("what finished pages read", lambda reads: 300 + 120 * sum(map(len, reads)))
"""By what is kept for everybody; what is kept for somebody goes by the values of these names, and by the shapes of these
spaces, as well."""


def digest(*parts: object) -> str:
    """A key for what this version of Octavo makes of these parts; it may stand in an `ETag`."""
    hasher = blake2b(__version__.encode(), digest_size=12)
    for part in parts:
        hasher.update(part if isinstance(part, bytes) else repr(part).encode())
    return hasher.hexdigest()
