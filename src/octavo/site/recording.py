"""How events become records: ids are hashed, the address of the visitor becomes a country, secrets leave addresses."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.errors import BadRequest, NotInstalled
from octavo.kernel.records import Json
from octavo.kernel.records.insights import Event
from octavo.kernel.records.sites import Site
from octavo.store.unit import Store
from octavo.wire.fields import milliseconds
from octavo.wire.sites import insights as wire

SALT, DAY_SALT = "insights-salt", "insights-day"
"""How the names of secrets begin that ids are hashed with."""
_SALTS = 8
"""That a process remembers."""
_UTM = ("source", "medium", "campaign", "term", "content")
_SECRET = ("jwt_token", "token", "key", "password", "email")
"""What may stand in an address and is nobody else's to know."""


class Recorder:
    """Makes records of events, where the installation has insights. Raises NotInstalled where it has none."""

    def __init__(self, store: Store) -> None:
        if store.insights is None:
            raise NotInstalled("insights are turned off in this installation")
        self._store = store
        self._insights = store.insights

    async def salt(self, now: int) -> bytes:
        """What ids are hashed with at a moment."""
        days = self._insights.rotation
        return await self._salt(f"{SALT}-{now // (days * DAY)}" if days else SALT)

    async def day_salt(self, now: int) -> bytes:
        """The same for visitors who are known by nothing but their address: it is another one every day."""
        return await self._salt(f"{DAY_SALT}-{now // DAY}")

    async def _salt(self, name: str) -> bytes:
        salts = self._insights.salts
        if name not in salts:
            if len(salts) > _SALTS:
                salts.clear()
            word = await self._store.write(lambda unit: unit.installation.secret(name))
            salts[name] = blake2b(word.encode(), digest_size=32).digest()
        return salts[name]

    async def made(self, site: Site, events: Sequence[wire.Event], now: int, address: str | None) -> list[Event]:
        """Records of the events of a site; `address` is that of the visitor, where an event does not say it. Raises
        BadRequest naming the one that cannot be."""
        salt = await self.salt(now)
        return [self._made(site, one, f"events[{at}]", now, address, salt) for at, one in enumerate(events)]

    def _made(self, site: Site, event: wire.Event, name: str, now: int, address: str | None, salt: bytes) -> Event:
        session, location = event.session, event.location
        moment = now if event.timestamp is UNSET else milliseconds(event.timestamp)
        if abs(moment - now) > limits.INSIGHTS_MINUTES * MINUTE:
            raise BadRequest(f"{name}.timestamp: it has to be within {limits.INSIGHTS_MINUTES} minutes of now")
        claims = _claims(session.visitor_auth_claims, f"{name}.session.visitorAuthClaims")
        url, path, utm = _url(location.url)
        ip = session.ip if isinstance(session.ip, str) and session.ip else address
        country, cell = self._insights.countries.find(_address(ip, f"{name}.session.ip", given=ip is not address))
        referrer = session.referrer or None
        return Event(
            organization=site.organization,
            site=site.id,
            moment=moment,
            type=str(event.__struct_config__.tag),
            visitor=hashed(salt, site.id, session.visitor_id),
            session=hashed(salt, site.id, session.session_id),
            key=None if event.id is UNSET else hashed(b"", site.id, event.id),
            agent=session.user_agent or "",
            url=url,
            path=path,
            context=location.display_context,
            section=location.site_section,
            site_space=location.site_space,
            share_key=location.site_share_key,
            space=location.space,
            revision=location.revision,
            page=location.page,
            country=country,
            cell=cell,
            language=session.language or None,
            referrer=None if referrer is None else _without_secrets(referrer),
            referrer_domain=_domain(referrer),
            authenticated=bool(claims) or site.visibility == "visitor-auth",
            claims=_sorted(claims) if claims else None,
            claims_flat=_sorted(dict(flat(claims))) if claims else None,
            **(utm | _payload(event)),
        )


def hashed(salt: bytes, site: str, word: str) -> int:
    """63 bits that nobody turns back, and that are another site's for nobody."""
    digest = blake2b(word.encode(), key=salt, person=blake2b(site.encode(), digest_size=16).digest(), digest_size=8)
    return int.from_bytes(digest.digest(), "big") >> 1


