"""Field types: the numbers of `kernel.limits` and the enumerations of the API as annotated types, and struct bases."""

from __future__ import annotations

import functools
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import force_setattr

from octavo.kernel import limits, names, records
from octavo.kernel.clock import within

T = TypeVar("T")

Maybe: TypeAlias = T | UnsetType
"""An optional field: absent, which is not the same as null."""

END = r"$(?!\s)"
"""The end of a pattern: Python's `$` alone would let a line break follow."""

PATTERNS: dict[str, str] = {}
"""Pattern -> what it allows, in words."""

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_SEGMENT = rf"[^/?#\s{names.LEFT_OUT}]+"
_SEGMENT_WORDS = "one segment of a path, without / ? # and white space"
_WORD = rf"[^\s@<>{names.LEFT_OUT}]+"


class Shape(msgspec.Struct, rename="camel", frozen=True):
    """The base of what is served; made once, never changed."""


class Body(msgspec.Struct, frozen=True, rename="camel"):
    """The base of what is taken from a body: unknown fields are ignored, absent ones are UNSET."""


class Query(msgspec.Struct, frozen=True, rename="camel"):
    """The base of what is taken from a query; its values arrive as text (`msgspec.convert(…, strict=False)`)."""


def maybe(value: T | None) -> T | UnsetType:
    """A record's None as the absence of the field."""
    return UNSET if value is None else value


@functools.lru_cache(maxsize=1024)
def code_points(emoji: str) -> str:
    """An emoji as it is answered: its code points in lower-case hex, joined by `-`; plain words stay what they are."""
    return emoji.lower() if emoji.isascii() else "-".join(f"{ord(character):x}" for character in emoji)


def milliseconds(at: datetime) -> int:
    """Milliseconds since 1970 of a point in time with an offset, within the years 1 to 9999 of UTC."""
    return within(round(at.timestamp() * 1000))


def trimmed(body: msgspec.Struct, name: str, least: int, most: int) -> None:
    """Replace the text in `body.name`, if there is one, by itself without white space around it.

    For `__post_init__`: limits count the characters that stay, so the type of such a field only documents them.
    Raises ValueError, which decoding turns into a ValidationError, when fewer than `least` or more than `most` stay, and
    for a character that no name may hold.
    """
    given = getattr(body, name)
    if not isinstance(given, str):
        return
    text = given.strip()
    wrong = names.fault(text)
    if wrong is None and not least <= len(text) <= most:
        wrong = f"Expected `str` of length {f'>= {least}' if len(text) < least else f'<= {most}'}"
    if wrong is not None:
        field = body.__struct_encode_fields__[body.__struct_fields__.index(name)]
        raise ValueError(f"{wrong} - at `$.{field}`")
    force_setattr(body, name, text)


def permissions(*words: str) -> Meta:
    """The description of a `permissions` object with exactly these words."""
    return Meta(
        description="What the caller may do with the resource",
        extra_json_schema={"properties": {word: {"type": "boolean"} for word in words}, "required": list(words)},
    )


def matching(pattern: str, words: str, **more: Any) -> Meta:
    """A text that matches a pattern, which `words` tell in the sentence for one that does not."""
    PATTERNS[pattern + END] = words
    return Meta(pattern=pattern + END, **more)


def line(most: int, **more: Any) -> Meta:
    """A text of one line that shows what it is, of as many characters at most; kept as it was sent."""
    return matching(f"^[^{names.LEFT_OUT}]*", "one line without control characters", max_length=most, **more)


def _title(least: int, most: int) -> Meta:
    schema = {"maxLength": most} | ({"minLength": least} if least else {})
    return Meta(description="White space around it is dropped, then characters are counted", extra_json_schema=schema)


Id = Annotated[str, matching("^[a-zA-Z0-9_-]+", "an id: letters, digits, - and _", max_length=256)]
Url2048 = Annotated[str, Meta(min_length=1, max_length=limits.URL_MAX, extra_json_schema={"format": "uri"})]
WebUrl = Annotated[
    str,
    matching(
        r"^[hH][tT][tT][pP][sS]?://\S+",
        "an address that begins with http:// or https://",
        max_length=limits.URL_MAX,
        extra_json_schema={"format": "uri"},
    ),
]
"""An address that browsers are sent to: http or https only."""
DateTime = Annotated[str, Meta(description="ISO 8601, UTC", extra_json_schema={"format": "date-time"})]
Instant = Annotated[datetime, Meta(tz=True, description="ISO 8601 with an offset")]

