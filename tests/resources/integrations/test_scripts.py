"""Published scripts run: what they are given and answer, and that one that behaves badly harms nobody."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.packing import packed
from tests.resources.integrations.building import installed, published
from tests.resources.integrations.conftest import Listener

# The protocol of bundles: the event and the environment are parts of a form, which is posted to /v1.
HEARD = """
async function heard(request) {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/v1") throw new Error("not posted to /v1");
  const form = await request.formData();
  const body = form.get("fetch-body");
  return [JSON.parse(form.get("event")), JSON.parse(form.get("environment")), body && await body.text()];
}
"""


def script(body: str) -> str:
    """A module that does this with `event` and `environment`."""
    return HEARD + (
        "export default { async fetch(request, env, ctx) {"
        f" const [event, environment, sent] = await heard(request); {body} }} }};"
    )


def told(world: World, body: str, **said: Any) -> dict[str, Any]:
    """What became of the first event of a script: that it was installed."""
    one = published(world, script=script(body) if "export default" not in body else body, **said)
    installed(world, one)
    return last(world, one)


def last(world: World, one: dict[str, Any]) -> dict[str, Any]:
    """The newest event of an integration, with its log."""
    clock = world.house.store.clock
    assert isinstance(clock, FakeClock)
    clock.advance(1)  # what happens next is newer
    world.work()
    path = f"/v1/integrations/{one['name']}/events"
    newest = world.api.get(f"{path}?limit=1").json["items"][0]
    traced: dict[str, Any] = world.api.get(f"{path}/{newest['id']}").json
    return traced


def _said(traced: dict[str, Any]) -> str:
    return "\n".join(line["message"] for line in traced["trace"]["logs"])


def test_a_script_is_told_events_with_all_it_needs(scripted: World) -> None:
    asked = {"account": {"properties": {"many": {"type": "number", "default": 3}}}}
    traced = told(
        scripted,
        "console.log(event.type, environment.secrets.S, environment.installation.configuration.many);"
        "console.warn({tokens: Object.keys(environment.apiTokens), at: environment.apiEndpoint});"
        "return new Response('OK');",
        secrets={"S": "secret"}, configurations=asked,
    )  # fmt: skip
    assert traced["event"]["status"] == "success"
    [first, second, third] = traced["trace"]["logs"]
    assert (first["level"], first["message"]) == ("info", "installation_setup secret 3")
    said = msgspec.json.decode(second["message"])
    assert (second["level"], said) == (
        "warn", {"tokens": ["integration", "installation"], "at": "http://octavo.test"}
    )  # fmt: skip
    assert third["message"] == "answered 200"


def test_what_a_script_does_not_handle_is_no_failure_and_what_it_refuses_is_one(scripted: World) -> None:
    assert told(scripted, "return new Response('{}', {status: 406});")["event"]["status"] == "success"
    traced = told(scripted, "return new Response('no such key', {status: 400});")
    assert (traced["event"]["status"], _said(traced)) == ("failed", "answered 400: no such key")


def test_a_script_keeps_running_for_the_next_event_and_finishes_what_it_began(
    scripted: World, listener: Listener
) -> None:
    one = published(
        scripted,
        secrets={"AT": listener.url},
        script="let count = 0;" + script(
            "ctx.waitUntil(fetch(environment.secrets.AT + '/late', {method: 'POST', body: event.type}));"
            "console.log(++count); return new Response('OK');"
        ),
    )  # fmt: skip
    path = f"/v1/integrations/{one['name']}"
    installed(scripted, one)
    assert _said(last(scripted, one)).startswith("1\n")
    for count in (2, 3):
        assert scripted.api.post(f"{path}/tasks", {"task": {}}).status == 204
        assert _said(last(scripted, one)).startswith(f"{count}\n")
    assert [(at, body) for at, _, body in listener.heard] == [
        ("/late", b"installation_setup"), ("/late", b"task"), ("/late", b"task")
    ]  # fmt: skip


def test_a_script_fetches_and_sees_redirects_when_it_wants(scripted: World, listener: Listener) -> None:
    listener.body = b'{"name": "Ada"}'
    traced = told(
        scripted,
        "const at = environment.secrets.AT; const r = await fetch(at + '/who', {headers: {'x-key': 'k'}});"
        "console.log(r.status, r.url === at + '/who', (await r.json()).name); return new Response('OK');",
        secrets={"AT": listener.url},
    )
    assert _said(traced).startswith("200 true Ada")
    assert listener.heard[0][1]["x-key"] == "k"


def _apart(expression: str) -> str:
    """In a worker of its own, which has all that the engine offers."""
    code = (
        f"(async () => {{ try {{ {expression}; postMessage('done') }}"
        " catch (e) { postMessage(e.name + ': ' + e.message) } })()"
    )
    return (
        f"const apart = new Worker(URL.createObjectURL(new Blob([`{code}`])), {{type: 'module'}});"
        " const said = await new Promise((yes) => apart.onmessage = (one) => yes(one.data)); apart.terminate();"
        " if (said !== 'done') { const [name, ...rest] = said.split(': ');"
        " throw Object.assign(new Error(rest.join(': ')), {name}); }"
    )


HOSTILE = {
    "loops": ("for (;;);", "took longer than 2 seconds"),
    "waits for ever": ("await new Promise(() => setInterval(() => {}, 50));", "took longer than 2 seconds"),
    "allocates": ("const all = []; for (;;) all.push('x' + all.length);", "more than 128 MiB of memory"),
    "allocates beside the heap": (
        "const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1));", "more than 128 MiB of memory"
    ),
    "reads files": (_apart("Deno.readTextFileSync('/etc/passwd')"), "threw NotCapable: Requires read access"),
    "imports files": ("await import('file:///etc/passwd', {with: {type: 'text'}});", "Requires read access"),
    "writes files": (_apart("Deno.writeTextFileSync('/tmp/x', '')"), "threw NotCapable: Requires write access"),
    "forks": (_apart("new Deno.Command('/bin/true').outputSync()"), "threw NotCapable: Requires run access"),
    "reads the environment": (_apart("Deno.env.get('HOME')"), "threw NotCapable: Requires env access"),
    "loads a library": (_apart("Deno.dlopen('/lib/libc.so.6', {})"), "threw NotCapable: Requires ffi access"),
    "connects": (_apart("await Deno.connect({port: 1})"), "threw NotCapable: Requires net access"),
    "is written for Deno": ("Deno.env.get('HOME');", "threw ReferenceError: Deno is not defined"),
    "is written for Node": ("(await import('node:fs')).readFileSync('/etc/passwd');", "threw"),
    "calls a private address": ("await fetch('http://10.0.0.1/');", "The host 10.0.0.1 is not on the public internet"),
    "calls the cloud's own": ("await fetch('http://169.254.169.254/latest');", "is not on the public internet"),
    "calls a host not on the list": ("await fetch('https://example.com/');", "it is not among OCTAVO_SCRIPT_HOSTS"),
    "calls what is no API": ("await fetch('http://octavo.test/metrics');", "it is not among OCTAVO_SCRIPT_HOSTS"),
    "opens a socket": ("await new Promise((_, no) => (new WebSocket('ws://127.0.0.1:1')).onerror = no);", "threw"),
    "fetches too often": (
        "for (let i = 0; i <= 50; i++) await fetch(environment.secrets.AT);", "may fetch 50 times during one event"
    ),
    "answers too much": ("return new Response(new Uint8Array(5 << 20));", "answered 5242880 bytes"),
    "answers nothing": ("", "answered no Response"),
    "throws": ("throw new RangeError('too far');", "threw RangeError: too far"),
    "ends": ("close(); await new Promise(() => {});", "ended before it answered"),
    "writes between": (_apart("Deno.stdout.writeSync(new TextEncoder().encode('nonsense'))"), "wrote into"),
    "is no JavaScript": ("export default {", "SyntaxError: Unexpected token"),
    "exports nothing": ("export default 1", "cannot be loaded: TypeError: the default export has no function"),
}  # fmt: skip


_DAILY = {"loops", "allocates beside the heap", "reads files", "forks", "calls a private address", "is no JavaScript"}
_HOW = [pytest.param(how, marks=() if how in _DAILY else pytest.mark.deep) for how in HOSTILE]


@pytest.mark.parametrize("how", _HOW)
def test_a_script_that_behaves_badly_fails_with_a_sentence(scripted: World, listener: Listener, how: str) -> None:
    body, sentence = HOSTILE[how]
    traced = told(scripted, body, secrets={"AT": listener.url})
    assert traced["event"]["status"] == "failed"
    assert sentence in _said(traced)
    assert traced["trace"]["logs"][-1]["level"] == "error"


def test_a_script_that_hangs_keeps_no_other_waiting(scripted: World) -> None:
    bad = published(scripted, script=script("await new Promise(() => setInterval(() => {}, 50));"))
    good = published(scripted, script=script("return new Response('OK');"))
    for one in (bad, good):
        installed(scripted, one)

    def status(one: dict[str, Any]) -> list[str]:
        found = scripted.api.get(f"/v1/integrations/{one['name']}/events").json["items"]
        return [event["status"] for event in found]

    async def until_good() -> list[str]:
        worker = asyncio.ensure_future(scripted.house.worker.run())
        try:
            while True:
                found = await scripted.api.send("GET", f"/v1/integrations/{good['name']}/events")
                if found.json["items"]:
                    other = await scripted.api.send("GET", f"/v1/integrations/{bad['name']}/events")
                    return [event["status"] for event in other.json["items"]]
                await asyncio.sleep(0.02)
        finally:
            worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await worker

    assert scripted.run(until_good()) == []  # the other one still hangs
    scripted.run(asyncio.wait(list(scripted.house.worker._running)))
    assert (status(good), status(bad)) == (["success"], ["failed"])


def test_an_event_reaches_a_script_that_runs_within_50_ms(scripted: World) -> None:
    one = published(scripted, script=script("return new Response('OK');"))
    installed(scripted, one)
    last(scripted, one)
    times = []
    for _ in range(5):
        scripted.api.post(f"/v1/integrations/{one['name']}/tasks", {"task": {}})
        began = time.perf_counter()
        scripted.work()
        times.append(time.perf_counter() - began)
        assert last(scripted, one)["event"]["status"] == "success"
    assert min(times) < 0.05


def test_nothing_goes_on_between_two_events(scripted: World, listener: Listener) -> None:
    one = published(
        scripted,
        secrets={"AT": listener.url},
        script="let ticks = 0;" + script(
            "setInterval(() => ticks++, 1); console.log(ticks); ticks = 0; return new Response('OK');"
        ),
    )  # fmt: skip
    installed(scripted, one)
    last(scripted, one)
    scripted.api.post(f"/v1/integrations/{one['name']}/tasks", {"task": {}, "schedule": 0})
    stopped = time.monotonic()
    while time.monotonic() < stopped + 0.2:
        pass  # whatever runs meanwhile would count
    assert int(_said(last(scripted, one)).split("\n")[0]) < 100


def _engines(world: World) -> list[int]:
    """The processes of engines that wait for the next event."""
    found = []
    for _, child in world.house.worker.tools.staying._idle:
        for task in Path(f"/proc/{child._process.pid}/task").iterdir():
            found += [int(one) for one in (task / "children").read_text().split()]
    return found


def test_an_engine_that_was_killed_is_started_anew_and_ends_with_its_worker(scripted: World) -> None:
    one = published(scripted, script=script("return new Response('OK');"))
    installed(scripted, one)
    last(scripted, one)
    [*_, engine] = _engines(scripted)
    os.kill(engine, signal.SIGKILL)
    scripted.run(asyncio.sleep(0.05))
    scripted.api.post(f"/v1/integrations/{one['name']}/tasks", {"task": {}})
    traced = last(scripted, one)
    assert (traced["event"]["payload"]["type"], traced["event"]["status"]) == ("task", "success")
    engines = _engines(scripted)
    assert engines
    scripted.run(scripted.house.worker.tools.staying.close())
    assert not any(
        Path(f"/proc/{one}/cmdline").exists() and Path(f"/proc/{one}/cmdline").read_text() for one in engines
    )


def test_a_stopped_engine_ends_with_the_child_that_was_killed_over_it(scripted: World) -> None:
    told(scripted, "return new Response('OK');")
    engines = _engines(scripted)
    assert engines
    for _, child in scripted.house.worker.tools.staying._idle:
        os.kill(child._process.pid, signal.SIGKILL)
    waits = time.monotonic() + 5
    while any(map(_runs, engines)) and time.monotonic() < waits:
        scripted.run(asyncio.sleep(0.01))
    left = [one for one in engines if _runs(one)]
    for one in left:
        os.kill(one, signal.SIGKILL)
    assert not left


def _runs(process: int) -> bool:
    """One that ended and that nobody waited for has no command line."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text() != ""
    return False


