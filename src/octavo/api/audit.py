"""The audit log of the API: every row that writes is told in its own unit, whatever room it is in."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from octavo.access.caller import Caller
from octavo.kernel.audit import OTHER_ACTIONS, Target
from octavo.kernel.ids import token_hash
from octavo.kernel.operation import AnyOperation, Nothing
from octavo.kernel.records import Json, Record
from octavo.kernel.records import people as records
from octavo.kernel.records.invites import Invite
from octavo.kernel.records.provisioning import DomainClaim
from octavo.resources.call import Call

_BESIDE = ("user", "team")
"""Words of paths that stand for themselves in the log; others may be secrets."""
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def actions(rows: Iterable[AnyOperation]) -> Mapping[str, str]:
    """Every action there is, with words for people."""
    return {**{row.audit: row.summary for row in rows if row.audit is not None}, **OTHER_ACTIONS}


async def note(call: Call, row: AnyOperation, at: Any, taken: Any, result: Any) -> None:
    """Append what a row has just done; a change that says nothing of anything has changed nothing."""
    if row.method == "PATCH" and not _fields_sent(taken):
        return
    words = {} if row.at is Nothing else {name: getattr(at, name) for name in at.__struct_fields__}
    located = {name: word.record for name, word in words.items() if not isinstance(word, str)}
    said: Record | None = None if row.about is None else row.about(result)
    about = said or next(reversed(located.values()), None) or call.caller.user
    places = _places(call.caller, words, located, said)
    details = _details(words, taken)
    await call.unit.audit.append(row.audit or "", target_of(about), places, actor=call.caller.user, details=details)


def target_of(record: Record) -> Target:
    """What is kept of a record: which it is, and how it was called. What somebody wrote is not."""
    kind = "oidc-provider" if getattr(record, "oidc", False) else _kind(type(record))
    if isinstance(record, records.Member):
        return Target("user", record.user)
    if isinstance(record, DomainClaim):
        return Target("domain", record.domain, record.domain)
    key: str = getattr(record, "id", "")
    if isinstance(record, Invite):
        key = _hidden(key)
    called = getattr(record, _CALLED.get(kind, "title"), None)
    return Target(kind, key, called if isinstance(called, str) else None)


_CALLED = {"user": "name", "change-request": "subject", "token": "label", "saml-provider": "label",
           "oidc-provider": "label", "scim-token": "label",
           "font": "family", "openapi-spec": "slug", "site-mcp-server": "name", "site-redirect": "source"}  # fmt: skip
"""Kind -> where its title is, if not in `title`."""


@functools.cache
def _kind(record: type[Record]) -> str:
    return _CAPITAL.sub("-", record.__name__).lower()


def _hidden(word: str) -> str:
    """Stands for the word of an invite, by which whoever knows it joins."""
    return token_hash(word)[:22]


def _places(caller: Caller, words: dict[str, Any], located: dict[str, Record], about: Record | None) -> set[str]:
    """The organizations whose log tells of it: the one of what was located, the one that it is in afterwards, and for what
    is of an account alone all that the caller is in."""
    if isinstance(about, records.Organization):
        return {about.id}
    within = words.get("organization")
    if within is None:
        found = {place for one in located.values() if (place := getattr(one, "organization", None))}
    else:
        found = {within if isinstance(within, str) else within.record.id}
    if not found:
        return {*caller.roles, *caller.barred}
    moved = getattr(about, "organization", None)
    return found if moved is None else {*found, moved}


def _details(words: dict[str, Any], taken: Any) -> Json:
    made: Json = {name: word for name, word in words.items() if name in _BESIDE and isinstance(word, str)}
    invite = words.get("invite")
    if isinstance(invite, str):
        made["invite"] = _hidden(invite)
    if sent := _fields_sent(taken):
        made["fields"] = sent
    return made


def _fields_sent(taken: Any) -> list[str]:
    if not isinstance(taken, msgspec.Struct):
        return []
    return [name for field, name, default in _fields(type(taken)) if _sent(getattr(taken, field), default)]


def _sent(value: Any, default: Any) -> bool:
    return value is not msgspec.UNSET and (default is msgspec.NODEFAULT or value != default)


@functools.cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, str, Any]]:
    """Name in the struct, name in the body, default."""
    return [
        (one.name, one.encode_name, one.default if one.default_factory is msgspec.NODEFAULT else one.default_factory())
        for one in msgspec.structs.fields(kind)
    ]
