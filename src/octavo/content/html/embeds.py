"""The few providers whose pages may be shown in a frame, and the address of the frame."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote, urlsplit

import msgspec

from octavo.content.html.escape import escape, host

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_VIMEO = re.compile(r"/(?:video/)?(\d{1,12})(?:/([0-9a-f]{1,20}))?/?\Z")
_LOOM = re.compile(r"/(?:share|embed)/([0-9a-f]{32})/?\Z")
_CODEPEN = re.compile(r"/([A-Za-z0-9_-]{1,64})/(?:pen|embed|full|details)/([A-Za-z0-9]{1,40})/?\Z")
_FIGMA = re.compile(r"/(?:file|design|proto|board|slides|deck)/[A-Za-z0-9]{1,40}(?:/|\Z)")
_SECONDS = re.compile(r"(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?\Z")


class Frame(msgspec.Struct, frozen=True):
    """What an `<iframe>` shows: an address built from checked parts, never the author's own."""

    provider: str
    origin: str
    path: str

    @property
    def url(self) -> str:
        """The address of the frame."""
        return self.origin + self.path


def frame(url: str) -> Frame | None:
    """The frame for a page of a known provider; None for every other address."""
    where = host(url)
    make = _PROVIDERS.get(where.removeprefix("m."))
    return make(url) if make else None


def iframe(url: str, title: str) -> str:
    """The element that shows a frame's address."""
    return (
        f'<iframe src="{escape(url)}" title="{escape(title)}" loading="lazy" allowfullscreen'
        ' referrerpolicy="strict-origin-when-cross-origin"'
        ' sandbox="allow-scripts allow-same-origin allow-popups allow-presentation allow-forms"></iframe>'
    )


def _youtube(url: str) -> Frame | None:
    parts = urlsplit(url)
    query = parse_qs(parts.query, max_num_fields=50) if parts.query.count("&") < 50 else {}
    steps = [step for step in parts.path.split("/") if step]
    if host(url) == "youtu.be":
        video = steps[0] if steps else ""
    elif steps[:1] in (["embed"], ["shorts"], ["live"]) and len(steps) > 1:
        video = steps[1]
    else:
        video = query.get("v", [""])[0]
    if not _ID.match(video):
        return None
    start = _seconds(query.get("t", query.get("start", [""]))[0])
    return Frame("youtube", "https://www.youtube-nocookie.com", f"/embed/{video}{f'?start={start}' if start else ''}")


def _vimeo(url: str) -> Frame | None:
    found = _VIMEO.match(urlsplit(url).path)
    if not found:
        return None
    return Frame("vimeo", "https://player.vimeo.com", f"/video/{found[1]}?dnt=1{f'&h={found[2]}' if found[2] else ''}")


def _loom(url: str) -> Frame | None:
    found = _LOOM.match(urlsplit(url).path)
    return Frame("loom", "https://www.loom.com", f"/embed/{found[1]}") if found else None


def _codepen(url: str) -> Frame | None:
    found = _CODEPEN.match(urlsplit(url).path)
    return Frame("codepen", "https://codepen.io", f"/{found[1]}/embed/{found[2]}?default-tab=result") if found else None


def _figma(url: str) -> Frame | None:
    if not _FIGMA.match(urlsplit(url).path):
        return None
    return Frame("figma", "https://www.figma.com", f"/embed?embed_host=octavo&url={quote(url[:2000], safe='')}")


def _seconds(written: str) -> int:
    found = _SECONDS.match(written)
    hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    return hours * 3600 + minutes * 60 + seconds


_PROVIDERS = {
    "youtube.com": _youtube,
    "youtu.be": _youtube,
    "youtube-nocookie.com": _youtube,
    "vimeo.com": _vimeo,
    "player.vimeo.com": _vimeo,
    "loom.com": _loom,
    "codepen.io": _codepen,
    "figma.com": _figma,
}
