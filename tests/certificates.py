"""Certificates that tests make: for a name, and for a time that may be over or still to come."""

from __future__ import annotations

import datetime
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def made(place: Path, name: str, days: tuple[int, int] = (-1, 1)) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a server shows that has one for this name, its own authority, and what a client believes who trusts that. `days`
    from now on are the first and the last of it."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    first, last = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=day) for day in days)
    signed = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(first)
        .not_valid_after(last)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (place / "cert.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    plain = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (place / "key.pem").write_bytes(plain)
    shows = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shows.load_cert_chain(place / "cert.pem", place / "key.pem")
    return shows, ssl.create_default_context(cafile=str(place / "cert.pem"))


OVER, AHEAD = (-9, -2), (2, 9)
"""Days of one that has expired, and of one that is not valid yet."""
