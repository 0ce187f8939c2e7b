"""What people see on their way through single sign-on, as HTML: escaped, without scripts, kept by nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

Header = tuple[bytes, bytes]

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
    "method": "Only GET and POST are possible here.",
    "large": "The answer of the identity provider is too large.",
    "busy": "Too many are signing in at this moment. Please try again.",
    "broken": "Something broke here. Please try again.",
}
"""Word of a reason, also that of `/sso?error=` -> what people are told."""

_STATUS = {"absent": 404, "pending": 409, "method": 405, "large": 413, "busy": 503, "broken": 500, "response": 400}
_SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; "
        b"base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    # Addresses on the way hold words that are nobody else's business.
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)


@dataclass
class Answer:
    """One HTTP answer."""

    status: int
    body: bytes = b""
    headers: list[Header] = field(default_factory=list)

    async def send(self, scope: Any, send: Any) -> None:
        headers = [*self.headers, *_SECURITY, (b"content-length", str(len(self.body)).encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else self.body})


def go(status: int, to: str, *headers: Header) -> Answer:
    """Send the browser to another address."""
    return Answer(status, b"", [(b"location", to.encode("ascii", "replace")), *headers])


def status_of(reason: str) -> int:
    """The HTTP status of a refusal."""
    return _STATUS.get(reason, 403)


@dataclass(frozen=True)
class Way:
    """A way to sign in, as the list shows it."""

    label: str
    href: str


class Pages:
    """Renders templates; `asset` gives the address of a file of published pages, `styles` is that of a style sheet."""

    def __init__(self, asset: Callable[[str], str], styles: str) -> None:
        self._asset = asset
        self._styles = styles

    def ways(self, ways: Sequence[Way], title: str, error: str, *, asked: bool, next_: str) -> Answer:
        """The list of ways to sign in; without any a question for the organization, which `asked` says was answered."""
        text = SENTENCES.get(error, "You could not be signed in. Please try again.") if error else ""
        return self._html(200, "ways.html", ways=ways, organization=title, error=text, asked=asked, next=next_)

    def refusal(self, reason: str, again: str, reference: str, *, sentence: str = "") -> Answer:
        """Why somebody was not signed in; `again` is where to try again, `reference` what the log has it under."""
        text = sentence or SENTENCES[reason]
        return self._html(status_of(reason), "refusal.html", reason=reason, text=text, again=again, reference=reference)

    def _html(self, status: int, template: str, **values: object) -> Answer:
        made = _environment().get_template(template).render(asset=self._asset, styles=self._styles, **values)
        return Answer(status, made.encode(), [(b"content-type", b"text/html; charset=utf-8")])


@cache
def _environment() -> Environment:
    # Jinja is imported with the first page, not with the server.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("octavo.sso", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
