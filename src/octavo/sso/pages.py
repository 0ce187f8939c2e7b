"""What people see on their way through single sign-on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from octavo.kernel.clock import MINUTE
from octavo.web.answers import Answer
from octavo.web.pages import Pages

SENTENCES = {
    "markup": "The answer of the identity provider holds what no such answer holds, and was not accepted.",
    "response": "The answer of the identity provider cannot be read, and was not accepted.",
    "shape": "The answer of the identity provider is not put together as one of its own, and was not accepted.",
    "signature": "The signature of the answer does not belong to a certificate that this organization trusts.",
    "unsigned": "The answer of the identity provider is not signed, and was not accepted.",
    "algorithm": "The answer is signed in a way that is no longer safe. The identity provider has to use SHA-256.",
    "encrypted": "The answer is encrypted. The identity provider has to sign it, and not to encrypt it.",
    "issuer": "The answer comes from another identity provider than the one that this organization trusts.",
    "destination": "The answer was meant for another address.",
    "audience": "The answer was meant for another service.",
    "recipient": "The answer was meant for another recipient.",
    "early": "The answer is not valid yet. The clock of the identity provider may be wrong.",
    "late": "The answer is no longer valid. Please sign in again.",
    "denied": "The identity provider did not sign you in.",
    "subject": "The identity provider did not tell who you are.",
    "unasked": "Signing in begins here, not at the identity provider. Please sign in again.",
    "used": "This answer was used before. Please sign in again.",
    "browser": "This sign-in was begun in another browser, or too long ago. Please sign in again.",
    "pending": "This way to sign in is not set up yet.",
    "absent": "There is no such way to sign in.",
    "account": "This account cannot be signed in.",
    "key": "The answer is signed with a key that the identity provider does not show.",
    "provider": "The identity provider could not be asked. Please try again in a moment.",
    "large": "The answer of the identity provider is too large.",
    "busy": "Too many are signing in at this moment. Please try again.",
    "missing": "This way to sign in cannot be used here, as libraries for it are missing.",
    "broken": "Something broke here. Please try again.",
}
"""Word of a reason, also that of `/sso?error=` -> what people are told."""

_STATUS = {
    "provider": 502,
    "absent": 404,
    "pending": 409,
    "large": 413,
    "busy": 503,
    "missing": 501,
    "broken": 500,
    "response": 400,
}


REQUEST_LIVES = 60 * MINUTE
"""How long somebody may take at the identity provider."""


class Turned(Exception):
    """Somebody is not signed in; `reason` is a word of `SENTENCES`."""

    def __init__(self, reason: str, detail: str = "", *, sentence: str = "") -> None:
        super().__init__(detail)
        self.reason = reason
        self.sentence = sentence


def status_of(reason: str) -> int:
    """The HTTP status of a refusal."""
    return _STATUS.get(reason, 403)


@dataclass(frozen=True)
class Way:
    """A way to sign in, as the list shows it."""

    label: str
    href: str


class Ways:
    """The pages of single sign-on; `asset` gives the address of a file of published pages, `styles` of a style sheet."""

    def __init__(self, asset: Callable[[str], str], styles: str) -> None:
        self._pages = Pages("octavo.sso", asset=asset, styles=styles)

    def listed(self, ways: Sequence[Way], title: str, error: str, *, asked: bool, next_: str) -> Answer:
        """The list of ways to sign in; without any a question for the organization, which `asked` says was answered."""
        text = SENTENCES.get(error, "You could not be signed in. Please try again.") if error else ""
        return self._pages.page(200, "ways.html", ways=ways, organization=title, error=text, asked=asked, next=next_)

    def out(self, label: str, address: str) -> Answer:
        """Signed out here; the provider at `address` may still know who this is."""
        return self._pages.page(200, "out.html", label=label, address=address)

    def refusal(self, reason: str, again: str, reference: str, *, sentence: str = "", status: int = 0) -> Answer:
        """Why somebody was not signed in; `again` is where to try again, `reference` what the log has it under."""
        text, status = sentence or SENTENCES[reason], status or status_of(reason)
        return self._pages.page(status, "refusal.html", reason=reason, text=text, again=again, reference=reference)
