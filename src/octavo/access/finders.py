"""All finders by what they make: one line for each file of them."""

from __future__ import annotations

from octavo.access import (
    locate,
    locate_git,
    locate_imports,
    locate_integrations,
    locate_openapi,
    locate_sites,
    locate_translations,
)
from octavo.access.locate import Finder

FINDERS: dict[type, Finder] = {
    **locate.FINDERS,
    **locate_git.FINDERS,
    **locate_imports.FINDERS,
    **locate_openapi.FINDERS,
    **locate_sites.FINDERS,
    **locate_translations.FINDERS,
    **locate_integrations.FINDERS,
}
"""Type of a field of `at` -> how its word is found."""
