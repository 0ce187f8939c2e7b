"""One occasion of each kind, with all that its templates can be given: for looking at letters and for trying templates."""

from __future__ import annotations

from octavo.jobs.people.letters import KINDS
from octavo.kernel.letters import About, Occasion
from octavo.kernel.records import Json

_DOCS = "https://docs.example.com"
_CHANGE = {"who": "Ada Lovelace", "what": "#12 Arrange chapters (Handbook)", "link": f"{_DOCS}/app/o/1/s/2/changes/12"}
_TOLD: dict[About, Json] = {
    "login-code": {"code": "4711 0815", "base": _DOCS, "minutes": 10},
    "invitation": {
        "who": "Ada Lovelace",
        "organization": "Analytical Engines",
        "address": f"{_DOCS}/invites/1/Zm9yIHlvdQ",
        "days": 7,
    },
    "webhook-off": {"title": "Chat", "days": 3, "kept": 30, "address": f"{_DOCS}/app/o/1/webhooks"},
    "trial": {"base": _DOCS},
    "notifications": {
        "entries": [
            _CHANGE | {"told": "review-requested", "words": ""},
            _CHANGE
            | {"told": "comment", "words": "Should the third chapter not come first? <b>Readers</b> ask for it."},
            _CHANGE
            | {"told": "git-failed", "who": None, "what": "Handbook", "words": "The host could not be reached."},
        ],
        "more": 2,
        "choose": f"{_DOCS}/account/notifications",
    },
}


def samples(language: str | None = None) -> list[Occasion]:
    """One of each kind, to nobody who exists."""
    unsubscribe = f"{_DOCS}/unsubscribe/Zm9yIHlvdQ"
    return [
        Occasion(
            to="grace@example.com",
            about=about,
            told=_TOLD[about],
            language=language,
            unsubscribe=unsubscribe if about == "notifications" else None,
        )
        for about in KINDS
    ]
