"""Comments that somebody wrote to harm: reading many of them as documents holds up nobody else."""

from __future__ import annotations

from tests.client import World
from tests.resources.talking import on_primary
from tests.watching import watched

HELD = 0.1
"""Seconds that one step may hold the event loop."""


def test_documents_of_comments_are_read_beside_the_event_loop(world: World) -> None:
    talk = on_primary(world)
    talk.say("first")
    talk.get(talk.path + "?format=document")  # what is imported with the first one
    for part in ("![", "[", "- a\n", "[a](b) ", "*a", "> - "):
        with watched() as held:
            made = talk.say((part * 20_000)[:20_000])
        assert held.longest < HELD, part
    with watched() as held:
        shown = talk.get(talk.path + "?format=document")["items"]
        one = talk.shown(made, "?format=document")
    assert held.longest < HELD
    assert len(shown) == 7
    assert all("document" in comment["body"] for comment in [*shown, one])