def test_an_engine_that_cannot_be_started_says_so(
    engine: Engine, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with opened_world(engine, FakeClock(), memory_folder, loop, deno="/nowhere/deno") as world:
        traced = told(world, "return new Response('OK');")
        assert (traced["event"]["status"], "cannot be started" in _said(traced)) == ("failed", True)
    with opened_world(engine, FakeClock(), memory_folder, loop, deno="/bin/true") as world:
        traced = told(world, "return new Response('OK');")
        assert (traced["event"]["status"], "ended before the script" in _said(traced)) == ("failed", True)


def test_a_component_is_drawn_by_the_published_script(scripted: World) -> None:
    space = scripted.space()["id"]
    one = published(scripted, script=script(
        "if (event.type !== 'ui_render') return new Response('', {status: 406});"
        "if (event.props.broken) throw new Error('no such board');"
        "return Response.json({type: 'element', state: event.state ?? {}, props: event.props,"
        " element: {type: 'block', children: [{type: 'text', children: [event.context.theme, event.action?.action]}]}});"
    ))  # fmt: skip
    installed(scripted, one)
    sent = {"componentId": "board", "props": {"id": 4}, "context": {"type": "document", "spaceId": space}}
    path = f"/v1/integrations/{one['name']}/render"
    drawn = scripted.awaited("POST", path, sent)
    assert (drawn.status, drawn.json["props"]) == (200, {"id": 4})
    assert drawn.json["element"]["children"][0]["children"] == ["light", None]
    acted = scripted.awaited("POST", path, sent | {"action": {"action": "again"}, "state": {"n": 1}}).json
    assert (acted["element"]["children"][0]["children"][1], acted["state"]) == ("again", {"n": 1})
    assert scripted.awaited("GET", f"{path}?request={packed(sent)}").json == drawn.json
    for wrong in ("", "!!!", "AAAA", packed([1]), packed({"componentId": "board"})):
        assert scripted.api.get(f"{path}?request={wrong}").status == 400
    reply = scripted.awaited("POST", path, sent | {"props": {"broken": True}})
    assert (reply.status, "threw Error: no such board" in reply.message) == (503, True)