CollectionTitle = Annotated[str, _title(0, limits.COLLECTION_TITLE_MAX)]
CollectionDescription = Annotated[str, line(limits.COLLECTION_DESCRIPTION_MAX)]
SpaceTitle = Annotated[str, _title(0, limits.SPACE_TITLE_MAX)]
Emoji = Annotated[
    str,
    line(
        limits.SPACE_EMOJI_MAX,
        min_length=1,
        description="The characters of an emoji, its short name, or its code points joined by `-`",
    ),
]
ShownEmoji = Annotated[str, Meta(description="Code points in lower-case hex, joined by `-`")]
SiteTitle = Annotated[str, _title(limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)]
"""Of sites and sections."""
GroupTitle = Annotated[str, _title(1, limits.SECTION_GROUP_TITLE_MAX)]
ChangeRequestSubject = Annotated[str, _title(0, limits.CHANGE_REQUEST_SUBJECT_MAX)]
SamlLabel = Annotated[str, _title(1, limits.SAML_LABEL_MAX)]
TeamTitle = Annotated[str, _title(1, limits.TEAM_TITLE_MAX)]
TranslationTitle = Annotated[str, _title(1, limits.TRANSLATION_TITLE_MAX)]
OrganizationTitle = Annotated[str, _title(limits.ORGANIZATION_TITLE_MIN, limits.ORGANIZATION_TITLE_MAX)]
TokenLabel = Annotated[str, _title(0, limits.TOKEN_LABEL_MAX)]
UserName = Annotated[str, _title(1, limits.USER_NAME_MAX)]
SectionDescription = Annotated[str, line(limits.SECTION_DESCRIPTION_MAX)]
IconName = Annotated[str, line(limits.ICON_NAME_MAX)]
Condition = Annotated[
    str,
    Meta(max_length=limits.CONDITION_MAX, description="An expression over the visitor's claims; nothing removes it"),
]
SitePath = Annotated[
    str,
    matching(
        "^" + _SEGMENT, _SEGMENT_WORDS, min_length=1, max_length=limits.SITE_PATH_MAX, description="One path segment"
    ),
]
"""Of sections and site-spaces."""
Basename = Annotated[str, matching("^" + _SEGMENT, _SEGMENT_WORDS, min_length=1, max_length=limits.SITE_BASENAME_MAX)]
SiteHostname = Annotated[
    str,
    matching(
        rf"^(?:{_LABEL}\.){{2,}}{_LABEL}",
        "a hostname of at least three labels of lower-case letters, digits and hyphens, as in docs.acme.com",
        max_length=limits.SITE_HOSTNAME_MAX,
        description="At least three dot-separated labels of lower-case letters, digits and hyphens",
    ),
]
SiteProxy = Annotated[
    str,
    matching(
        rf"^(?:{_LABEL}\.)*{_LABEL}(?:/{_SEGMENT})+",
        "a hostname followed by one or more path segments, as in acme.com/docs",
        max_length=limits.SITE_PROXY_MAX,
        description="A hostname followed by one or more path segments: acme.com/docs",
    ),
]
OrganizationHostname = Annotated[
    str,
    matching(
        "^[a-z0-9][a-z0-9-]*[a-z0-9]",
        "lower-case letters, digits and hyphens, no hyphen first or last",
        min_length=limits.ORGANIZATION_HOSTNAME_MIN,
        max_length=limits.ORGANIZATION_HOSTNAME_MAX,
    ),
]
SearchWords = Annotated[str, Meta(max_length=limits.SEARCH_QUERY_MAX)]
EmailAddress = Annotated[
    str, matching(f"^{_WORD}@{_WORD}", "an e-mail address, as in ada@example.org", max_length=limits.EMAIL_MAX)
]
EmailDomain = Annotated[
    str,
    matching(
        rf"^[^@\s/{names.LEFT_OUT}]+",
        "the domain of e-mail addresses, as in example.org",
        min_length=1,
        max_length=limits.EMAIL_DOMAIN_MAX,
    ),
]

Level = records.Level
Role = records.Role
Visibility = Literal["public", "unlisted", "share-link", "visitor-auth"]
"""Of sites."""
SpaceVisibility = Literal["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"]
EditMode = Literal["live", "locked"]
Language = Literal[
    "en", "fr", "de", "es", "it", "pt", "pt-br", "ru", "ja", "zh", "zh-tw", "yue", "ko", "ar", "hi", "nl", "pl", "tr",
    "sv", "no", "da", "fi", "el", "cs", "hu", "ro", "th", "vi", "id", "ms", "he", "uk", "sk", "bg", "hr", "lt", "lv",
    "et", "sl",
]  # fmt: skip

Json = dict[str, Any]
Ref = Annotated[Json, Meta(description="A content reference: `kind` and what that kind names")]


LocalizedTitle = dict[Language, Annotated[str, line(limits.SITE_TITLE_MAX, min_length=1)]]
"""Language -> the title in it."""
LocalizedDescription = dict[Language, Annotated[str, line(limits.SECTION_DESCRIPTION_MAX)]]


class Located(Shape, frozen=True):
    """Addresses of a resource that only the API has."""

    location: str


class ShareKeyQuery(Query, frozen=True):
    """The key of a share link, by which published addresses are resolved."""

    share_key: Maybe[str] = UNSET
