"""The manifest of the export of an organization: shapes of what `octavo.json` says, and their reading."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from octavo.kernel.errors import BadRequest
from octavo.kernel.records import Json, Level

NAME = "octavo.json"
"""At the top of the export of an organization: what its folders are."""
FORMAT = 3
"""2 had no people, and its secrets among everything else."""
FONTS = "fonts"
"""The folder of the files of fonts, by their digest."""
Visibility = Literal["public", "unlisted", "share-link", "visitor-auth"]


class KeptCollection(msgspec.Struct, omit_defaults=True):
    """A collection, in its order."""

    id: str
    title: str
    parent: str | None = None
    description: str | None = None
    default_level: Level | None = "inherit"


class KeptSpace(msgspec.Struct, omit_defaults=True):
    """A space and the folder of its content."""

    id: str
    title: str
    directory: str
    emoji: str
    parent: str | None = None
    icon: str | None = None
    language: str | None = None
    edit_mode: Literal["live", "locked"] = "locked"
    default_level: Level | None = "inherit"
    merge_rules: Json | None = None
    change_requests: int = 0
    """The number of the last one, decided ones too."""
    ids: dict[str, str] = {}
    """Path of each page, file and reusable content -> its id; of entries without a file what they are known by, which ends
    with a slash."""


class KeptState(msgspec.Struct, omit_defaults=True):
    """Content of a space beside its newest: what a translation was made of, what is proposed. Its folder has the files that
    are not the same in that of the space."""

    directory: str
    space: str
    after: str | None = None
    """The name of the content that it goes on from; see `states`."""
    gone: list[str] = []
    """Files of the space that it has not."""
    ids: dict[str, str] = {}
    """Where they are not those of the space."""


class KeptRedirect(msgspec.Struct, omit_defaults=True):
    """A redirect of a site."""

    source: str
    destination: Json
    page: str | None = None
    """The path of the page that it leads to, in exports of before 2026."""
    capture_wildcard: bool = False
    permanent: bool = False
    draft: bool = False


class KeptSiteSpace(msgspec.Struct, omit_defaults=True):
    """What a `docs.yaml` does not say of a site-space."""

    id: str
    page: str | None = None
    customization: Json | None = None


class KeptShareLink(msgspec.Struct, omit_defaults=True):
    """A share link; its key is among the secrets."""

    name: str
    sealed_key: str | None = None
    """In format 2."""
    active: bool = True


class KeptAuth(msgspec.Struct, omit_defaults=True):
    """How visitors show who they are; the key is among the secrets."""

    backend: Literal["custom", "integration"]
    sealed_key: str | None = None
    integration: str | None = None
    fallback_url: str | None = None
    logout_url: str | None = None


class KeptServer(msgspec.Struct, omit_defaults=True):
    """A server of tools; its headers are among the secrets."""

    name: str
    url: str
    transport: Literal["sse", "http"]
    sealed_headers: str | None = None
    condition: str | None = None


class KeptFace(msgspec.Struct, omit_defaults=True):
    """A file of a font."""

    file: str
    """Its path in the export."""
    told: Json
    """Weight, size, content type."""


class KeptFont(msgspec.Struct, omit_defaults=True):
    """A font of the organization."""

    id: str
    family: str
    faces: list[KeptFace]


class KeptSite(msgspec.Struct, omit_defaults=True):
    """A site; its structure is the `docs.yaml` in its folder."""

    id: str
    title: str
    directory: str
    basename: str | None = None
    visibility: Visibility = "public"
    published: bool = False
    type: str = "basic"
    adaptive_enabled: bool = False
    adaptive_schema: Json | None = None
    customization: Json | None = None
    redirects: list[KeptRedirect] = []
    agents_context: Literal["included", "excluded"] = "included"
    default_level: Level | None = "inherit"
    proxy: str | None = None
    icon: Json | None = None
    wanted_hostname: str | None = None
    site_spaces: list[KeptSiteSpace] = []
    share_links: list[KeptShareLink] = []
    auth: KeptAuth | None = None
    mcp_servers: list[KeptServer] = []


class Manifest(msgspec.Struct):
    """What an export of an organization holds."""

    format: int
    octavo: str
    title: str
    collections: list[KeptCollection]
    spaces: list[KeptSpace]
    sites: list[KeptSite] = []
    fonts: list[KeptFont] = []
    organization: str | None = None
    """Its id; format 2 did not say it."""
    states: list[KeptState] = []


def digest_of(face: KeptFace) -> str:
    """The digest of the file of a face."""
    return face.file.rpartition("/")[2]


def read_manifest(file: Path) -> Manifest:
    """Raises BadRequest for what is none, or is of an Octavo to come."""
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(f"{NAME}: {error}") from error
    if not 1 <= kept.format <= FORMAT:
        raise BadRequest(f"{NAME}: format {kept.format} is of another version of Octavo, {kept.octavo}")
    return kept
