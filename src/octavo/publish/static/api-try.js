// Calls of an API from its reference: values are put in, the browser sends them, and the answer is shown.
const kept = "api-values";
let values = {};
try { values = JSON.parse(sessionStorage.getItem(kept)) ?? {}; } catch { /* nothing kept */ }

function keep(name, value) {
  values[name] = value;
  try { sessionStorage.setItem(kept, JSON.stringify(values)); } catch { /* not kept */ }
}

function field(form, label, name, value, tag = "input") {
  const box = document.createElement("label");
  const input = document.createElement(tag);
  input.name = name;
  input.value = value;
  input.autocomplete = "off";
  input.spellcheck = false;
  if (tag === "textarea") input.rows = Math.min(12, value.split("\n").length + 1);
  box.append(label, input);
  form.append(box);
  return input;
}

function opened(box, call) {
  const form = document.createElement("form");
  const inputs = { path: {}, query: {}, header: {} };
  const server = field(form, "Server", "server", values.server ?? call.server);
  for (const [place, key, value] of call.values) {
    if (place in inputs) inputs[place][key] = field(form, `${key} (${place})`, key, values[key] ?? value);
  }
  for (const [place, key] of call.more) {
    inputs[place][key] ??= field(form, `${key} (${place})`, key, "");
  }
  for (const [place, key, value] of call.schemes) {
    if (place in inputs) inputs[place][key] = field(form, `${key} (${place})`, key, values[key] ?? value);
  }
  const body = call.body === null ? null : field(form, "Body", "body", call.body, "textarea");
  const send = document.createElement("button");
  send.className = "button button-primary";
  send.textContent = "Send";
  const output = document.createElement("output");
  form.append(send, output);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    await sent(call, server.value, inputs, body, output);
    send.disabled = false;
  });
  box.append(form);
}

function address(call, server, inputs) {
  let path = call.path;
  for (const [key, input] of Object.entries(inputs.path)) {
    path = path.replaceAll(`{${key}}`, encodeURIComponent(input.value));
  }
  const url = new URL(server.replace(/\/+$/, "") + path, location.href);
  for (const [key, input] of Object.entries(inputs.query)) {
    if (input.value) url.searchParams.set(key, input.value);
  }
  return url;
}

async function sent(call, server, inputs, body, output) {
  keep("server", server);
  for (const [, key] of [...call.schemes, ...call.values]) {
    const input = inputs.path[key] ?? inputs.header[key] ?? inputs.query[key];
    if (input) keep(key, input.value);
  }
  const headers = {};
  for (const [key, input] of Object.entries(inputs.header)) {
    if (input.value) headers[key] = input.value;
  }
  if (body && call.media) headers["Content-Type"] = call.media;
  const begun = performance.now();
  try {
    const options = { method: call.method, headers, credentials: "omit", redirect: "follow" };
    if (body) options.body = body.value;
    const reply = await fetch(address(call, server, inputs), options);
    const text = await reply.text();
    show(output, `${reply.status} ${reply.statusText} · ${Math.round(performance.now() - begun)} ms`, pretty(text));
  } catch (error) {
    const why = "The browser could not read an answer. The server may not be reachable, or it does not allow calls from "
      + `this page: it has to answer with “Access-Control-Allow-Origin: ${location.origin}”.`;
    show(output, "No answer", `${why}\n\n${error}`);
  }
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function show(output, head, text) {
  const line = document.createElement("strong");
  line.textContent = head;
  const listing = document.createElement("pre");
  listing.tabIndex = 0;
  listing.textContent = text.length > 200_000 ? `${text.slice(0, 200_000)}\n…` : text;
  output.replaceChildren(line, listing);
}

for (const box of document.querySelectorAll(".api-try")) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Try it";
  details.append(summary);
  details.addEventListener("toggle", () => {
    if (details.open && !details.querySelector("form")) opened(details, JSON.parse(box.dataset.call));
  });
  box.append(details);
  box.hidden = false;
}
