"""SAML 2.0 with identity providers: the request that a browser carries to one, the answer that it brings back.

Signatures, the schema and the rules of the profile are checked by python3-saml in strict mode. Around it stands what it
leaves open: an answer has one shape only, so that what was signed is what is read; audience, recipient and the request that
is answered must be there, not merely fit; algorithms are those of a list. Nothing here waits for the network.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from lxml import etree

PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
TRANSIENT_FORMAT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
RESPONSE_MAX = 256 << 10
"""Characters of an answer as it is posted."""
SKEW = 3 * 60 * 1000
"""Milliseconds that the clock of an identity provider may be ahead."""
SUBJECT_MAX = 1024

_MORE, _ENC = "http://www.w3.org/2001/04/xmldsig-more#", "http://www.w3.org/2001/04/xmlenc#"
_SIGNED_BY = frozenset(f"{_MORE}{kind}-sha{bits}" for kind in ("rsa", "ecdsa") for bits in (256, 384, 512))
_DIGESTED_BY = frozenset({_ENC + "sha256", _MORE + "sha384", _ENC + "sha512"})
_EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
_TRANSFORMS = frozenset({SIGNATURE + "enveloped-signature", _EXCLUSIVE})
_EMAIL_NAMES = (
    "email", "mail", "emailaddress", "user.email", "urn:oid:0.9.2342.19200300.100.1.3", "urn:oid:1.2.840.113549.1.9.1",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
)  # fmt: skip
_NAME_NAMES = (
    "displayname", "name", "cn", "urn:oid:2.16.840.1.113730.3.1.241", "urn:oid:2.5.4.3",
    "http://schemas.microsoft.com/identity/claims/displayname",
)  # fmt: skip
_GIVEN_NAMES = (
    "givenname", "firstname", "user.firstname", "first_name", "urn:oid:2.5.4.42",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname",
)  # fmt: skip
_FAMILY_NAMES = (
    "surname", "sn", "lastname", "user.lastname", "last_name", "urn:oid:2.5.4.4",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname",
)  # fmt: skip
_INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z?")
_FIELDS = {"p": PROTOCOL, "a": ASSERTION, "d": SIGNATURE}


class Refused(Exception):
    """An answer that proves nothing; `reason` is one word, the text is for the log."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Here:
    """This side, as the identity provider knows it."""

    entity_id: str
    acs_url: str


@dataclass(frozen=True)
class There:
    """The identity provider."""

    entity_id: str
    sso_url: str
    certificates: tuple[str, ...]
    """PEM; any of them may have signed."""


@dataclass(frozen=True)
class Proven:
    """Who signed in there."""

    subject: str
    """The same each time, and nobody else's there."""
    email: str
    """Empty when the provider tells none."""
    name: str
    assertion: str
    """Its id."""
    request: str
    """The id of the request that is answered."""


def request_address(here: Here, there: There, request: str, now: int, relay: str) -> str:
    """Where a browser is sent to be asked who it is: the request by the redirect binding."""
    root = etree.Element(
        f"{{{PROTOCOL}}}AuthnRequest",
        {
            "ID": request,
            "Version": "2.0",
            "IssueInstant": _iso(now),
            "Destination": there.sso_url,
            "ProtocolBinding": POST,
            "AssertionConsumerServiceURL": here.acs_url,
        },
        nsmap={"samlp": PROTOCOL, "saml": ASSERTION},
    )
    etree.SubElement(root, f"{{{ASSERTION}}}Issuer").text = here.entity_id
    etree.SubElement(root, f"{{{PROTOCOL}}}NameIDPolicy", {"AllowCreate": "true"})
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(etree.tostring(root)) + packed.flush()
    asked = {"SAMLRequest": base64.b64encode(data).decode(), "RelayState": relay}
    return there.sso_url + ("&" if "?" in there.sso_url else "?") + urlencode(asked)


