"""What a role allows with one's own comments and with others'."""

from __future__ import annotations

import pytest

from octavo.access.review.comments import comment_permissions
from octavo.kernel.records import ROLES, Role


@pytest.mark.parametrize("role", [None, *ROLES])
@pytest.mark.parametrize("mine", [True, False])
def test_permissions(role: Role | None, mine: bool) -> None:
    speaks = role not in (None, "read")
    changes = role == "admin" or (speaks and mine)
    assert comment_permissions(role, mine) == {
        "view": role is not None,
        "edit": changes,
        "reply": speaks,
        "delete": changes,
    }
