"""How events become records: ids are hashed, the address of the visitor becomes a country, secrets leave addresses."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote_plus, urlsplit, urlunsplit

import msgspec
from msgspec import UNSET

from octavo.kernel import extras, limits
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
_UTM = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content")
_Place = tuple[str | None, int | None]
"""A country, and a cell of a grid."""
_SECRET = ("jwt_token", "token", "key", "password", "email")
"""What may stand in an address and is nobody else's to know."""


class Recorder:
    """Makes records of events, where the installation has insights. Raises NotInstalled where it has none."""

    def __init__(self, store: Store) -> None:
        if store.insights is None:
            raise NotInstalled(extras.lacks("insights") or "insights are turned off in this installation")
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
        hashing = Hashing(await self.salt(now), site.id)
        usual = self._insights.countries.find(_address(address))
        return [self._made(site, one, f"events[{at}]", now, usual, hashing) for at, one in enumerate(events)]

    def _made(self, site: Site, event: wire.Event, name: str, now: int, usual: _Place, hashing: Hashing) -> Event:
        """`usual`: where the visitor is, where the event does not say her address."""
        session, location = event.session, event.location
        claims = _claims(session.visitor_auth_claims, f"{name}.session.visitorAuthClaims")
        url, path, utm = _url(location.url)
        country, cell = usual
        if isinstance(session.ip, str) and session.ip:
            country, cell = self._insights.countries.find(_required(session.ip, f"{name}.session.ip"))
        referrer = session.referrer or None
        return Event(
            organization=site.organization,
            site=site.id,
            moment=self._moment(event, name, now),
            type=str(event.__struct_config__.tag),
            visitor=hashing.of(session.visitor_id),
            session=hashing.of(session.session_id),
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

    def _moment(self, event: wire.Event, name: str, now: int) -> int:
        """When it happened, in milliseconds. Raises BadRequest for what cannot be, or is not kept."""
        moment = now if event.timestamp is UNSET else milliseconds(event.timestamp)
        if moment > now + limits.INSIGHTS_MINUTES * MINUTE:
            raise BadRequest(f"{name}.timestamp: it is more than {limits.INSIGHTS_MINUTES} minutes ahead of now")
        if moment < now - self._insights.days * DAY:
            raise BadRequest(
                f"{name}.timestamp: it is longer ago than the {self._insights.days} days that events are kept"
            )
        return moment


class Hashing:
    """Ids of visitors of a site as 63 bits that nobody turns back, and that are another site's for nobody."""

    def __init__(self, salt: bytes, site: str) -> None:
        person = blake2b(site.encode(), digest_size=16).digest()
        self._begun = blake2b(key=salt, person=person, digest_size=8)

    def of(self, word: str) -> int:
        """The hash of an id."""
        digest = self._begun.copy()
        digest.update(word.encode())
        return int.from_bytes(digest.digest(), "big") >> 1


def hashed(salt: bytes, site: str, word: str) -> int:
    """One such hash."""
    return Hashing(salt, site).of(word)


def _payload(event: wire.Event) -> dict[str, Any]:
    """What one type of event has of its own."""
    match event:
        case wire.PageView():  # most are that
            return {}
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
        return _without_secrets(url), "", {}
    utm = {}
    if "utm_" in parts.query:
        said = dict(parse_qsl(parts.query))
        utm = {name: said[name][: limits.INSIGHTS_TEXT_MAX] for name in _UTM if name in said}
    return _whole(parts), parts.path or "/", utm


def _without_secrets(url: str) -> str:
    parts = _split(url)
    return url.partition("?")[0] if parts is None else _whole(parts)


def _whole(parts: SplitResult) -> str:
    """An address again: without user, secrets and fragment."""
    query = parts.query and "&".join(one for one in parts.query.split("&") if one and not _secret(one))
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))


def _secret(said: str) -> bool:
    name = unquote_plus(said.partition("=")[0])
    return name.lower() in _SECRET or name.startswith("visitor.")


def _domain(url: str | None) -> str | None:
    parts = None if url is None else _split(url)
    host = None if parts is None else parts.hostname
    return None if host is None else host.removeprefix("www.")


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _address(ip: str | None) -> str | None:
    """As databases of countries have them: one of the fourth version is no part of the sixth."""
    try:
        found = None if ip is None else ipaddress.ip_address(ip.strip())
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return None if found is None else str(mapped or found)


def _required(ip: str, name: str) -> str:
    """An address that somebody says. Raises BadRequest where it is none."""
    found = _address(ip)
    if found is None:
        raise BadRequest(f"{name}: expected an address as 192.0.2.1 or 2001:db8::1")
    return found
