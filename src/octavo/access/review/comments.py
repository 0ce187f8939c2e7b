"""Who may do what with a comment or a reply: everybody who may comment answers, its author and admins change it."""

from __future__ import annotations

from functools import lru_cache

from octavo.access.policy import allows
from octavo.kernel.records import Role


@lru_cache(maxsize=64)
def comment_permissions(role: Role | None, mine: bool) -> dict[str, bool]:
    """The `permissions` object of a comment or reply for somebody with that role on its space, who posted it or not.

    Replying and reacting take `reply`; another body, resolving and opening again take `edit`.
    """
    speaks = allows("space", "comment", role)
    changes = speaks and (mine or allows("space", "admin", role))
    return {"view": allows("space", "view", role), "edit": changes, "reply": speaks, "delete": changes}
