"""Signed words: page tokens and download addresses that nobody can alter, sealed words that nobody can read."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from cryptography.fernet import Fernet, InvalidToken
from itsdangerous import BadSignature, URLSafeSerializer

from octavo.kernel.errors import BadRequest, absent

Key = tuple[int | str, ...]


@dataclass(frozen=True)
class Download:
    """What a download address names."""

    organization: str
    blob: str
    content_type: str


class Signer:
    """Signs and seals with keys derived from the installation's secret."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    @cached_property
    def _cursors(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="cursor")

    @cached_property
    def _downloads(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt="download")

    @cached_property
    def _vault(self) -> Fernet:
        key = hashlib.blake2b(self._secret.encode(), digest_size=32, person=b"octavo seal").digest()
        return Fernet(base64.urlsafe_b64encode(key))

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

    def download_path(self, download: Download, name: str) -> str:
        """The path, below the installation's address, at which a file is fetched."""
        token: str = self._downloads.dumps([download.organization, download.blob, download.content_type])
        return f"/files/{token}/{quote(name, safe='')}"

    def read_download(self, token: str) -> Download:
        """The inverse, from the token in the path. Raises NotFound."""
        try:
            return Download(*self._downloads.loads(token))
        except (BadSignature, ValueError, TypeError) as error:
            raise absent("file", token[:20]) from error

    def seal(self, words: str) -> str:
        """Encrypt what the database must not hold in clear."""
        return self._vault.encrypt(words.encode()).decode()

    def unseal(self, sealed: str) -> str:
        """The inverse. Raises ValueError when the secret of the installation has changed."""
        try:
            return self._vault.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise ValueError("sealed with another secret") from error
