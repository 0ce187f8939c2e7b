// Runs inside the sandbox: loads one script, hands it one event after the other, and speaks to the process that started it.
// A frame, both ways: two lengths of four bytes, a head in JSON, and bytes.
const { stdin, stdout } = Deno;
const native = fetch;
const encoder = new TextEncoder(), decoder = new TextDecoder();
const LINES = 100, LINE = 2000, BODY = 4 << 20;
let logs = [], asked = 0;
const waiting = new Map();
let wake = () => {};
const events = [];

function send(head, body = new Uint8Array()) {
  const said = encoder.encode(JSON.stringify(head));
  const frame = new Uint8Array(8 + said.length + body.length), view = new DataView(frame.buffer);
  view.setUint32(0, said.length);
  view.setUint32(4, body.length);
  frame.set(said, 8);
  frame.set(body, 8 + said.length);
  for (let at = 0; at < frame.length;) at += stdout.writeSync(frame.subarray(at));
}

async function exactly(size) {
  const made = new Uint8Array(size);
  for (let at = 0; at < size;) {
    const read = await stdin.read(made.subarray(at));
    if (read === null) return null;
    at += read;
  }
  return made;
}

async function receive() {
  const start = await exactly(8);
  if (start === null) return null;
  const view = new DataView(start.buffer);
  const head = await exactly(view.getUint32(0)), body = await exactly(view.getUint32(4));
  return head === null || body === null ? null : { head: JSON.parse(decoder.decode(head)), body };
}

async function listen() {
  for (let frame; (frame = await receive()) !== null;) {
    if (frame.head.op === "fetched") {
      waiting.get(frame.head.id)?.(frame);
      waiting.delete(frame.head.id);
    } else {
      events.push(frame);
      wake();
    }
  }
  leave();
}

// Where the engine lies on this machine is nobody's business.
const plain = (text) => text.replaceAll(import.meta.url, "runner");

function written(value) {
  if (typeof value === "string") return value;
  if (value instanceof Error) return String(value.stack ?? value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function note(level, values) {
  if (logs.length >= LINES) return;
  logs.push({ level, message: plain(values.map(written).join(" ")).slice(0, LINE), timestamp: Date.now() });
}

const named = (error) => plain(error instanceof Error ? `${error.name}: ${error.message}` : written(error)).slice(0, LINE);

for (const [name, level] of [["log", "info"], ["info", "info"], ["debug", "debug"], ["warn", "warn"], ["error", "error"], ["trace", "debug"], ["dir", "info"]]) {
  console[name] = (...values) => note(level, values);
}

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (/^(data|blob):/.test(request.url)) return native(request);
  request.signal.throwIfAborted();
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const id = ++asked;
  const answered = new Promise((resolve, reject) => {
    waiting.set(id, resolve);
    request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
  });
  const { method, url, redirect } = request;
  send({ op: "fetch", id, method, url, redirect, headers: [...request.headers], sends: body !== undefined }, body);
  const { head, body: bytes } = await answered;
  if (head.error) throw new TypeError(head.error);
  if (redirect === "error" && head.status >= 300 && head.status < 400) throw new TypeError("the host redirects");
  const empty = [101, 204, 205, 304].includes(head.status) || head.status < 200;
  const response = new Response(empty ? null : bytes, { status: empty && head.status < 200 ? 200 : head.status, headers: head.headers });
  Object.defineProperties(response, { url: { value: head.url }, redirected: { value: head.url !== url } });
  return response;
};

globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  note("error", ["unhandled rejection:", named(event.reason)]);
});
globalThis.addEventListener("error", (event) => {
  event.preventDefault();
  note("error", [named(event.error ?? event.message)]);
});

const leave = Deno.exit.bind(Deno);
// What is written for workers looks for nothing else; whatever finds its way to it has no permission.
delete globalThis.Deno;

async function answer(handler, { head, body }) {
  const waits = [];
  const ctx = { waitUntil: (promise) => void waits.push(promise), passThroughOnException() {} };
  const request = new Request("https://integration.invalid/v1", { method: "POST", headers: { "content-type": head.type }, body });
  const response = await handler.fetch(request, {}, ctx);
  if (!(response instanceof Response)) throw new TypeError("the script answered no Response");
  const bytes = new Uint8Array(await response.arrayBuffer());
  for (const one of await Promise.allSettled(waits)) {
    if (one.status === "rejected") note("error", ["waitUntil:", named(one.reason)]);
  }
  if (bytes.length > BODY) throw new RangeError(`the script answered ${bytes.length} bytes, and ${BODY} are taken`);
  return [{ status: response.status, headers: [...response.headers] }, bytes];
}

async function run() {
  const source = await receive();
  listen();
  let handler;
  try {
    handler = (await import(URL.createObjectURL(new Blob([source.body], { type: "application/javascript" })))).default;
    if (typeof handler?.fetch !== "function") throw new TypeError("the default export has no function `fetch`");
    send({ op: "loaded" });
  } catch (error) {
    send({ op: "loaded", error: named(error) });
    return;
  }
  for (;;) {
    while (!events.length) await new Promise((resolve) => (wake = resolve));
    logs = [];
    try {
      const [head, bytes] = await answer(handler, events.shift());
      send({ op: "answer", ...head, logs }, bytes);
    } catch (error) {
      send({ op: "answer", status: 500, headers: [], threw: named(error), logs });
    }
  }
}

await run();
