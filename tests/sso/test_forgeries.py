"""Every known way to forge, bend or reuse an answer of an identity provider is refused, over HTTP.

Each test begins with an honest, signed answer for Mallory, who has an account at the identity provider, and makes one of it
that is to sign her in as Victoria. Afterwards the honest answer is still good: so what was refused was the forgery, and it
used nothing up.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
import xmlsec
from lxml import etree

from octavo.kernel.clock import MINUTE
from octavo.kernel.ids import new_id
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.sso.idp import EMAIL, NS, SUCCESS, Asked, Browser, Trust, build, copied, encoded, key, sign, trust

Forge = Callable[["Case"], Any]


class Case:
    """Mallory's browser at the identity provider, with an honest answer in its hands."""

    def __init__(self, world: World, path: str = "saml:Assertion") -> None:
        word = new_id().lower().replace("_", "x").replace("-", "y")
        self.mallory, self.victim = f"m{word}@acme.test", f"v{word}@acme.test"
        self.world = world
        self.trust: Trust = trust(world)
        self.browser: Browser = self.trust.browser()
        self.asked: Asked = self.browser.start()
        self.path = path

    def answer(self, **changed: Any) -> Any:
        """An unsigned answer; about Mallory unless told otherwise."""
        told: dict[str, Any] = {"subject": self.mallory, "format": EMAIL, "attributes": {"email": self.mallory}}
        return build(self.trust.told(self.asked.id, **(told | changed)))

    def honest(self) -> Any:
        return sign(self.answer(), self.path)

    def evil(self, node: Any) -> Any:
        """A copy about Victoria, under another id and without signature."""
        made = copied(node)
        for signature in made.findall("ds:Signature", NS):
            made.remove(signature)
        self.rename(made)
        made.set("ID", "_evil")
        return made

    def rename(self, node: Any) -> None:
        for found in node.iter("{*}NameID", "{*}AttributeValue"):
            found.text = self.victim

    def members(self) -> set[str]:
        path = f"/v1/orgs/{self.world.organization}/members?limit=1000"
        return {item["user"]["email"] for item in self.world.api.get(path).json["items"]}

    def refused(self, answer: Any, *reasons: str) -> None:
        """Refused with a page that says why; the honest answer is good before and after."""
        self.is_refused(self.browser.post(answer), *reasons)
        assert not {self.victim, self.mallory} & self.members()
        assert self.browser.arrive(self.honest()).status == 303
        assert self.mallory in self.members()
        assert self.victim not in self.members()

    def is_refused(self, reply: Reply, *reasons: str) -> None:
        assert 400 <= reply.status < 500
        found = reply.text.partition('data-reason="')[2].partition('"')[0]
        assert found in reasons, reply.text
        assert "set-cookie" not in reply.headers


@pytest.fixture
def case(world: World) -> Case:
    return Case(world)


@pytest.fixture
def whole(world: World) -> Case:
    """Where the answer as a whole is signed, and not the assertion."""
    return Case(world, ".")


def _assertion(root: Any) -> Any:
    return root.find("saml:Assertion", NS)


def _signature(node: Any) -> Any:
    return node.find("ds:Signature", NS)


def test_a_tampered_name_is_refused(case: Case) -> None:
    root = case.honest()
    case.rename(root)
    case.refused(root, "signature")


def test_a_tampered_attribute_is_refused(case: Case) -> None:
    root = case.honest()
    root.find(".//saml:AttributeValue", NS).text = case.victim
    case.refused(root, "signature")


def test_a_tampered_signature_is_refused(case: Case) -> None:
    root = case.honest()
    value = root.find(".//ds:SignatureValue", NS)
    data = bytearray(base64.b64decode(value.text))
    data[0] ^= 1
    value.text = base64.b64encode(bytes(data)).decode()
    case.refused(root, "signature")


def test_an_unsigned_answer_is_refused(case: Case) -> None:
    case.refused(case.answer(subject=case.victim), "unsigned")


def test_a_stripped_signature_is_refused(case: Case) -> None:
    root = case.honest()
    _assertion(root).remove(_signature(_assertion(root)))
    case.refused(root, "unsigned")


def test_a_signature_by_another_key_is_refused(case: Case) -> None:
    """Its certificate comes with it, and counts for nothing."""
    case.refused(sign(case.answer(subject=case.victim), by=key("mallory")), "signature")