def metadata(here: Here) -> bytes:
    """The document that tells an identity provider of this side."""
    root = etree.Element(f"{{{METADATA}}}EntityDescriptor", {"entityID": here.entity_id}, nsmap={"md": METADATA})
    role = etree.SubElement(
        root,
        f"{{{METADATA}}}SPSSODescriptor",
        {"AuthnRequestsSigned": "false", "WantAssertionsSigned": "true", "protocolSupportEnumeration": PROTOCOL},
    )
    etree.SubElement(role, f"{{{METADATA}}}NameIDFormat").text = EMAIL_FORMAT
    consumer = {"Binding": POST, "Location": here.acs_url, "index": "0", "isDefault": "true"}
    etree.SubElement(role, f"{{{METADATA}}}AssertionConsumerService", consumer)
    document: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return document


def read_response(posted: str, here: Here, there: There, now: int) -> Proven:
    """Whom an answer proves. Raises Refused.

    Whether the request that it answers was made here, for this browser and recently, and whether the answer was used
    before, is for the caller to say. Takes milliseconds, and waits for nothing.
    """
    root = _document(posted)
    _status(root)
    assertion = _assertion(root)
    _signatures(root, assertion)
    _issued(root, assertion, there)
    request = _addressed(root, assertion, here)
    _timely(assertion, now)
    _verified(posted, request, here, there)
    subject, email, name = _person(assertion)
    return Proven(subject, email, name, _attribute(assertion, "ID"), request)


def _document(posted: str) -> Any:
    """The tree of an answer that has neither declarations, comments, processing instructions nor marked sections."""
    if len(posted) > RESPONSE_MAX:
        raise Refused("response", "the answer is too large")
    try:
        data = base64.b64decode("".join(posted.split()), validate=True)
        text = data.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError) as error:
        raise Refused("response", "the answer is not Base64 of UTF-8") from error
    # "<" stands in no text and no attribute of XML, so each of these is what it seems: a name cut in two by a comment,
    # an entity, a type of document.
    if "<!" in text or "<?" in text[1:] or (text.startswith("<?") and not text.startswith("<?xml ")):
        raise Refused("markup", "the answer holds a comment, a declaration or a processing instruction")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Refused("response", f"the answer is not XML: {error}") from error


def _status(root: Any) -> None:
    if root.tag != f"{{{PROTOCOL}}}Response":
        raise Refused("response", "the answer is no samlp:Response")
    codes = _found(root, "p:Status/p:StatusCode")
    if len(codes) != 1 or codes[0].get("Value") != "urn:oasis:names:tc:SAML:2.0:status:Success":
        raise Refused("denied", f"the identity provider says {[code.get('Value') for code in codes]}")


def _assertion(root: Any) -> Any:
    """The one assertion, which is a child of the answer and nowhere else."""
    if _found(root, "//a:EncryptedAssertion") or _found(root, "//a:EncryptedID"):
        raise Refused("encrypted", "the assertion is encrypted")
    everywhere = _found(root, "//a:Assertion")
    if len(everywhere) != 1 or everywhere[0].getparent() is not root:
        raise Refused("shape", f"the answer holds {len(everywhere)} assertions, or one that is not its child")
    if len(_found(root, "//p:Response")) != 1:
        raise Refused("shape", "the answer holds another answer")
    ids = [value for node in root.iter() for name, value in node.attrib.items() if _local(name).lower() == "id"]
    if len(set(ids)) != len(ids):
        raise Refused("shape", "two elements of the answer have one id")
    return everywhere[0]


