"""Users, as they are embedded everywhere and as the caller sees herself."""

from __future__ import annotations

from msgspec import UNSET, field

from octavo.kernel import limits
from octavo.kernel.records import people as records
from octavo.wire.fields import Body, Located, Maybe, Shape, UserName, WebUrl, maybe, trimmed
from octavo.wire.view import View


class User(Shape, tag_field="object", tag="user", frozen=True):
    id: str
    display_name: str
    email: str
    urls: Located
    photo_url: Maybe[str] = field(name="photoURL", default=UNSET)


class UpdateUser(Body, frozen=True):
    display_name: Maybe[UserName] = UNSET
    photo_url: Maybe[WebUrl | None] = field(name="photoURL", default=UNSET)

    def __post_init__(self) -> None:
        trimmed(self, "display_name", 1, limits.USER_NAME_MAX)


def present(user: records.User, view: View) -> User:
    """The user, whoever asks."""
    return User(user.id, user.name, user.email, Located(view.location("users", user.id)), maybe(user.photo_url))
