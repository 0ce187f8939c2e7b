"""What can go wrong with a party outside: three kinds, each with a sentence fit for a job's record.

    GatewayFailure
    ├── Refused      the guard, the other side or the nature of what it sent forbids it: trying again will not help
    ├── Unreachable  no answer, or (TooSlow) not in time: trying again may help
    └── TooLarge     more than the limits allow

No sentence holds a credential: addresses appear only through `shown`.
"""

from __future__ import annotations

import re
import ssl
from urllib.parse import urlsplit

SHOWN_MAX = 200

_END = re.compile(r"[/?#]")
_QUERY = re.compile(r"[?#]")
_HOST = re.compile(r"(?:\[[^\]]*\]|[^:@]*)(?::[0-9]*)?")


class GatewayFailure(Exception):
    """`message` is one sentence for people; it names no credential."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Refused(GatewayFailure):
    """Forbidden, absent or not what was expected."""


class Unreachable(GatewayFailure):
    """The other side gave no answer in time."""


class TooSlow(Unreachable):
    """The other side was there, and took longer than the limits allow."""


class TooLarge(GatewayFailure):
    """The other side has more than the limits allow."""


_WHY = {
    9: "it is not valid yet; look at the clocks too",
    10: "it has expired",
    18: "it is signed by itself alone",
    19: "nobody who is trusted here vouches for it",
    20: "nobody who is trusted here vouches for it",
    62: "it is for another name",
    64: "it is for another address",
}
"""What OpenSSL found of a certificate, by its number (`x509_vfy.h`)."""


def untrusted(error: BaseException | None) -> str | None:
    """Why the certificate of the other side was not believed, where that is what an error came from.

    >>> untrusted(OSError("away")) is None
    True
    """
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return _WHY.get(error.verify_code, plain(error.verify_message))
        error = error.__cause__ or error.__context__
    return None


def shown(url: str) -> str:
    """The address as a sentence may show it: without user, password, query and fragment, at most 200 characters."""
    scheme, mark, rest = url.partition("://") if "://" in url else ("", "", url)
    authority = _END.split(rest, maxsplit=1)[0]
    if "@" not in authority and not _HOST.fullmatch(authority):
        # A raw `/`, `?` or `#` in a password ends the authority too early: all up to the last `@` may be secret.
        rest = rest.rpartition("@")[2] if "@" in rest else ""
    bare = _QUERY.split(rest, maxsplit=1)[0]
    authority, slash, path = bare.partition("/")
    return plain(f"{scheme}{mark}{authority.rpartition('@')[2]}{slash}{path}")


def plain(text: str, limit: int = SHOWN_MAX) -> str:
    """Foreign text made fit for a sentence: control characters become `?`, the length is bounded."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text[: limit + 1])
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def host_of(url: str) -> str:
    """The host of an address for a sentence, or the shown address where there is none."""
    try:
        return plain(urlsplit(shown(url)).hostname or shown(url))
    except ValueError:
        return shown(url)
