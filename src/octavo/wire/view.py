"""The address book that presenters write addresses from; it decides nothing and asks nobody."""

from __future__ import annotations

import msgspec


class View(msgspec.Struct, frozen=True):
    """Where this installation answers; both addresses without a trailing slash."""

    api: str
    """Address that `/v1` hangs below."""
    app: str
    """Address that the pages for people hang below: the application, and those of the console."""

    def location(self, *words: str) -> str:
        """The address of a resource in the API: `location("spaces", id)`."""
        return f"{self.api}/v1/{'/'.join(words)}"

    def organization(self, organization: str) -> str:
        """The organization's page in the application."""
        return f"{self.app}/app/o/{organization}"

    def invite(self, organization: str, word: str) -> str:
        """The page where somebody joins the organization, by a link or an invitation of her address."""
        return f"{self.app}/invites/{organization}/{word}"

    def notifications(self) -> str:
        """The page where whoever is signed in chooses what she is told of."""
        return f"{self.app}/account/notifications"

    def collection(self, organization: str, collection: str) -> str:
        """The collection's page in the application."""
        return f"{self.organization(organization)}/c/{collection}"

    def space(self, organization: str, space: str) -> str:
        """The space's page in the application; a page of it is one segment more, its id."""
        return f"{self.organization(organization)}/s/{space}"

    def change_request(self, organization: str, space: str, number: int) -> str:
        """The change request's page in the application; a page of its content is one segment more, its id."""
        return f"{self.space(organization, space)}/~/changes/{number}"

    def revision(self, organization: str, space: str, revision: str) -> str:
        """The page of one revision of the space in the application."""
        return f"{self.space(organization, space)}/~/revisions/{revision}"

    def openapi(self, organization: str, slug: str) -> str:
        """The page of an OpenAPI specification in the application."""
        return f"{self.organization(organization)}/openapi/{slug}"

    def site(self, organization: str, site: str) -> str:
        """The site's page in the application."""
        return f"{self.organization(organization)}/sites/{site}"

    def integration(self, organization: str, name: str) -> str:
        """The integration's page in the application, below the organization that owns it."""
        return f"{self.organization(organization)}/integrations/{name}"