def _signatures(root: Any, assertion: Any) -> None:
    """Each signature covers the element that it is a child of, in one way and by algorithms that hold."""
    found = _found(root, "//d:Signature")
    if not found:
        raise Refused("unsigned", "the answer is not signed")
    parents = [signature.getparent() for signature in found]
    if any(parent is not root and parent is not assertion for parent in parents) or len(set(parents)) != len(parents):
        raise Refused("shape", "a signature stands where none belongs")
    for signature, parent in zip(found, parents):
        references = _found(signature, ".//d:Reference")
        if len(references) != 1 or references[0].get("URI") != "#" + _attribute(parent, "ID"):
            raise Refused("shape", "a signature does not cover the element that it is in")
        if _found(signature, ".//d:Object") or _found(signature, ".//d:Manifest"):
            raise Refused("shape", "a signature holds objects")
        methods = {
            "d:SignedInfo/d:CanonicalizationMethod": frozenset({_EXCLUSIVE}),
            "d:SignedInfo/d:SignatureMethod": _SIGNED_BY,
            "d:SignedInfo/d:Reference/d:DigestMethod": _DIGESTED_BY,
            "d:SignedInfo/d:Reference/d:Transforms/d:Transform": _TRANSFORMS,
        }
        for path, allowed in methods.items():
            used = {method.get("Algorithm") for method in _found(signature, path)}
            if not used or not used <= allowed:
                raise Refused("algorithm", f"a signature uses {sorted(map(str, used - allowed))}")


def _verified(posted: str, request: str, here: Here, there: There) -> None:
    """What python3-saml says, strictly."""
    # Its libraries are loaded with the first answer, not with the server.
    from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
    from onelogin.saml2.response import OneLogin_Saml2_Response
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

    address = urlsplit(here.acs_url)
    asked = {"http_host": address.netloc, "script_name": address.path}
    if address.scheme == "https":
        asked["https"] = "on"
    try:
        settings = OneLogin_Saml2_Settings(_settings(here, there))
        response = OneLogin_Saml2_Response(settings, "".join(posted.split()))
        response.is_valid(asked, request, raise_exceptions=True)
    except OneLogin_Saml2_ValidationError as error:
        wrong = error.code in (error.INVALID_SIGNATURE, error.WRONG_NUMBER_OF_SIGNATURES)
        raise Refused("signature" if wrong else "response", str(error)) from error
    except (OneLogin_Saml2_Error, etree.LxmlError, ValueError) as error:
        raise Refused("response", str(error)) from error
    except Exception as error:
        # It raises bare exceptions for what it cannot read, times for example.
        raise Refused("response", f"{type(error).__name__}: {error}") from error


def _settings(here: Here, there: There) -> dict[str, Any]:
    return {
        "strict": True,
        "sp": {"entityId": here.entity_id, "assertionConsumerService": {"url": here.acs_url, "binding": POST}},
        "idp": {
            "entityId": there.entity_id,
            # Answers are read without it, and it takes fewer addresses than browsers do.
            "singleSignOnService": {"url": "https://identity.invalid/"},
            "x509certMulti": {"signing": list(there.certificates), "encryption": []},
        },
        "security": {
            "rejectDeprecatedAlgorithm": True,
            "wantAttributeStatement": False,
            "allowRepeatAttributeName": True,
            "allowSingleLabelDomains": True,
            "wantNameId": True,
            "requestedAuthnContext": False,
        },
    }


def _issued(root: Any, assertion: Any, there: There) -> None:
    """Both the assertion and, where it says so, the answer are of that provider."""
    told = _texts(assertion, "a:Issuer") + _texts(root, "a:Issuer")
    if len(_found(assertion, "a:Issuer")) != 1 or set(told) != {there.entity_id}:
        raise Refused("issuer", f"the answer is of {told}")


