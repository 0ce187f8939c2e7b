"""Users and groups as SCIM sees them here: what is kept of RFC 7643, and what the service says of itself.

The protocol is that of scim2-server, whose models are Pydantic's. They are loaded with the first request for SCIM.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    Context,
    ETag,
    External,
    Filter,
    Mutability,
    Patch,
    Reference,
    Required,
    Resource,
    ResponseParameters,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)
from scim2_server.responses import ScimResponse
from scim2_server.service import ScimService

from octavo.kernel import limits


class Name(ComplexAttribute):
    """The parts of somebody's name."""

    formatted: str | None = None
    family_name: str | None = None
    given_name: str | None = None


class Email(ComplexAttribute):
    """An address; which ones there may be is decided where they are used."""

    value: str | None = None
    type: str | None = None
    primary: bool | None = None


class Membership(ComplexAttribute):
    """A group that somebody is in."""

    value: Annotated[str | None, Mutability.read_only, CaseExact.true] = None
    ref: Annotated[Reference[Group] | None, Mutability.read_only] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    display: Annotated[str | None, Mutability.read_only] = None


class User(Resource[Any]):
    """A member or guest of the organization."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    name: Name | None = None
    display_name: str | None = None
    emails: list[Email] | None = None
    active: bool | None = None
    groups: Annotated[list[Membership] | None, Mutability.read_only] = None


class Member(ComplexAttribute):
    """Somebody who is in a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    ref: Annotated[Reference[User] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )


class Group(Resource[Any]):
    """A team that the identity provider keeps."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    members: list[Member] | None = None


POLICY = ScimPolicy(
    # Providers send whatever they know of somebody, whatever the schemas say.
    unknown=ScimPolicy.Unknown.ignore,
    # Microsoft Entra names who leaves a group in the value, and sets addresses of a type that is not there yet.
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)


def _config() -> ServiceProviderConfig:
    return ServiceProviderConfig(
        documentation_uri=Reference[External]("https://datatracker.ietf.org/doc/html/rfc7644"),
        patch=Patch(supported=True),
        bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
        filter=Filter(supported=True, max_results=limits.SCIM_PAGE_MAX),
        change_password=ChangePassword(supported=False),
        sort=Sort(supported=True),
        etag=ETag(supported=True),
        authentication_schemes=[
            AuthenticationScheme(
                type=AuthenticationScheme.Type.oauthbearertoken,
                name="Token",
                description="A token for SCIM that an admin of the organization made",
                primary=True,
            )
        ],
    )


def provider() -> ScimProvider:
    """What is served."""
    return ScimProvider([User, Group], config=_config(), policy=POLICY)


class Service(ScimService):
    """The protocol, which answers a change of a user with the user: some providers read it."""

    def patch_response(
        self, base_url: str, resource: Resource[Any], response_parameters: ResponseParameters[Any]
    ) -> ScimResponse:
        """Groups may be long, and are not sent back."""
        if isinstance(resource, Group):
            return super().patch_response(base_url, resource, response_parameters)
        context = Context.RESOURCE_PATCH_RESPONSE
        return self.resource_response(self.publish(base_url, resource), context, response_parameters)
