"""Accounts on social media: from a platform and a handle to an address."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote


class _Platform(NamedTuple):
    name: str
    icon: str
    """A content icon among the brands."""
    address: str
    """With `{}` for the handle; a handle with a slash in it takes the place of everything after the host."""


_PLATFORMS = {
    "bluesky": _Platform("Bluesky", "bluesky", "https://bsky.app/profile/{}"),
    "discord": _Platform("Discord", "discord", "https://discord.gg/{}"),
    "facebook": _Platform("Facebook", "facebook", "https://www.facebook.com/{}"),
    "github": _Platform("GitHub", "github", "https://github.com/{}"),
    "gitlab": _Platform("GitLab", "gitlab", "https://gitlab.com/{}"),
    "hacker-news": _Platform("Hacker News", "hacker-news", "https://news.ycombinator.com/user?id={}"),
    "instagram": _Platform("Instagram", "instagram", "https://www.instagram.com/{}"),
    "linkedin": _Platform("LinkedIn", "linkedin", "https://www.linkedin.com/company/{}"),
    "mastodon": _Platform("Mastodon", "mastodon", "https://mastodon.social/@{}"),
    "medium": _Platform("Medium", "medium", "https://medium.com/@{}"),
    "reddit": _Platform("Reddit", "reddit", "https://www.reddit.com/r/{}"),
    "slack": _Platform("Slack", "slack", "https://{}.slack.com/"),
    "telegram": _Platform("Telegram", "telegram", "https://t.me/{}"),
    "threads": _Platform("Threads", "threads", "https://www.threads.net/@{}"),
    "tiktok": _Platform("TikTok", "tiktok", "https://www.tiktok.com/@{}"),
    "twitch": _Platform("Twitch", "twitch", "https://www.twitch.tv/{}"),
    "twitter": _Platform("X", "x-twitter", "https://x.com/{}"),
    "youtube": _Platform("YouTube", "youtube", "https://www.youtube.com/@{}"),
}
_ALIASES = {"x": "twitter", "hackernews": "hacker-news"}


class Account(NamedTuple):
    """An account as a link shows it; `icon` is the name of a content icon."""

    name: str
    icon: str
    href: str


def account(platform: str, handle: str) -> Account | None:
    """The account of a handle, which may also be its whole address; None for a platform that is not known."""
    word = platform.lower()
    found = _PLATFORMS.get(_ALIASES.get(word, word))
    handle = handle.strip()
    if found is None or not handle.strip("@/"):
        return None
    return Account(found.name, f"brands/{found.icon}", _href(found, handle))


def _href(platform: _Platform, handle: str) -> str:
    if handle.lower().startswith(("https://", "http://")):
        return handle
    name, _, server = handle.lstrip("@").partition("@")
    if platform.name == "Mastodon" and server:
        return f"https://{quote(server, safe='.:')}/@{quote(name, safe='')}"
    if "/" in handle:
        return f"https://{platform.address.split('/')[2]}/{quote(handle.strip('/'), safe='/@')}"
    return platform.address.format(quote(handle.lstrip("@"), safe=""))