def test_a_signature_by_the_certificate_as_a_shared_secret_is_refused(case: Case) -> None:
    root = case.answer(subject=case.victim)
    node = _assertion(root)
    signature = xmlsec.template.create(node, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.HMAC_SHA256, ns="ds")
    node.insert(1, signature)
    reference = xmlsec.template.add_reference(signature, xmlsec.Transform.SHA256, uri="#" + node.get("ID"))
    xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
    xmlsec.template.add_transform(reference, xmlsec.Transform.EXCL_C14N)
    xmlsec.tree.add_ids(root, ["ID"])
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_binary_data(xmlsec.KeyData.HMAC, key().certificate.encode())
    context.sign(signature)
    case.refused(root, "algorithm")


def test_signature_wrapping_1_an_answer_around_the_signed_one(whole: Case) -> None:
    signed = whole.honest()
    evil = whole.evil(signed)
    signature = copied(_signature(signed))
    evil.insert(1, signature)
    original = copied(signed)
    original.remove(_signature(original))
    signature.append(original)
    whole.refused(evil, "shape")


def test_signature_wrapping_2_an_answer_before_the_signed_one(whole: Case) -> None:
    signed = whole.honest()
    evil = whole.evil(signed)
    original = copied(signed)
    original.remove(_signature(original))
    evil.insert(1, original)
    evil.insert(2, copied(_signature(signed)))
    whole.refused(evil, "shape")


def test_signature_wrapping_3_an_assertion_before_the_signed_one(case: Case) -> None:
    root = case.honest()
    root.insert(list(root).index(_assertion(root)), case.evil(_assertion(root)))
    case.refused(root, "shape")


def test_signature_wrapping_4_an_assertion_around_the_signed_one(case: Case) -> None:
    root = case.honest()
    signed = _assertion(root)
    evil = case.evil(signed)
    root.replace(signed, evil)
    evil.append(signed)
    case.refused(root, "shape")


def test_signature_wrapping_5_the_signature_moves_to_another_assertion(case: Case) -> None:
    root = case.honest()
    signed = _assertion(root)
    evil = case.evil(signed)
    signature = _signature(signed)
    signed.remove(signature)
    evil.insert(1, signature)
    root.replace(signed, evil)
    root.append(signed)
    case.refused(root, "shape")


def test_signature_wrapping_6_the_signed_assertion_inside_its_signature(case: Case) -> None:
    root = case.honest()
    signed = _assertion(root)
    evil = case.evil(signed)
    signature = _signature(signed)
    signed.remove(signature)
    evil.insert(1, signature)
    root.replace(signed, evil)
    signature.append(signed)
    case.refused(root, "shape")


def test_signature_wrapping_7_an_assertion_in_extensions(case: Case) -> None:
    root = case.honest()
    extensions = etree.Element(f"{{{NS['samlp']}}}Extensions")
    extensions.append(case.evil(_assertion(root)))
    root.insert(1, extensions)
    case.refused(root, "shape")


def test_signature_wrapping_8_the_signed_assertion_in_an_object(case: Case) -> None:
    root = case.honest()
    signed = _assertion(root)
    evil = case.evil(signed)
    signature = _signature(signed)
    signed.remove(signature)
    evil.insert(1, signature)
    root.replace(signed, evil)
    etree.SubElement(signature, f"{{{NS['ds']}}}Object").append(signed)
    case.refused(root, "shape")


def test_one_id_for_two_elements_is_refused(case: Case) -> None:
    """The signature names an id; which element it covers must be beyond question."""
    root = case.honest()
    signed = _assertion(root)
    extensions = etree.Element(f"{{{NS['samlp']}}}Extensions")
    etree.SubElement(extensions, "Thing").set("ID", signed.get("ID"))
    root.insert(1, extensions)
    case.refused(root, "shape")


def test_a_signature_over_something_else_is_refused(case: Case) -> None:
    root = case.honest()
    root.find(".//ds:Reference", NS).set("URI", "")
    case.refused(root, "shape")


def test_a_signature_with_a_further_reference_is_refused(case: Case) -> None:
    root = case.honest()
    reference = root.find(".//ds:Reference", NS)
    reference.getparent().append(copied(reference))
    case.refused(root, "shape")


