"""Notifications of the caller: a list, what was read of it, and what she wants to be told of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from octavo.access.locate import SeenNotification
from octavo.kernel.errors import BadRequest
from octavo.kernel.operation import ANYBODY, UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.notifications import NOTIFICATION_KINDS, NotificationKind, NotificationPreference
from octavo.resources.call import Call, Slice
from octavo.resources.places import Place
from octavo.site.notices import preferences, seen_spaces, show
from octavo.wire.lists import Next
from octavo.wire.people import notifications
from octavo.wire.people.notifications import ChangeNotificationPreferences, NotificationsQuery, NotificationView
from octavo.wire.view import View


class AtNotification(Place, frozen=True):
    notification: SeenNotification


@dataclass(frozen=True)
class Told:
    """A page of the list, and how many are unread on all pages."""

    page: Slice[NotificationView]
    unread: int


@dataclass(frozen=True)
class Preferences:
    """What holds for every kind, chosen or not, and the language of letters."""

    kinds: Mapping[NotificationKind, NotificationPreference]
    language: str | None


async def list_all(call: Call, at: Nothing, query: NotificationsQuery) -> Told:
    """The newest first; what the caller may not see any more is neither listed nor counted."""
    me, spaces = call.caller.user.id, await seen_spaces(call.unit, call.caller)
    told, total = await call.unit.notifications.page(
        me, spaces, query.status, call.newest_behind(query), query.limit + 1
    )
    page = call.listing(told, total, query, lambda one: (one.created_at, one.id))
    shown = Slice(await show(call.unit, page.items, spaces), page.count, page.next)
    return Told(shown, total if query.status == "unread" else await call.unit.notifications.unread(me, spaces))


async def read(call: Call, at: AtNotification, takes: Nothing) -> NotificationView:
    """One that was read stays as it is."""
    told = at.notification.record
    if told.read_at is None:
        told = await call.unit.notifications.mark(told, call.now)
    return (await show(call.unit, [told], {told.space: at.notification.space}))[0]


async def unread(call: Call, at: AtNotification, takes: Nothing) -> NotificationView:
    """As if it were new; no letter is sent again."""
    told = await call.unit.notifications.mark(at.notification.record, None)
    return (await show(call.unit, [told], {told.space: at.notification.space}))[0]


async def read_all(call: Call, at: Nothing, takes: Nothing) -> None:
    """All that the caller may see."""
    spaces = await seen_spaces(call.unit, call.caller)
    await call.unit.notifications.mark_all(call.caller.user.id, spaces, call.now)


async def get_preferences(call: Call, at: Nothing, takes: Nothing) -> Preferences:
    """What holds for every kind, chosen or not."""
    found = await preferences(call.unit, [call.caller.user.id])
    kinds = {kind: found[call.caller.user.id, kind] for kind in NOTIFICATION_KINDS}
    return Preferences(kinds, call.caller.user.language)


async def change_preferences(call: Call, at: Nothing, body: ChangeNotificationPreferences) -> Preferences:
    """Only what was sent."""
    if body.kinds is UNSET and body.language is UNSET:
        raise BadRequest("kinds: say how you want to be told of some kind, or give a language")
    held = await get_preferences(call, at, Nothing())
    changed, language = {}, held.language
    for kind, given in ({} if body.kinds is UNSET else body.kinds).items():
        sent = {"list": given.list, "email": given.email}
        changed[kind] = replace(held.kinds[kind], **{name: value for name, value in sent.items() if value is not UNSET})
    await call.unit.notifications.prefer(list(changed.values()))
    if body.language is not UNSET:
        language = body.language
        await call.unit.people.change_user(call.caller.user, language=language)
    return Preferences({**held.kinds, **changed}, language)


def _present_preferences(chosen: Preferences, view: View) -> notifications.NotificationPreferences:
    return notifications.present_preferences(chosen.kinds, chosen.language)


def _present_page(told: Told, view: View) -> notifications.Notifications:
    page = told.page
    return notifications.Notifications(
        [notifications.present(one, view) for one in page.items],
        page.count or 0,
        told.unread,
        UNSET if page.next is None else Next(page.next),
    )


_ALL = "/user/notifications"
_ONE = _ALL + "/{notification}"
_PREFERENCES = "/user/notification-preferences"


OPERATIONS = (
    reads("listNotifications", _ALL, list_all, _present_page,
          needs=ANYBODY, scope="space:read", tag="notifications", summary="List the caller's notifications"),
    writes("POST", "markNotificationsAsRead", _ALL + "/read", read_all, nothing,
           needs=ANYBODY, scope=UNLIMITED, audit=None, tag="notifications", summary="Mark all notifications as read"),
    writes("POST", "markNotificationAsRead", _ONE + "/read", read, notifications.present,
           needs=ANYBODY, scope=UNLIMITED, audit=None, tag="notifications", also="whose notification it is",
           summary="Mark a notification as read"),
    writes("POST", "markNotificationAsUnread", _ONE + "/unread", unread, notifications.present,
           needs=ANYBODY, scope=UNLIMITED, audit=None, tag="notifications", also="whose notification it is",
           summary="Mark a notification as unread"),
    reads("getNotificationPreferences", _PREFERENCES, get_preferences, _present_preferences,
          needs=ANYBODY, scope="user:read", tag="notifications", summary="Get what the caller wants to be told of"),
    writes("PATCH", "updateNotificationPreferences", _PREFERENCES, change_preferences,
           _present_preferences,
           needs=ANYBODY, scope=UNLIMITED, audit="user.notification-preferences.update", tag="notifications",
           summary="Change what the caller wants to be told of"),
)  # fmt: skip
