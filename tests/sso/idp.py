"""An identity provider that signs what it is told to, and a browser that carries its answers."""

from __future__ import annotations

import base64
import copy
import uuid
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from lxml import etree

from octavo.kernel.clock import MINUTE
from tests.client import Reply, World

NS = {
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "ds": "http://www.w3.org/2000/09/xmldsig#",
}
EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"


@dataclass(frozen=True)
class Key:
    """A key with its certificate, both PEM."""

    secret: bytes
    certificate: str


@cache
def key(name: str = "first", kind: str = "rsa") -> Key:
    """The same key for the same name all the while."""
    made: Any = rsa.generate_private_key(65537, 2048) if kind == "rsa" else ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(made.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365))
        .sign(made, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = made.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return Key(secret, certificate.public_bytes(pem).decode())


@dataclass
class Told:
    """Everything that an answer says; tests change one thing of it."""

    request: str | None
    acs: str
    audience: str | None
    issuer: str
    now: int
    subject: str = "ada"
    format: str = PERSISTENT
    attributes: dict[str, str] = field(
        default_factory=lambda: {"email": "ada@acme.test", "displayName": "Ada Lovelace"}
    )
    destination: str | None = ""
    """Empty = `acs`."""
    recipient: str | None = ""
    status: str = SUCCESS
    begins: int = -MINUTE
    ends: int = 60 * MINUTE
    assertion: str = field(default_factory=lambda: "_" + uuid.uuid4().hex)
    response: str = field(default_factory=lambda: "_" + uuid.uuid4().hex)


def build(told: Told) -> Any:
    """The answer, unsigned."""
    at, begins, ends = (_iso(told.now + by) for by in (0, told.begins, told.ends))
    destination = told.acs if told.destination == "" else told.destination
    recipient = told.acs if told.recipient == "" else told.recipient
    request = "" if told.request is None else f' InResponseTo="{told.request}"'
    audience = f"<saml:Audience>{told.audience}</saml:Audience>"
    restriction = "" if told.audience is None else f"<saml:AudienceRestriction>{audience}</saml:AudienceRestriction>"
    attributes = "".join(
        f'<saml:Attribute Name="{name}"><saml:AttributeValue>{value}</saml:AttributeValue></saml:Attribute>'
        for name, value in told.attributes.items()
    )
    statement = f"<saml:AttributeStatement>{attributes}</saml:AttributeStatement>" if attributes else ""
    return etree.fromstring(
        f'<samlp:Response xmlns:samlp="{NS["samlp"]}" xmlns:saml="{NS["saml"]}" ID="{told.response}" Version="2.0"'
        f' IssueInstant="{at}"{request}{_maybe("Destination", destination)}>'
        f"<saml:Issuer>{told.issuer}</saml:Issuer>"
        f'<samlp:Status><samlp:StatusCode Value="{told.status}"/></samlp:Status>'
        f'<saml:Assertion ID="{told.assertion}" Version="2.0" IssueInstant="{at}">'
        f"<saml:Issuer>{told.issuer}</saml:Issuer>"
        f'<saml:Subject><saml:NameID Format="{told.format}">{told.subject}</saml:NameID>'
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">'
        f'<saml:SubjectConfirmationData{request}{_maybe("Recipient", recipient)} NotOnOrAfter="{ends}"/>'
        f'</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{begins}" NotOnOrAfter="{ends}">'
        f'{restriction}</saml:Conditions><saml:AuthnStatement AuthnInstant="{at}"><saml:AuthnContext>'
        "<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>"
        f"</saml:AuthnContext></saml:AuthnStatement>{statement}</saml:Assertion></samlp:Response>"
    )


def sign(
    root: Any,
    path: str = "saml:Assertion",
    by: Key | None = None,
    *,
    method: Any = xmlsec.Transform.RSA_SHA256,
    digest: Any = xmlsec.Transform.SHA256,
) -> Any:
    """Sign the element at `path` ("." = the answer) in place, as identity providers do."""
    by = by or key()
    node = root if path == "." else root.find(path, NS)
    signature = xmlsec.template.create(node, xmlsec.Transform.EXCL_C14N, method, ns="ds")
    node.insert(1, signature)
    reference = xmlsec.template.add_reference(signature, digest, uri="#" + node.get("ID"))
    xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
    xmlsec.template.add_transform(reference, xmlsec.Transform.EXCL_C14N)
    xmlsec.template.add_x509_data(xmlsec.template.ensure_key_info(signature))
    xmlsec.tree.add_ids(root, ["ID"])
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(by.secret, xmlsec.KeyFormat.PEM)
    context.key.load_cert_from_memory(by.certificate.encode(), xmlsec.KeyFormat.PEM)
    context.sign(signature)
    return root


def encoded(root: Any) -> str:
    """As it is posted."""
    data = root if isinstance(root, bytes) else etree.tostring(root)
    return base64.b64encode(data).decode()


def copied(node: Any) -> Any:
    """A copy that stands for itself."""
    return copy.deepcopy(node)


@dataclass
class Asked:
    """What came with the browser to the identity provider."""

    root: Any
    relay: str | None
    address: str

    @property
    def id(self) -> str:
        return str(self.root.get("ID"))


@dataclass
class Trust:
    """An organization of a world with an identity provider, whose domain is acme.test."""

    world: World
    provider: dict[str, Any]
    entity: str = "https://idp.acme.test/metadata"

    @property
    def service(self) -> dict[str, str]:
        service: dict[str, str] = self.provider["service"]
        return service

    def browser(self) -> Browser:
        return Browser(self)

    def told(self, request: str | None, **changed: Any) -> Told:
        """What an honest answer to that request says, but for what is changed."""
        told = Told(
            request, self.service["acsURL"], self.service["entityID"], self.entity, self.world.house.store.clock()
        )
        for name, value in changed.items():
            setattr(told, name, value)
        return told

    def patch(self, **changed: Any) -> None:
        reply = self.world.api.patch(self.at, changed)
        assert reply.status == 200, reply.text
        self.provider = reply.json

    @property
    def at(self) -> str:
        return f"/v1/orgs/{self.world.organization}/saml/{self.provider['id']}"


@dataclass
class Browser:
    """A browser with its cookies."""

    trust: Trust
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, form: dict[str, str] | None = None, **options: Any) -> Reply:
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
            options["body"] = urlencode(form).encode()
        sent = {name: value for name, value in headers.items() if value}
        reply = self.trust.world.api.request(method, path, token="", headers=sent, **options)
        for line in reply.headers.get("set-cookie", "").split(", "):
            name, _, rest = line.partition("=")
            if rest:
                self.cookies[name] = rest.partition(";")[0]
        return reply

    def start(self, next_: str | None = None) -> Asked:
        """Go to the identity provider."""
        path = urlsplit(self.trust.service["startURL"]).path
        reply = self.send("GET", path + ("" if next_ is None else "?" + urlencode({"next": next_})))
        assert reply.status == 302, reply.text
        query = parse_qs(urlsplit(reply.headers["location"]).query, keep_blank_values=True)
        data = zlib.decompress(base64.b64decode(query["SAMLRequest"][0]), -15)
        return Asked(etree.fromstring(data), query.get("RelayState", [None])[0], reply.headers["location"])

    def post(self, answer: Any, relay: str | None = None) -> Reply:
        """Come back with an answer, without cookies, as from another site."""
        form = {"SAMLResponse": answer if isinstance(answer, str) else encoded(answer)}
        if relay is not None:
            form["RelayState"] = relay
        kept, self.cookies = self.cookies, {}
        try:
            return self.send("POST", urlsplit(self.trust.service["acsURL"]).path, form)
        finally:
            self.cookies = kept

    def arrive(self, answer: Any, relay: str | None = None) -> Reply:
        """Come back and be signed in: where the browser goes then."""
        reply = self.post(answer, relay)
        assert reply.status == 303, reply.text
        return self.send("GET", reply.headers["location"])

    def sign_in(self, **changed: Any) -> Reply:
        """The whole way, with an honest provider."""
        asked = self.start()
        return self.arrive(sign(build(self.trust.told(asked.id, **changed))))

    def post_of(self, **changed: Any) -> Reply:
        """Come back with an honest answer, but for what is changed."""
        return self.post(sign(build(self.trust.told(self.start().id, **changed))))

    @property
    def session(self) -> str | None:
        return self.cookies.get("octavo_session")


def trust(world: World, *, domain: str = "acme.test", **body: Any) -> Trust:
    """An identity provider of the world's organization, active, with a verified domain."""
    made = Trust(world, {})
    sent = {
        "label": "Acme",
        "entityID": made.entity,
        "ssoURL": "https://idp.acme.test/sso?tenant=1&x=2",
        "certificate": key().certificate,
        "defaultRole": "edit",
        **body,
    }
    reply = world.api.post(f"/v1/orgs/{world.organization}/saml", sent)
    assert reply.status == 201, reply.text
    made.provider = reply.json
    verify(world, domain)
    return made


def verify(world: World, domain: str) -> None:
    """The operator says that a domain is the organization's."""
    now = world.house.store.clock()
    world.run(world.house.store.write(lambda unit: unit.people.verify_domain(world.organization, domain, now)))


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _maybe(name: str, value: str | None) -> str:
    return "" if value is None else f' {name}="{value}"'
