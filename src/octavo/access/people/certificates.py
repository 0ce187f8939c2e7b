"""Certificates of identity providers, as people paste them."""

from __future__ import annotations

import base64
import re
from datetime import datetime

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.DOTALL)
_RSA_BITS = 2048
"""Shorter keys can be broken."""


def certificates(text: str) -> tuple[str, ...]:
    """Every certificate of a text, as PEM: several PEM blocks, or one certificate as Base64 alone.

    Raises ValueError with a sentence when there is none, or one that cannot be read or trusted.
    """
    blocks = _PEM.findall(text) or [text]
    return tuple(_certificate(block) for block in blocks)


def valid_until(text: str) -> datetime | None:
    """When the last of these certificates runs out; None where one of them cannot be read."""
    from cryptography import x509

    try:
        found = x509.load_pem_x509_certificates("".join(certificates(text)).encode())
    except ValueError:
        return None
    return max(one.not_valid_after_utc for one in found)


def _certificate(block: str) -> str:
    # Few requests read certificates, and every start would pay for the library.
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.serialization import Encoding

    try:
        found = x509.load_der_x509_certificate(base64.b64decode("".join(block.split()), validate=True))
        key = found.public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ValueError("a certificate must be PEM, or the Base64 of an X.509 certificate") from error
    strong = isinstance(key, EllipticCurvePublicKey) or (isinstance(key, RSAPublicKey) and key.key_size >= _RSA_BITS)
    if not strong:
        raise ValueError(f"the key of a certificate must be RSA with {_RSA_BITS} bits, or of an elliptic curve")
    return found.public_bytes(Encoding.PEM).decode()
