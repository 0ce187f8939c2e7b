"""The content security policy of a page: ours, widened by what its blocks and the scripts of its site need."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from octavo.publish.templating import CONTENT_SECURITY_POLICY

_WIDENED = frozenset(
    (
        "script-src",
        "script-src-elem",
        "style-src",
        "font-src",
        "img-src",
        "media-src",
        "connect-src",
        "frame-src",
        "child-src",
        "worker-src",
    )
)
"""What an integration may ask for; the others say what a page itself is, and are not its."""
_NEVER = frozenset(("'none'", "'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "'strict-dynamic'", "data:", "*"))
"""Sources with which whatever got into a page could run."""
_PASSIVE = frozenset(("img-src", "font-src", "media-src", "connect-src"))
_AS = {"script-src-elem": "script-src", "child-src": "frame-src"}


@lru_cache(256)
def policy(called: tuple[str, ...], asked: tuple[str, ...]) -> str:
    """The policy of a page whose reader may call APIs at these origins, with scripts that ask for these policies.

    >>> "script-src 'self' https://a.test;" in policy((), ("script-src https://a.test 'unsafe-inline'; base-uri *",))
    True
    """
    made = dict(_directives(CONTENT_SECURITY_POLICY))
    _add(made, "connect-src", called)
    for one in asked:
        for name, sources in _directives(one):
            named = _AS.get(name, name)
            if name in _WIDENED:
                _add(made, named, [source for source in sources if _is_taken(named, source)])
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in made.items())


def _directives(text: str) -> list[tuple[str, list[str]]]:
    parts = (part.split() for part in text.split(";") if part.strip())
    return [(name.lower(), sources) for name, *sources in parts]


def _is_taken(name: str, source: str) -> bool:
    if name == "style-src" and source == "'unsafe-inline'":
        return True
    if name in _PASSIVE and source in ("data:", "blob:", "*"):
        return True
    return source.isascii() and source.isprintable() and source.lower() not in _NEVER and "," not in source


def _add(made: dict[str, list[str]], name: str, sources: Iterable[str]) -> None:
    known = made.setdefault(name, ["'self'"])
    known.extend(source for source in sources if source not in known)
