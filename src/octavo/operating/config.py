"""What is set, and from where: every setting with its value; secrets are hidden."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from octavo.kernel.settings import SECRETS, Settings, load, sources

HIDDEN = "(hidden)"
_PASSWORD = re.compile(r"(://[^:@/]*:)[^@]*(@)")


def configuration(data: Path | None, environ: Mapping[str, str] = os.environ) -> list[dict[str, Any]]:
    """[{name, value, from}] of every setting; `from` is `default`, a variable, a file or `option`. Raises SettingsError."""
    settings, given = load(environ, data=data), sources(environ, data=data)
    told = []
    for field in msgspec.structs.fields(Settings):
        found = given.get(field.name)
        told.append(
            {
                "name": f"OCTAVO_{field.name.upper()}",
                "value": shown(field.name, getattr(settings, field.name)),
                "from": "default" if found is None else found.source,
            }
        )
    return told


def shown(name: str, value: Any) -> Any:
    """A value as anybody may read it.

    >>> shown("secret", "x" * 40), shown("database_url", "postgresql://octavo:word@db/octavo")
    ('(hidden)', 'postgresql://octavo:(hidden)@db/octavo')
    """
    if value is None or not isinstance(value, str | Path | list):
        return value
    if name in SECRETS:
        return HIDDEN
    if isinstance(value, list):
        return [shown(name, word) for word in value]
    return _PASSWORD.sub(rf"\1{HIDDEN}\2", str(value))
