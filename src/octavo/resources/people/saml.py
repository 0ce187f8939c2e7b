"""Single sign-on by SAML: the identity providers that an organization trusts, and how its people sign in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from msgspec import UNSET, structs

from octavo.access.locate import SeenOrganization, SeenSamlProvider
from octavo.access.people.certificates import certificates
from octavo.kernel.errors import BadRequest
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, UNLIMITED, Nothing, Operation, write
from octavo.kernel.records import people as records
from octavo.kernel.records.saml import SamlProvider
from octavo.resources.call import Call, Page
from octavo.resources.embedded import show_teams
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.people import saml
from octavo.wire.people.saml import CreateSamlProvider, ProviderView, SsoLogins, UpdateSamlProvider
from octavo.wire.view import View


@dataclass(frozen=True)
class InOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtProvider(InOrganization):
    provider: SeenSamlProvider


async def list_in_organization(call: Call, at: InOrganization, query: ListQuery) -> Page[ProviderView]:
    """Newest first."""
    # `cut` goes upwards: what is newer comes first by its negative time, what is of one time by its id.
    found = sorted(await call.unit.saml.of(at.organization.record.id), key=_newest)
    page = call.cut(found, query, _newest)
    return Page(await _show(call, page.items), page.count, page.next)


def _newest(one: SamlProvider) -> tuple[int, str]:
    return -one.created_at, one.id


async def create(call: Call, at: InOrganization, body: CreateSamlProvider) -> ProviderView:
    """Pending until everything is there that a sign-in takes."""
    organization = at.organization.record.id
    provider = SamlProvider(id=new_id(), organization=organization, label=body.label, created_at=call.now)
    provider = structs.replace(provider, **await _changes(call, provider, body))
    await call.unit.saml.add(provider)
    return (await _show(call, [provider]))[0]


async def get(call: Call, at: AtProvider, takes: Nothing) -> ProviderView:
    """One provider."""
    return (await _show(call, [at.provider.record]))[0]


async def update(call: Call, at: AtProvider, body: UpdateSamlProvider) -> ProviderView:
    """Only the fields that were sent change. Who is signed in stays so."""
    provider = at.provider.record
    changed = await _changes(call, provider, body)
    return (await _show(call, [await call.unit.saml.change(provider, **changed)]))[0]


async def delete(call: Call, at: AtProvider, takes: Nothing) -> None:
    """The sessions and tokens that rest on its word end; the members stay."""
    await call.unit.saml.remove(at.provider.record.id)


async def list_logins(call: Call, at: InOrganization, takes: Nothing) -> list[SamlProvider]:
    """Those by which somebody can sign in, oldest first."""
    return [one for one in reversed(await call.unit.saml.of(at.organization.record.id)) if one.ready]


_FIELDS = ("label", "sso_url", "entity_id", "certificate", "default_team", "default_role")


async def _changes(call: Call, provider: SamlProvider, body: CreateSamlProvider | UpdateSamlProvider) -> dict[str, Any]:
    """What a body changes of a provider, and whether it is ready then."""
    changed = {name: value for name in _FIELDS if (value := getattr(body, name)) is not UNSET}
    for name in ("entity_id", "certificate"):
        if name in changed:
            changed[name] = changed[name].strip()
    if changed.get("default_team") is not None:
        team = await call.unit.teams.get(changed["default_team"])
        if team is None or team.organization != provider.organization:
            raise BadRequest(f"defaultTeam: the organization has no team {changed['default_team']!r}")
    after = {name: changed.get(name, getattr(provider, name)) for name in ("sso_url", "entity_id", "certificate")}
    changed["ready"] = all(after.values()) and _readable(after["certificate"])
    return changed


def _readable(text: str) -> bool:
    try:
        return bool(certificates(text))
    except ValueError:
        return False


async def _show(call: Call, providers: Sequence[SamlProvider]) -> list[ProviderView]:
    ids = [one.default_team for one in providers if one.default_team is not None]
    teams: Sequence[records.Team] = await call.unit.teams.by_ids(ids)
    shown = {view.team.id: view for view in await show_teams(call, teams)}
    return [ProviderView(one, shown.get(one.default_team or "")) for one in providers]


def _present_page(page: Page[ProviderView], view: View) -> Listing[saml.SamlProvider]:
    return page.present(lambda one: saml.present(one, view))


def _present_logins(found: list[SamlProvider], view: View) -> SsoLogins:
    return SsoLogins([saml.present_login(one, view) for one in found])


def _nothing(done: None, view: View) -> None:
    """204 carries no body."""


_ALL = "/orgs/{organization}/saml"
_ONE = _ALL + "/{provider}"
AnyPlace = TypeVar("AnyPlace")
Takes = TypeVar("Takes")
Rec = TypeVar("Rec")
Out = TypeVar("Out")


def _row(
    method: Literal["GET", "POST", "PATCH", "DELETE"],
    id_: str,
    path: str,
    at: type[AnyPlace],
    takes: type[Takes],
    does: Callable[[Call, AnyPlace, Takes], Awaitable[Rec]],
    present: Callable[[Rec, View], Out],
    gives: Any,
    summary: str,
    *,
    status: int = 200,
    needs: str = "organization.admin",
) -> Operation[AnyPlace, Takes, Rec, Out]:
    """`gives` is typed by `present`."""
    reads = method == "GET"
    return Operation(
        id=id_,
        method=method,
        path=path,
        at=at,
        takes=takes,
        does=does,
        present=present,
        gives=gives,
        status=status,
        needs=needs,
        pace="read" if reads else "write",
        unit=READ if reads else write("organization"),
        # Who may come in is covered by no scope.
        scope=UNLIMITED if needs == "organization.admin" else "organization:read",
        summary=summary,
        names={"provider": "samlProviderId"} if path == _ONE else {},
    )


OPERATIONS = (
    _row(
        "GET", "listSAMLProvidersInOrganizationById", _ALL, InOrganization, ListQuery, list_in_organization,
        _present_page, Listing[saml.SamlProvider], "List the SAML providers of an organization",
    ),
    _row(
        "POST", "createOrganizationSAMLProvider", _ALL, InOrganization, CreateSamlProvider, create,
        saml.present, saml.SamlProvider, "Create a SAML provider", status=201,
    ),
    _row(
        "GET", "getOrganizationSAMLProviderById", _ONE, AtProvider, Nothing, get,
        saml.present, saml.SamlProvider, "Get a SAML provider",
    ),
    _row(
        "PATCH", "updateOrganizationSAMLProvider", _ONE, AtProvider, UpdateSamlProvider, update,
        saml.present, saml.SamlProvider, "Change a SAML provider",
    ),
    _row(
        "DELETE", "deleteOrganizationSAMLProvider", _ONE, AtProvider, Nothing, delete,
        _nothing, None, "Delete a SAML provider", status=204,
    ),
    _row(
        "GET", "listSSOProviderLoginsInOrganization", "/orgs/{organization}/sso", InOrganization, Nothing, list_logins,
        _present_logins, SsoLogins, "List how members of an organization sign in", needs="relation",
    ),
)  # fmt: skip