def _payload(event: wire.Event) -> dict[str, Any]:
    """What one type of event has of its own."""
    match event:
        case wire.MarkdownRequest():
            return {"markdown_source": _maybe(event.markdown_source)}
        case wire.SearchTypeQuery():
            return {"query": event.query, "results": _maybe(event.results)}
        case wire.SearchOpenResult():
            found = event.result
            ids = {"result_space": _maybe(found.space_id), "result_page": _maybe(found.page_id)}
            return {"query": event.query, "result_record": _maybe(found.record_id), **ids}
        case wire.PostFeedback():
            return {"rating": event.feedback.rating}
        case wire.PostFeedbackComment():
            return {"rating": event.feedback.rating, "comment": event.feedback.comment}
        case wire.AskQuestion():
            return {"query": event.query}
        case wire.AskRateResponse():
            return {"query": event.query, "answer_rating": event.rating}
        case wire.LinkClick():
            return _link(event.link)
        case wire.ApiClientOpen() | wire.ApiClientRequest():
            return {"operation_path": event.operation.path, "operation_method": event.operation.method.upper()}
        case wire.TrademarkClick():
            return {"trademark": event.placement}
        case wire.AdClick() | wire.AdDisplay():
            return {"ad_domain": event.ad.domain, "ad_placement": event.ad.placement}
        case wire.LlmsRequest():
            return {"variant": event.llms_variant}
        case _:
            return {}


def _link(link: wire.ClickedLink) -> dict[str, Any]:
    target = msgspec.to_builtins(link.target)
    url = target.get("url")
    if url is not None:
        target["url"] = url = _without_secrets(url)
    return {
        "link_target": _sorted(target),
        "link_kind": link.target.kind,
        "link_domain": _domain(url),
        "link_position": link.position,
    }


def _maybe(value: Any) -> Any:
    return None if value is UNSET else value


def _sorted(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _claims(said: Any, name: str) -> Json:
    """Claims that are kept. Raises BadRequest for too many."""
    claims: Json = said if isinstance(said, dict) else {}
    if not claims:
        return {}
    count = 0
    for count, _ in enumerate(flat(claims), 1):
        if count > limits.INSIGHTS_CLAIMS_MAX:
            raise BadRequest(f"{name}: a visitor has {limits.INSIGHTS_CLAIMS_MAX} claims at most")
    if len(msgspec.json.encode(claims)) > limits.INSIGHTS_CLAIMS_BYTES:
        raise BadRequest(f"{name}: the claims of a visitor have {limits.INSIGHTS_CLAIMS_BYTES} bytes at most")
    return claims


def flat(claims: Json, above: str = "", deep: int = 0) -> Iterator[tuple[str, str]]:
    """Every claim as a text; what lies deeper is named with dots.

    >>> dict(flat({"plan": "pro", "team": {"size": 3}, "beta": True}))
    {'plan': 'pro', 'team.size': '3', 'beta': 'true'}
    """
    for name, value in claims.items():
        if isinstance(value, dict) and value and deep < 5:
            yield from flat(value, f"{above}{name}.", deep + 1)
        else:
            yield above + name, value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _url(url: str) -> tuple[str, str, dict[str, str]]:
    """An address without what is secret in it, its path, and what its campaign says."""
    parts = _split(url)
    if parts is None:
        return url, "", {}
    query = parse_qsl(parts.query)
    utm = {
        f"utm_{word}": value[: limits.INSIGHTS_TEXT_MAX]
        for word in _UTM
        for name, value in query
        if name == f"utm_{word}"
    }
    return _without_secrets(url), parts.path or "/", utm


def _without_secrets(url: str) -> str:
    parts = _split(url)
    if parts is None:
        return url.partition("?")[0]
    kept = [(name, value) for name, value in parse_qsl(parts.query) if not _secret(name)]
    netloc = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, netloc, parts.path, urlencode(kept), ""))


def _secret(name: str) -> bool:
    return name.lower() in _SECRET or name.startswith("visitor.")


def _domain(url: str | None) -> str | None:
    parts = None if url is None else _split(url)
    if parts is None or parts.hostname is None:
        return None
    return parts.hostname.removeprefix("www.")


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.hostname  # noqa: B018 (it is what raises)
    except ValueError:
        return None
    return parts


def _address(ip: str | None, name: str, *, given: bool) -> str | None:
    try:
        return None if ip is None else str(ipaddress.ip_address(ip.strip()))
    except ValueError as error:
        if given:
            raise BadRequest(f"{name}: expected an address as 192.0.2.1 or 2001:db8::1") from error
        return None
