"""Addresses that somebody wrote, taken apart: what is no address has no parts, and raises nothing."""

from __future__ import annotations

from urllib.parse import SplitResult, urljoin, urlsplit


def parts(url: str) -> SplitResult | None:
    """The parts of an address; None where it has brackets or characters that no address can have.

    >>> parts("http://[") is None
    True
    """
    try:
        return urlsplit(url)
    except ValueError:
        return None


def joined(base: str, url: str) -> str | None:
    """Where an address leads from `base`; None where that cannot be said."""
    try:
        return urljoin(base, url)
    except ValueError:
        return None
