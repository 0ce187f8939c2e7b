"""A text somebody sent as an API description, read as JSON or YAML into a document of OpenAPI 3."""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec

from octavo.content.openapi.upgrade import upgraded

Format = Literal["json", "yaml"]
Json = dict[str, Any]

DEEPEST = 200
"""Lists and mappings in one another."""
LARGEST = 2_000_000
"""Values in a document; what names itself many times in YAML grows beyond it."""
_PARTS = ("paths", "webhooks", "components")


class Unreadable(ValueError):
    """Why a text is no API description: a sentence."""


def read(data: bytes) -> tuple[Json, Format]:
    """The document in today's format. Raises Unreadable."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"The text is not UTF-8: byte {error.start + 1} is no part of a character.") from None
    value, kind = _parsed(text)
    document = _Plain().of(value)
    if not isinstance(document, dict):
        raise Unreadable(f"The {kind.upper()} holds no object but {_word(value)}, which is no API description.")
    return _described(document), kind


def _parsed(text: str) -> tuple[Any, Format]:
    if text.lstrip()[:1] in ("{", "["):
        try:
            return msgspec.json.decode(text), "json"
        except (msgspec.DecodeError, RecursionError) as error:
            # YAML has braces too; where it cannot be read either, the mistake in the JSON is what helps.
            return _yaml(text, f"The text is not valid JSON: {error}."), "yaml"
    return _yaml(text), "yaml"


def _yaml(text: str, otherwise: str = "") -> Any:
    from ryaml import InvalidYamlError, loads  # type: ignore[attr-defined]

    try:
        return loads(text)
    except InvalidYamlError as error:
        raise Unreadable(otherwise or f"The text is not valid YAML: {str(error).splitlines()[0]}.") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable(otherwise or f"The YAML cannot be read: {error}.") from None


class _Plain:
    """Makes values of YAML such as JSON has; its keys may be numbers, as those of `responses` often are."""

    def __init__(self) -> None:
        self._met = 0

    def of(self, value: Any, depth: int = 0) -> Any:
        """Raises Unreadable for what is too deep or too much."""
        self._met += 1
        if self._met > LARGEST:
            raise Unreadable(f"The document holds more than {LARGEST:,} values.")
        if depth > DEEPEST:
            raise Unreadable(f"The document is nested more than {DEEPEST} deep.")
        if isinstance(value, dict):
            return {key if type(key) is str else _key(key): self.of(held, depth + 1) for key, held in value.items()}
        if isinstance(value, list):
            return [self.of(held, depth + 1) for held in value]
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        return value if value is None or isinstance(value, str | int | float) else str(value)


def _key(key: Any) -> str:
    return "null" if key is None else str(key).lower() if isinstance(key, bool) else str(key)


def _described(document: Json) -> Json:
    """Raises Unreadable for what does not say that it is an API description."""
    named = document.get("swagger", document.get("openapi"))
    if named is None:
        raise Unreadable("Neither `openapi` nor `swagger` says which version this is of: it is no API description.")
    version = str(named)
    if "swagger" in document:
        if not version.startswith("2"):
            raise Unreadable(f"`swagger` is {version[:20]!r}: 2.0 is the one that can be read.")
        document = upgraded(document)
    elif not version.startswith(("3.0", "3.1", "3.2")):
        raise Unreadable(f"`openapi` is {version[:20]!r}: 3.0, 3.1 and 3.2 are those that can be read.")
    for name in _PARTS:
        if document.get(name) is not None and not isinstance(document[name], dict):
            raise Unreadable(f"`{name}` is {_word(document[name])}: it has to be an object.")
    if not any(isinstance(document.get(name), dict) for name in _PARTS):
        raise Unreadable("It has no `paths`, `webhooks` or `components`: it describes nothing.")
    return document


def _word(value: Any) -> str:
    names = {
        list: "a list",
        str: "a text",
        bool: "yes or no",
        int: "a number",
        float: "a number",
        type(None): "nothing",
    }
    return names.get(type(value), "an object")
