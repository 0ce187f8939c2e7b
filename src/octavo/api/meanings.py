"""What fields, permissions and words of paths mean, read from `meanings.toml` and put beside what types say."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

Json = dict[str, Any]

MEANINGS = Path(__file__).with_name("meanings.toml")


class Meanings:
    """The sentences of the file; what was asked for is remembered, so that a test finds those that nothing has.

    Raises LookupError for a field, permission or word that the file does not know.
    """

    def __init__(self) -> None:
        read = tomllib.loads(MEANINGS.read_text())
        self._fields: dict[str, str] = read["fields"]
        self._shapes: dict[str, dict[str, str]] = read["shapes"]
        self._permissions: dict[str, str] = read["permissions"]
        self._words: dict[str, str] = read["words"]
        self._common = frozenset(read["common"]["sentences"])
        self._used: set[str] = set()

    def describe(self, components: Json) -> None:
        """Give every property of the components its sentence, where its type has none."""
        for shape, schema in components.items():
            for name, part in schema.get("properties", {}).items():
                part["description"] = self._said(shape, name, part.get("description", ""))
                if name == "permissions":
                    self._permit(part)

    def _said(self, shape: str, name: str, type_says: str) -> str:
        """What a field means; what all fields of its type have in common comes behind that."""
        if type_says and type_says not in self._common:
            return type_says
        own = self.field(shape, name)
        return f"{own}. {type_says}" if type_says else own

    def field(self, shape: str, name: str) -> str:
        """What the field of a shape means."""
        own = self._shapes.get(shape, {})
        for where, key, said in (
            (f"shapes.{shape}", name, own.get(name)),
            (f"shapes.{shape}", "*", own.get("*")),
            ("fields", name, self._fields.get(name)),
        ):
            if said is not None:
                self._used.add(f"{where}.{key}")
                return said.replace("{name}", name)
        raise LookupError(f"{MEANINGS.name} does not say what {name} of {shape} means")

    def word(self, name: str) -> str:
        """What a word of a path stands for."""
        if name not in self._words:
            raise LookupError(f"{MEANINGS.name} does not say what the word {name} of paths stands for")
        self._used.add(f"words.{name}")
        return self._words[name]

    def unused(self) -> list[str]:
        """The sentences that nothing asked for."""
        known = {f"fields.{name}" for name in self._fields}
        known |= {f"shapes.{shape}.{name}" for shape, own in self._shapes.items() for name in own}
        known |= {f"permissions.{name}" for name in self._permissions} | {f"words.{name}" for name in self._words}
        return sorted(known - self._used)

    def _permit(self, part: Json) -> None:
        for word, schema in part.get("properties", {}).items():
            if word not in self._permissions:
                raise LookupError(f"{MEANINGS.name} does not say what the permission {word} allows")
            self._used.add(f"permissions.{word}")
            schema["description"] = f"Whether the caller may {self._permissions[word]}"
