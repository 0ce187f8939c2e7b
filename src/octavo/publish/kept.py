"""Finished answers among what the store keeps, and the keys that tell what they were made of."""

from __future__ import annotations

from hashlib import blake2b

from octavo import __version__
from octavo.store.kept import Kind
from octavo.web.answers import Answer

FINISHED: Kind[Answer] = Kind("finished pages", lambda answer: len(answer.body) + len(answer.zipped or b"") + 500)


READS: Kind[frozenset[str]] = Kind("what finished pages read of visitors", lambda names: 200 + 120 * len(names))
"""By what is kept for everybody; what is kept for somebody goes by the values of these names as well."""


def digest(*parts: object) -> str:
    """A key for what this version of Octavo makes of these parts; it may stand in an `ETag`."""
    hasher = blake2b(__version__.encode(), digest_size=12)
    for part in parts:
        hasher.update(part if isinstance(part, bytes) else repr(part).encode())
    return hasher.hexdigest()