def test_a_signature_with_a_transform_by_path_is_refused(case: Case) -> None:
    root = case.honest()
    transform = root.find(".//ds:Transform", NS)
    transform.set("Algorithm", "http://www.w3.org/TR/1999/REC-xpath-19991116")
    etree.SubElement(transform, f"{{{NS['ds']}}}XPath").text = "false()"
    case.refused(root, "algorithm")


def _text(root: Any) -> str:
    return etree.tostring(root).decode()


def test_a_comment_that_cuts_the_name_is_refused(case: Case) -> None:
    """Canonical form leaves comments out, so the signature holds: a reader that stops at one reads another name."""
    cut = case.mallory.replace("@", "<!---->@")
    case.refused(_text(case.honest()).replace(case.mallory, cut, 1).encode(), "markup")


def test_a_comment_that_hides_the_end_of_the_name_is_refused(case: Case) -> None:
    """Mallory has victoria@acme.test.evil at the identity provider, and cuts the end off behind the domain."""
    name = case.victim + ".evil"
    signed = _text(sign(case.answer(subject=name, attributes={"email": name})))
    case.refused(signed.replace(name, f"{case.victim}<!-- -->.evil").encode(), "markup")


def test_a_type_of_document_is_refused(case: Case) -> None:
    case.refused(b"<!DOCTYPE r>" + _text(case.honest()).encode(), "markup")


def test_an_entity_is_refused(case: Case) -> None:
    kinds = f'<!DOCTYPE r [<!ENTITY who "{case.victim}"><!ENTITY file SYSTEM "file:///etc/passwd">]>'
    case.refused((kinds + _text(case.honest()).replace(case.mallory, "&who;&file;")).encode(), "markup")


def test_entities_that_grow_are_refused(case: Case) -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE r [<!ENTITY e0 "ha">{levels}]>' + _text(case.honest()).replace(case.mallory, "&e11;")
    case.refused(bomb.encode(), "markup")


def test_an_entity_in_another_encoding_is_refused(case: Case) -> None:
    hidden = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE r [<!ENTITY a "b">]>' + _text(case.honest())
    case.refused(hidden.encode("utf-16"), "response")


def test_a_processing_instruction_is_refused(case: Case) -> None:
    case.refused(_text(case.honest()).replace(case.mallory, case.mallory + "<?x?>", 1).encode(), "markup")


def test_another_audience_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(audience="https://elsewhere.test/metadata")), "audience")


def test_no_audience_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(audience=None)), "audience")


@pytest.mark.parametrize("recipient", ["https://elsewhere.test/acs", None])
def test_another_recipient_is_refused(case: Case, recipient: str | None) -> None:
    case.refused(sign(case.answer(recipient=recipient)), "recipient")


def test_a_recipient_that_only_holds_ours_is_refused(case: Case) -> None:
    ours = case.trust.service["acsURL"]
    case.refused(sign(case.answer(recipient=f"https://evil.test/?{ours}")), "recipient")


def test_another_destination_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(destination="https://elsewhere.test/acs")), "destination")


def test_a_destination_that_only_begins_with_ours_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(destination=case.trust.service["acsURL"] + ".evil")), "destination")


def test_another_issuer_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(issuer="https://elsewhere.test/metadata")), "issuer")


def test_an_answer_to_another_request_is_refused(case: Case) -> None:
    root = build(case.trust.told("_" + new_id(), subject=case.mallory, format=EMAIL, attributes={}))
    case.refused(sign(root), "unasked")


def test_an_answer_to_no_request_is_refused(case: Case) -> None:
    """As identity providers begin it themselves: nobody here asked, and anybody could have sent the browser."""
    case.refused(sign(build(case.trust.told(None, subject=case.mallory, format=EMAIL, attributes={}))), "unasked")


def test_an_answer_whose_assertion_names_another_request_is_refused(case: Case) -> None:
    """What stands outside the signed assertion is anybody's word."""
    root = sign(build(case.trust.told("_" + new_id(), subject=case.mallory, format=EMAIL, attributes={})))
    root.set("InResponseTo", case.asked.id)
    case.refused(root, "unasked")


def test_an_answer_to_a_request_to_another_provider_is_refused(case: Case) -> None:
    second = trust(case.world)
    other = second.browser().start()
    root = build(case.trust.told(other.id, subject=case.mallory, format=EMAIL, attributes={}))
    case.refused(sign(root), "unasked")