def _addressed(root: Any, assertion: Any, here: Here) -> str:
    """The request that is answered; the answer is for nobody but this side."""
    destination = root.get("Destination")
    signed = root.find(f"{{{SIGNATURE}}}Signature") is not None
    if destination != here.acs_url and (signed or destination is not None):
        raise Refused("destination", f"the answer is for {destination!r}")
    restrictions = _found(assertion, "a:Conditions/a:AudienceRestriction")
    if not restrictions or any(here.entity_id not in _texts(one, "a:Audience") for one in restrictions):
        raise Refused("audience", "the assertion is for another audience, or for any")
    bearers = [one for one in _found(assertion, "a:Subject/a:SubjectConfirmation") if one.get("Method") == BEARER]
    data = [part for bearer in bearers for part in _found(bearer, "a:SubjectConfirmationData")]
    if len(bearers) != 1 or len(data) != 1:
        raise Refused("recipient", "the assertion has not one bearer confirmation")
    if data[0].get("Recipient") != here.acs_url:
        raise Refused("recipient", f"the assertion is for {data[0].get('Recipient')!r}")
    request = data[0].get("InResponseTo")
    if not request or root.get("InResponseTo") != request:
        raise Refused("unasked", "the answer names no request, or two")
    return str(request)


def _timely(assertion: Any, now: int) -> None:
    """It holds now: no earlier than a clock may be ahead, no later than it says itself."""
    data = _found(assertion, "a:Subject/a:SubjectConfirmation/a:SubjectConfirmationData")[0]
    if data.get("NotOnOrAfter") is None:
        raise Refused("late", "the assertion has no end")
    for node in (data, *_found(assertion, "a:Conditions")):
        begins, ends = node.get("NotBefore"), node.get("NotOnOrAfter")
        if begins is not None and _milliseconds(begins) > now + SKEW:
            raise Refused("early", f"the assertion is not valid before {begins}")
        if ends is not None and _milliseconds(ends) <= now:
            raise Refused("late", f"the assertion was valid until {ends}")
    if _milliseconds(_attribute(assertion, "IssueInstant")) > now + SKEW:
        raise Refused("early", "the assertion was issued in the future")


def _person(assertion: Any) -> tuple[str, str, str]:
    """Subject, e-mail address, name."""
    named = _found(assertion, "a:Subject/a:NameID")
    if len(named) != 1 or len(named[0]) or not (named[0].text or "").strip():
        raise Refused("subject", "the assertion has no NameID")
    subject, kind = named[0].text.strip(), named[0].get("Format", "")
    told = _attributes(assertion)
    email = _first(told, _EMAIL_NAMES) or (subject if "@" in subject and kind != TRANSIENT_FORMAT else "")
    if kind == EMAIL_FORMAT:
        email = subject
    if kind == TRANSIENT_FORMAT:
        subject = f"mailto:{email.casefold()}" if email else ""
    if not subject or len(subject) > SUBJECT_MAX:
        raise Refused("subject", "the NameID changes each time and there is no e-mail address, or it is too long")
    whole = " ".join(part for part in (_first(told, _GIVEN_NAMES), _first(told, _FAMILY_NAMES)) if part)
    return subject, email, _first(told, _NAME_NAMES) or whole


def _attributes(assertion: Any) -> dict[str, str]:
    """Name in lower case -> first value."""
    told: dict[str, str] = {}
    for node in _found(assertion, "a:AttributeStatement/a:Attribute"):
        values = [text for text in _texts(node, "a:AttributeValue") if text]
        for name in (node.get("Name"), node.get("FriendlyName")):
            if name and values:
                told.setdefault(name.lower(), values[0])
    return told


def _first(told: dict[str, str], names: Iterable[str]) -> str:
    return next((told[name] for name in names if name in told), "")


def _found(node: Any, path: str) -> list[Any]:
    found: list[Any] = node.xpath(path, namespaces=_FIELDS)
    return found


def _texts(node: Any, path: str) -> list[str]:
    return [(one.text or "").strip() for one in _found(node, path)]


def _attribute(node: Any, name: str) -> str:
    value = node.get(name)
    if not value:
        raise Refused("shape", f"{_local(node.tag)} has no {name}")
    return str(value)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _milliseconds(text: str) -> int:
    found = _INSTANT.fullmatch(text.strip())
    if found is None:
        raise Refused("response", f"{text!r} is no time")
    try:
        return int(datetime.fromisoformat(found[1] + "+00:00").timestamp()) * 1000
    except ValueError as error:
        raise Refused("response", f"{text!r} is no time") from error
