"""Looking at a site ahead of visitors: what a signed address shows, and what of a change request is marked there."""

from __future__ import annotations

from typing import Literal

import msgspec

from octavo.kernel.records.content import Revision

Mark = Literal["added", "changed", "moved"]


class Draft(msgspec.Struct, frozen=True):
    """A change request that stands in the place of the primary content of its space."""

    space: str
    number: int
    subject: str
    before: Revision
    """The newest primary content that it holds: what it is compared with."""
