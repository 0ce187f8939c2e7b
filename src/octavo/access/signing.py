"""Signed words: page tokens and download addresses that nobody can alter, sealed words that nobody can read."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer
from itsdangerous import Signer as Signature

from octavo.access.acting import PREFIX, Word
from octavo.kernel.clock import DAY
from octavo.kernel.errors import BadRequest, NotFound, absent
from octavo.kernel.records import Json

if TYPE_CHECKING:
    from cryptography.fernet import Fernet
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

Key = tuple[int | str, ...]

HOUR = 3600 * 1000
"""Milliseconds for which an upload address takes bytes, and its key can be used; also those of a passing download."""
PAGE = "ow_"
"""Begins the tokens of pages of the application, and no other."""
PASSING = "~"
"""Begins the tokens of passing downloads, which no other token does."""


class Upload(msgspec.Struct, frozen=True):
    """What an upload address takes: `name` is where the bytes will lie, `size` how many there are."""

    organization: str
    name: str
    size: int


class Download(msgspec.Struct, frozen=True):
    """What a download address names, and the space as part of which it was seen."""

    organization: str
    space: str
    blob: str
    content_type: str


class Preview(msgspec.Struct, frozen=True):
    """What a preview address shows: a site ahead of its visitors, or a change request on it."""

    site: str
    change_request: str | None
    drafts: bool
    claims: Json
    """Those of the visitor as whom it is read."""
    until: int = 0
    """Milliseconds; the address says it."""


class Signer:
    """Signs and seals with keys derived from the installation's secret."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    @cached_property
    def _cursors(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="cursor")

    @cached_property
    def _questions(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="question of an operator")

    @cached_property
    def _downloads(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="download")

    @cached_property
    def _passing(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="passing download")

    @cached_property
    def _uploads(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="upload")

    @cached_property
    def _forms(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="form")

    @cached_property
    def _saml(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="saml request")

    @cached_property
    def _oidc(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="oidc request")

    @cached_property
    def _entries(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="share link")

    @cached_property
    def _previews(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="preview")

    @cached_property
    def _acting(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="integration")

    @cached_property
    def _page_tokens(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="page token")

    @cached_property
    def _unsubscribing(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="unsubscribe")

    @cached_property
    def _codes(self) -> Signature:
        return Signature(self._secret, salt="login code")

    @cached_property
    def _browsers(self) -> Signature:
        return Signature(self._secret, salt="known browser")

    @cached_property
    def _vault(self) -> Fernet:
        from cryptography.fernet import Fernet  # with the first word that is sealed

        key = hashlib.blake2b(self._secret.encode(), digest_size=32, person=b"octavo seal").digest()
        return Fernet(base64.urlsafe_b64encode(key))

    @cached_property
    def _alike(self) -> AESSIV:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        return AESSIV(hashlib.blake2b(self._secret.encode(), digest_size=64, person=b"octavo export").digest())

    @cached_property
    def visits(self) -> bytes:
        """The key that signs the tokens of visits."""
        return hashlib.blake2b(self._secret.encode(), digest_size=32, person=b"octavo visit").digest()

    def visitor(self, site: str, *known: str) -> str:
        """A name for a visitor of a site, of what is known of her: the same as long as that is, and nobody without the
        secret can tell from it who she is."""
        key = hashlib.blake2b(self._secret.encode(), digest_size=32, person=b"octavo visitor").digest()
        return hashlib.blake2b("\0".join((site, *known)).encode(), digest_size=15, key=key).hexdigest()

    def write_question(self, now: int) -> str:
        """The word of an operator's question about how requests arrive."""
        word: str = self._questions.dumps(now)
        return word

    def reads_question(self, word: str, now: int) -> bool:
        """Whether it was written within the last minute."""
        try:
            asked = self._questions.loads(word)
        except BadSignature:
            return False
        return isinstance(asked, int) and abs(now - asked) <= HOUR // 60

    def write_cursor(self, of: str, key: Key) -> str:
        """The token of the entries behind `key` in the list named `of`."""
        made: str = self._cursors.dumps([of, *key])
        return made

    def read_cursor(self, of: str, token: str) -> Key:
        """The inverse. Raises BadRequest for a token that was altered or belongs to another list."""
        try:
            list_, *key = self._cursors.loads(token)
        except (BadSignature, ValueError, TypeError) as error:
            raise BadRequest("page: not a page token of this service") from error
        if list_ != of:
            raise BadRequest("page: a page token of another list")
        return tuple(key)

    def download_path(self, download: Download, name: str, now: int, days: int) -> str:
        """The path, below the installation's address, at which a file is fetched.

        It serves for `days` to twice as many, and is the same all the while that a reader may keep it.
        """
        until = (now // (days * DAY) + 2) * days
        token: str = self._downloads.dumps([*_parts(download), until])
        return f"/files/{token}/{quote(name, safe='')}"

    def read_download(self, token: str, now: int) -> Download:
        """The inverse, from the token in the path. Raises NotFound for one that was altered or has expired."""
        try:
            *parts, until = self._downloads.loads(token)
            download = Download(*parts)
        except (BadSignature, ValueError, TypeError) as error:
            raise absent("file", token[:20]) from error
        if now >= until * DAY:
            raise NotFound("this address of a file has expired; ask the API for a new one")
        return download

    def passing_path(self, download: Download, name: str, now: int) -> str:
        """The path at which a file is fetched for an hour and no longer."""
        token: str = self._passing.dumps([*_parts(download), now + HOUR])
        return f"/files/{PASSING}{token}/{quote(name, safe='')}"

    def read_passing(self, token: str, now: int) -> Download:
        """The inverse, from the token in the path. Raises NotFound for one that was altered or has expired."""
        try:
            *parts, until = self._passing.loads(token.removeprefix(PASSING))
            download = Download(*parts)
        except (BadSignature, ValueError, TypeError) as error:
            raise absent("file", token[:20]) from error
        if now >= until:
            raise NotFound("this address of a file has expired; ask the API for a new one")
        return download

    def write_upload(self, upload: Upload, now: int) -> str:
        """The key of an upload, which is also the word of its address."""
        made: str = self._uploads.dumps([upload.organization, upload.name, upload.size, now + HOUR])
        return made

    def read_upload_address(self, key: str, now: int) -> Upload:
        """The inverse. Raises NotFound for a key that was altered or has expired."""
        try:
            organization, name, size, until = self._uploads.loads(key)
        except (BadSignature, ValueError, TypeError) as error:
            raise absent("upload", key[:20]) from error
        if now >= until:
            raise NotFound("this upload address has expired; ask for a new one")
        return Upload(organization, name, size)

    def read_upload(self, organization: str, key: str, now: int) -> str:
        """Where the bytes of an upload to this organization lie. Raises BadRequest for any other key."""
        try:
            upload = self.read_upload_address(key, now)
        except NotFound as error:
            raise BadRequest("key: not a key of an upload, or one that has expired") from error
        if upload.organization != organization:
            raise BadRequest("key: not a key of an upload to this organization")
        return upload.name

    def write_saml_request(self, provider: str, browser: str, now: int) -> str:
        """The id of a request to an identity provider: it says itself for whom it was made, and is never the same."""
        made: str = self._saml.dumps([provider, browser, now, secrets.token_urlsafe(9)])
        return "_" + made

    def read_saml_request(self, word: str) -> tuple[str, str, int]:
        """The inverse: provider, browser, when. Raises ValueError for an id that was not made here."""
        try:
            provider, browser, now, _ = self._saml.loads(word.removeprefix("_"))
        except (BadSignature, ValueError, TypeError) as error:
            raise ValueError("not the id of a request of this service") from error
        return provider, browser, now

    def write_oidc_request(self, provider: str, browser: str, now: int, target: str) -> str:
        """The state of a request by OpenID Connect: it says for whom it was made and where to go on to."""
        made: str = self._oidc.dumps([provider, browser, now, target, secrets.token_urlsafe(9)])
        return made

    def read_oidc_request(self, word: str) -> tuple[str, str, int, str]:
        """The inverse: provider, browser, when, where to. Raises ValueError for a word that was not made here."""
        try:
            provider, browser, now, target, _ = self._oidc.loads(word)
        except (BadSignature, ValueError, TypeError) as error:
            raise ValueError("not the state of a request of this service") from error
        return provider, browser, now, target

    def one_time(self, purpose: str, *known: str) -> str:
        """A word for one exchange with an outside party, which whoever knows the same finds again: nothing is kept."""
        key = hashlib.blake2b(self._secret.encode(), digest_size=32, person=b"octavo exchange").digest()
        made = hashlib.blake2b("\0".join((purpose, *known)).encode(), digest_size=32, key=key).digest()
        return base64.urlsafe_b64encode(made).rstrip(b"=").decode()

    def write_entry(self, site: str, link: str, key: str) -> str:
        """What a browser keeps that came by a share link: it holds as long as that link of that site has that key."""
        made: str = self._entries.dumps([site, link, _shortened(key)])
        return made

    def opens(self, word: str, site: str, links: Mapping[str, str]) -> bool:
        """Whether that is such a word, of one of these links of the site: id -> key."""
        try:
            of, link, said = self._entries.loads(word)
        except (BadSignature, ValueError, TypeError):
            return False
        key = links.get(link) if isinstance(link, str) else None
        return of == site and key is not None and said == _shortened(key)

    def write_preview(self, preview: Preview, until: int) -> str:
        """The word of a preview's address."""
        shown = [preview.site, preview.change_request, preview.drafts, preview.claims, until]
        made: str = self._previews.dumps(shown)
        return made

    def read_preview(self, word: str, now: int) -> Preview:
        """The inverse. Raises NotFound for a word that was altered or has expired."""
        try:
            site, request, drafts, claims, until = self._previews.loads(word)
        except (BadSignature, ValueError, TypeError) as error:
            raise absent("preview", word[:20]) from error
        if now >= until:
            raise NotFound("this address of a preview has expired; ask for a new one")
        return Preview(site, request, drafts, claims, until)

    def write_acting(self, word: Word) -> str:
        """The token of an integration or an installation."""
        made: str = self._acting.dumps([word.integration, word.installation, word.until])
        return PREFIX + made

    def read_acting(self, token: str) -> Word | None:
        """The inverse; None for a token that was not made here."""
        try:
            return Word(*self._acting.loads(token.removeprefix(PREFIX)))
        except (BadSignature, ValueError, TypeError):
            return None

    def write_page_token(self, session: str, until: int) -> str:
        """The token of a page that was opened in a browser session, until then."""
        made: str = self._page_tokens.dumps([session, until])
        return PAGE + made

    def read_page_token(self, token: str, now: int) -> str | None:
        """The inverse, the session's id; None for a token that was not made here, or is over."""
        try:
            session, until = self._page_tokens.loads(token.removeprefix(PAGE))
        except (BadSignature, ValueError, TypeError):
            return None
        return session if isinstance(session, str) and isinstance(until, int) and now < until else None

    def write_unsubscribe(self, user: str) -> str:
        """The word by which letters to a user can be ended by whoever got one; it serves as long as letters are kept."""
        made: str = self._unsubscribing.dumps(user)
        return made

    def read_unsubscribe(self, word: str) -> str:
        """The inverse, the user's id. Raises NotFound for a word that was altered."""
        try:
            user = self._unsubscribing.loads(word)
        except (BadSignature, ValueError) as error:
            raise absent("letter", word[:20]) from error
        return str(user)

    def write_form(self, bound: str) -> str:
        """The word of forms for one session, always the same."""
        made: str = self._forms.dumps(bound)
        return made

    def sign_code(self, bound: str, code: str) -> str:
        """What is kept of a code that is told elsewhere, for the browser that waits for it."""
        return self._codes.get_signature(f"{bound} {code}".encode()).decode()

    def write_browser(self, account: str, until: int) -> str:
        """The word of a browser that signed in to that account: it does not say to which, and is never the same."""
        word = f"{until}.{secrets.token_urlsafe(9)}"
        return f"{word}.{self._browsers.get_signature(f'{word} {account}'.encode()).decode()}"

    def knows_browser(self, word: str, account: str, now: int) -> bool:
        """Whether that is such a word, of that account, and its time is not over."""
        said, _, sign = word.rpartition(".")
        until = said.partition(".")[0]
        if not self._browsers.verify_signature(f"{said} {account}".encode("utf-8", "replace"), sign.encode()):
            return False
        return now < int(until)

    def seal(self, words: str) -> str:
        """Encrypt what the database must not hold in clear."""
        return self._vault.encrypt(words.encode()).decode()

    def unseal(self, sealed: str) -> str:
        """The inverse. Raises ValueError when the secret of the installation has changed."""
        from cryptography.fernet import InvalidToken

        try:
            return self._vault.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise ValueError("sealed with another secret") from error

    def seal_alike(self, words: str, name: str) -> str:
        """Encrypt for a file: the same words under the same name are the same each time, and serve under no other."""
        # An empty text cannot be sealed so; the letter in front is in every other too.
        return base64.urlsafe_b64encode(self._alike.encrypt(b"." + words.encode(), [name.encode()])).decode()

    def unseal_alike(self, sealed: str, name: str) -> str:
        """The inverse. Raises ValueError for what was sealed with another secret, or under another name."""
        from cryptography.exceptions import InvalidTag

        try:
            return self._alike.decrypt(base64.urlsafe_b64decode(sealed), [name.encode()])[1:].decode()
        except (InvalidTag, ValueError) as error:
            raise ValueError("sealed with another secret") from error


def _shortened(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


def _parts(download: Download) -> tuple[str, str, str, str]:
    return download.organization, download.space, download.blob, download.content_type
