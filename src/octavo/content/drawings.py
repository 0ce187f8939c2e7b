"""SVG drawings of people: what in them would act, which no picture has to."""

from __future__ import annotations

from xml.parsers import expat

_ACTING = frozenset(("script", "foreignObject", "iframe", "object", "embed", "handler", "listener"))
_INLINE = ("data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp")


class _Found(Exception):
    """Why a drawing is not taken, as a sentence."""


def acting(data: bytes) -> str | None:
    """What a drawing does besides being shown, in a sentence; None where it is only shown. What is no XML is told, too."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = _element
    parser.EntityDeclHandler = _entity
    parser.ProcessingInstructionHandler = _instruction
    try:
        parser.Parse(data, True)
    except _Found as found:
        return str(found)
    except expat.ExpatError:
        return "the drawing is not well-formed XML"
    return None


def _element(name: str, attributes: dict[str, str]) -> None:
    own = name.rpartition(":")[2]
    if own in _ACTING:
        raise _Found(f"the drawing has the element {own}, and drawings that act are not taken")
    for said, value in attributes.items():
        word = said.rpartition(":")[2].lower()
        if word.startswith("on"):
            raise _Found(f"the drawing has the attribute {said}, and drawings that act are not taken")
        if word in ("href", "src") and own != "a" and not value.strip().startswith(("#", *_INLINE)):
            raise _Found(f"the drawing fetches {value.strip()[:60]!r}; it has to hold all that it shows")
        if word in ("href", "src", "to", "values", "from") and "javascript:" in "".join(value.split()).lower():
            raise _Found("the drawing has an address that runs, and drawings that act are not taken")


def _entity(name: str, *_: object) -> None:
    raise _Found(f"the drawing declares the entity {name}; save it without declarations")


def _instruction(target: str, _: str) -> None:
    raise _Found(f"the drawing has the instruction {target}; save it without instructions")
