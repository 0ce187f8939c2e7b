"""People: accounts, tokens, sessions, organizations, members, teams."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record, Role


class User(Record, frozen=True):
    id: str
    email: str
    """As written; compares by its lower-cased form."""
    name: str
    photo_url: str | None = None
    created_at: int = 0
    email_verified: int = 0
    """When somebody showed that the address is hers, or the operator said so; 0 = nobody did, 1 = in times that did not
    note when. What the account did before may be another's."""
    deleted_at: int | None = None
    """Nobody comes in any more; removed when its days are over, unless it is restored."""
    language: str | None = None
    """In which letters are written, `pt-br`; None = the one of the installation."""


class Token(Record, frozen=True):
    id: str
    user: str
    hash: str
    label: str = ""
    scopes: list[str] | None = None
    """None = every scope."""
    provider: str | None = None
    """The identity provider that proved who made it; None = a password, a code by mail, or the command line did."""
    created_at: int = 0
    expires_at: int | None = None
    last_used_at: int | None = None


Proof = Literal["password", "code", "saml", "oidc"]


"""What shows who somebody is who signs in."""


class Session(Record, frozen=True, kw_only=True):
    """A browser that is signed in."""

    id: str
    user: str
    hash: str
    """Of the cookie's value."""
    how: Proof
    provider: str | None = None
    """With `saml`, and with `oidc` of an organization: the id of the provider."""
    created_at: int
    used_at: int
    """True within minutes."""
    expires_at: int
    """When it ends, however much it is used."""
    provider_session: str | None = None
    """What the identity provider calls the session there, where it says so."""


class LoginCode(Record, frozen=True, kw_only=True):
    """A code that was asked for by mail, and waits to be typed."""

    visit: str
    """Hash of the word in the cookie of the browser that asked: the code serves nowhere else."""
    sealed_email: str
    """What was typed as the address; it may be anything, a password too."""
    sign: str
    """Signature of the code, which is told by mail only."""
    tries: int = 0
    expires_at: int


class Organization(Record, frozen=True):
    id: str
    title: str
    created_at: int
    hostname: str | None = None
    default_role: Role | None = None
    """What new members become; None = guests."""
    email_domains: list[str] = []
    default_content: str | None = None
    """Id of the site that the organization's hostname shows."""
    logo: str | None = None
    sso: bool = False
    ai: bool = True
    invite_links: bool = True
    use_case: str | None = None
    community_type: str | None = None
    merge_rules: Json | None = None
    deleted_at: int | None = None
    """Nobody sees it any more; removed when its days are over, unless it is restored."""


class Member(Record, frozen=True):
    organization: str
    user: str
    role: Role | None
    """None = guest."""
    joined_at: int
    last_seen_at: int | None = None
    disabled: bool = False
    sso: bool = False
    """Comes in by the organization's single sign-on."""


class Team(Record, frozen=True):
    id: str
    organization: str
    title: str
    created_at: int


class TeamMember(Record, frozen=True):
    """Somebody's place in a team."""

    organization: str
    team: str
    user: str
    role: Literal["owner", "member"] = "member"
    """Owners say who is in the team."""
