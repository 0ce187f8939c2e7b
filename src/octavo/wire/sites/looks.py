"""Looks as clients read them: complete, with the fonts that they name."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records import Json
from octavo.kernel.records import sites as records
from octavo.wire.sites import customization, fonts
from octavo.wire.sites.customization import Customization, ServedCustomization
from octavo.wire.sites.customization_values import FontDefinition
from octavo.wire.view import View


class LookView(msgspec.Struct, frozen=True):
    site: Json | None
    """What is set on the site."""
    own: Json | None = None
    """What is set on the site-space, on top of it."""
    fonts: Mapping[str, records.Font] = {}
    changed_at: int | None = None
    agents: bool = True
    masked: bool = True


def present_look(shown: LookView, view: View) -> ServedCustomization:
    """The look as the API serves it."""
    look = customization.present(shown.own, customization.present(shown.site))
    look = customization.served(with_fonts(look, shown.fonts, view), shown.agents)
    if shown.masked:
        look = customization.unadvanced(look)
    values = {name: getattr(look, name) for name in Customization.__struct_fields__}
    return ServedCustomization(**values, updated_at=UNSET if shown.changed_at is None else iso(shown.changed_at))


def with_fonts(look: Customization, known: Mapping[str, records.Font], view: View) -> Customization:
    """The same with the faces of its fonts; one that is gone is the usual one."""
    usual = customization.DEFAULT.styling
    changed: dict[str, object] = {}
    for name in ("font", "heading_font", "monospace_font"):
        font = getattr(look.styling, name)
        if isinstance(font, FontDefinition):
            record = known.get(font.id)
            changed[name] = getattr(usual, name) if record is None else fonts.definition(record, view)
    if not changed:
        return look
    return msgspec.structs.replace(look, styling=msgspec.structs.replace(look.styling, **changed))
