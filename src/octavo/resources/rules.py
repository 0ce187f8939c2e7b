"""Rules that rows of several rooms share: who may, where no word of the policy table says it."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import UNSET

from octavo.access.caller import Caller
from octavo.access.policy import allows
from octavo.kernel.operation import Rule
from octavo.resources.places import AtOrganization
from octavo.wire.fields import Id, Maybe


class Placed(Protocol):
    """A body that says where something new is to stand."""

    @property
    def parent(self) -> Maybe[Id]: ...


def _belongs(caller: Caller, at: AtOrganization, takes: object) -> bool:
    return caller.belongs(at.organization.record.id)


MEMBERS: Rule[AtOrganization, Any] = Rule(
    "members and guests of the organization", _belongs, "this is for members and guests of the organization"
)


def _is_of(caller: Caller, at: Any, takes: object) -> bool:
    return caller.acting is not None or allows("organization", "listIntegrations", at.organization.role)


OF_ORGANIZATION: Rule[Any, Any] = Rule(
    "`listIntegrations` on the organization; integrations where they are installed",
    _is_of,
    "this is for members of the organization (needs listIntegrations)",
)


def _operates(caller: Caller, at: object, takes: object) -> bool:
    return caller.operates


OPERATORS: Rule[Any, Any] = Rule(
    "operators of the installation, whom OCTAVO_OPERATORS names",
    _operates,
    "this is for operators of the installation, whom the setting OCTAVO_OPERATORS names",
)


def _creates(caller: Caller, at: AtOrganization, body: Placed) -> bool:
    # On a collection that the body names, `access.placing` decides when it was located.
    return body.parent is not UNSET or allows("organization", "createContent", at.organization.role)


CREATORS: Rule[AtOrganization, Any] = Rule(
    "`createContent` on the organization; for one in a collection `create` on that",
    _creates,
    "your role in this organization does not allow creating content (needs createContent)",
)