def test_an_answer_of_one_provider_brought_to_another_is_refused(case: Case) -> None:
    second = trust(case.world)
    form = {"SAMLResponse": encoded(case.honest())}
    reply = case.browser.send("POST", urlsplit(second.service["acsURL"]).path, form)
    case.is_refused(reply, "destination", "audience")


def test_an_expired_answer_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(begins=-10 * MINUTE, ends=-MINUTE)), "late")


def test_an_answer_that_expires_on_the_way_is_refused(case: Case, clock: FakeClock) -> None:
    root = sign(case.answer(ends=2 * MINUTE))
    clock.advance(2 * MINUTE + 1000)
    case.refused(root, "late")


def test_an_answer_that_is_not_yet_valid_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(begins=4 * MINUTE)), "early")


def test_a_clock_that_is_a_little_ahead_is_borne(case: Case) -> None:
    assert case.browser.arrive(sign(case.answer(begins=2 * MINUTE))).status == 303


def test_a_replayed_answer_is_refused(case: Case) -> None:
    """Also in the browser that asked, and by its id alone when all the rest is new."""
    root = case.honest()
    assert case.browser.arrive(root).status == 303
    case.is_refused(case.browser.post(root), "used")
    again = case.browser.start()
    same = build(
        case.trust.told(
            again.id, subject=case.mallory, format=EMAIL, attributes={}, assertion=_assertion(root).get("ID")
        )
    )
    case.is_refused(case.browser.post(sign(same)), "used")


def test_of_answers_that_arrive_at_once_one_serves(case: Case) -> None:
    form = urlencode({"SAMLResponse": encoded(case.honest())}).encode()
    path = urlsplit(case.trust.service["acsURL"]).path
    headers = {"content-type": "application/x-www-form-urlencoded"}

    async def together() -> list[Reply]:
        sent = (case.world.api.send("POST", path, token="", body=form, headers=headers) for _ in range(6))
        return await asyncio.gather(*sent)

    statuses = sorted(reply.status for reply in case.world.run(together()))
    assert statuses == [303, 403, 403, 403, 403, 403]


def test_a_login_that_is_fetched_twice_at_once_serves_once(case: Case) -> None:
    reply = case.browser.post(case.honest())
    headers = {"cookie": "; ".join(f"{name}={value}" for name, value in case.browser.cookies.items())}

    async def together() -> list[Reply]:
        at = reply.headers["location"]
        return await asyncio.gather(*(case.world.api.send("GET", at, token="", headers=headers) for _ in range(4)))

    replies = case.world.run(together())
    assert sorted(reply.status for reply in replies) == [303, 403, 403, 403]


def test_a_second_answer_to_one_request_is_refused(case: Case) -> None:
    assert case.browser.arrive(case.honest()).status == 303
    case.is_refused(case.browser.post(case.honest()), "used")


def test_a_signature_by_sha_1_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(), method=xmlsec.Transform.RSA_SHA1), "algorithm")


def test_a_digest_by_sha_1_is_refused(case: Case) -> None:
    case.refused(sign(case.answer(), digest=xmlsec.Transform.SHA1), "algorithm")


def test_a_refusal_of_the_identity_provider_signs_nobody_in(case: Case) -> None:
    case.refused(sign(case.answer(status=SUCCESS.replace("Success", "Responder"))), "denied")


def test_an_encrypted_assertion_is_told_of(case: Case) -> None:
    root = case.honest()
    signed = _assertion(root)
    root.replace(signed, etree.Element(f"{{{NS['saml']}}}EncryptedAssertion"))
    case.refused(root, "encrypted")


@pytest.mark.parametrize("posted", ["", "!", "AAAA", "PHg+", "PHg", base64.b64encode(b"<Response/>").decode(), "é"])
def test_what_is_no_answer_is_refused(case: Case, posted: str) -> None:
    case.refused(posted, "response")


def test_an_answer_that_is_too_large_is_refused(case: Case) -> None:
    case.refused("A" * (300 << 10), "response")
    case.is_refused(case.browser.post("A" * (600 << 10)), "large")


def test_a_refusal_is_in_the_log_without_the_answer(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    root = case.honest()
    case.rename(root)
    reply = case.browser.post(root)
    [record] = [one for one in caplog.records if one.name == "octavo.sso"]
    assert vars(record)["reason"] == "signature"
    assert vars(record)["request"] in reply.text
    assert encoded(root) not in str(vars(record))
