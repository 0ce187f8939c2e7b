"""Stored customizations as they are, whatever is missing or wrong in them: each sound value counts, the rest is default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec

from octavo.kernel.records import Json
from octavo.wire.sites import customization
from octavo.wire.sites.customization import DEFAULT, Customization


def read(stored: Json | None) -> Customization:
    """The customization of a site. A value for one theme only holds for both; a link with an unsound condition is gone."""
    if not stored:
        return DEFAULT
    made: Customization = _tolerant(_for_both(stored), Customization)
    return made


def of_place(site: Json | None, own: Json | None) -> Json:
    """What is stored for a site-space: its site's, and on top of it what it has otherwise."""
    stored = customization.merged(site or {}, own or {})
    switch = stored.get("advancedCustomization")
    if isinstance(switch, dict) and switch.get("enabled") is False:
        return _without_advanced(stored)
    return stored


def _without_advanced(stored: Json) -> Json:
    made = dict(stored)
    for group, names in customization.ADVANCED.items():
        given = made.get(group)
        if isinstance(given, dict):
            made[group] = {name: value for name, value in given.items() if name not in names}
    return made


def pictures(stored: Json | None, *way: str) -> tuple[Any, Any] | None:
    """What is stored for the light and the dark theme at `header`, `logo`, say: addresses or content references."""
    found: Any = _for_both(stored or {})
    for name in way:
        found = found.get(name) if isinstance(found, dict) else None
    return (found.get("light"), found.get("dark")) if isinstance(found, dict) else None


def references(stored: Any) -> Iterator[Json]:
    """Every content reference in a customization."""
    if isinstance(stored, dict):
        if isinstance(stored.get("kind"), str):
            yield stored
        else:
            for value in stored.values():
                yield from references(value)
    elif isinstance(stored, list):
        for value in stored:
            yield from references(value)


def _for_both(value: Any) -> Any:
    if isinstance(value, list):
        return [_for_both(item) for item in value]
    if not isinstance(value, dict):
        return value
    made = {name: _for_both(item) for name, item in value.items() if item is not None}
    for one, other in (("light", "dark"), ("dark", "light")):
        if made.get(one) and not made.get(other):
            made[other] = made[one]
    return made


def _tolerant(value: Any, shape: Any) -> Any:
    """The value as `shape`, without the parts that do not fit; msgspec.ValidationError where nothing is left of it."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError:
        for one in (shape, *get_args(shape)):
            if isinstance(value, dict) and isinstance(one, type) and issubclass(one, msgspec.Struct):
                return msgspec.convert(dict(_fitting(value, one)), one)
            if isinstance(value, list) and get_origin(one) is list:
                return [*_items(value, get_args(one)[0])]
        raise


def _fitting(value: Json, shape: type[msgspec.Struct]) -> Iterator[tuple[str, Any]]:
    for field in msgspec.structs.fields(shape):
        if field.encode_name in value:
            try:
                kept = _tolerant(value[field.encode_name], field.type)
            except msgspec.ValidationError:
                # What is to be shown under a condition that cannot be read is not to be shown at all.
                if field.name == "condition":
                    raise
                continue
            yield field.encode_name, msgspec.to_builtins(kept)


def _items(value: list[Any], shape: Any) -> Iterator[Any]:
    for item in value:
        try:
            yield _tolerant(item, shape)
        except msgspec.ValidationError:
            continue
