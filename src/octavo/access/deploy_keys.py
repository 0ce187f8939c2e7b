"""Deploy keys: pairs of ed25519 keys with which a space comes to its repository by SSH, and public keys of hosts."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

KINDS = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa")
"""Of hosts' keys."""


@dataclass(frozen=True)
class DeployKey:
    """Both halves as OpenSSH writes them."""

    private: str
    public: str


def made(comment: str) -> DeployKey:
    """A new pair."""
    # With the first key that is made.
    from cryptography.hazmat.primitives import serialization as as_
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(as_.Encoding.PEM, as_.PrivateFormat.OpenSSH, as_.NoEncryption())
    public = key.public_key().public_bytes(as_.Encoding.OpenSSH, as_.PublicFormat.OpenSSH)
    return DeployKey(private.decode(), f"{public.decode()} {comment}")


def host_key(written: str) -> str:
    """A host's key as `ssh-keyscan` prints it, or without the name before it, in its one form. Raises ValueError."""
    words = written.split()
    if len(words) >= 3 and words[0] not in KINDS:
        words = words[1:]
    if len(words) < 2 or words[0] not in KINDS or "\n" in written.strip():
        raise ValueError("must be one line as `ssh-keyscan` prints it, such as `ssh-ed25519 AAAA…`")
    try:
        data = base64.b64decode(words[1], validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("holds no key: what follows its kind is not base64") from error
    if data[4 : 4 + len(words[0])] != words[0].encode():
        raise ValueError("names another kind of key than it holds")
    return f"{words[0]} {words[1]}"
