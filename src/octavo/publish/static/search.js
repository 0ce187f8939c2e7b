// The search dialog: Ctrl/Cmd-K or "/", results by page with their sections, arrows and Enter, recent queries.
const opener = document.querySelector("[data-search]");
const dialog = document.querySelector("[data-search-dialog]");

if (opener && dialog) {
  const address = opener.dataset.search;
  const input = dialog.querySelector("input");
  const list = dialog.querySelector(".search-body");
  const status = dialog.querySelector(".search-status");
  const key = `searches:${address}`;
  const found = new Map();
  // `shown` is the query whose results are on show; `eager`: Enter was pressed before they came.
  let asking = null, timer = 0, selected = -1, shown = "", eager = false;

  const element = (tag, ...inside) => { const made = document.createElement(tag); made.append(...inside); return made; };
  const icon = (name) => document.getElementById("~search-icons").content.querySelector(`[data-icon="${name}"] svg`).cloneNode(true);
  const form = dialog.querySelector("form"), here = opener.dataset.in;
  const whole = (query) => `${address}?q=${encodeURIComponent(query)}${here ? `&in=${here}&only=${form.only.value}` : ""}`;
  // Browsers mark such words on the page that they lead to.
  const at = (href, [, word]) => (word ? `${href}${href.includes("#") ? "" : "#"}:~:text=${encodeURIComponent(word).replaceAll("-", "%2D")}` : href);
  const options = () => [...list.querySelectorAll('[role="option"]')];
  const recent = () => { try { return JSON.parse(localStorage.getItem(key)) ?? []; } catch { return []; } };
  function remember(query) {
    try { localStorage.setItem(key, JSON.stringify([query, ...recent().filter((old) => old !== query)].slice(0, 5))); } catch { /* not kept */ }
  }

  const marked = (pieces) => pieces.map((piece, at) => (at % 2 ? element("mark", piece) : piece));
  const piece = ({ snippet, code }) => (code ? [element("code", ...marked(snippet))] : marked(snippet));
  function option(kind, href, title, ...notes) {
    const small = notes.filter((note) => note.length).map((note) => element("small", ...note));
    const link = element("a", icon(kind), element("span", element("b", ...marked(title)), ...small), icon("open"));
    Object.assign(link, { href, className: kind, role: "option", tabIndex: -1, id: `~search-option-${options().length}` });
    link.lastChild.classList.add("open");
    list.append(link);
  }
  function select(at) {
    const all = options();
    selected = all.length ? at : -1;
    all.forEach((each, index) => each.setAttribute("aria-selected", index === selected));
    all[selected]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", all[selected]?.id ?? "");
    input.setAttribute("aria-expanded", all.length > 0);
  }
  const say = (title, text) => status.replaceChildren(...(title ? [element("b", title)] : []), text);
  function idle() {
    shown = "";
    list.replaceChildren();
    const past = recent();
    dialog.toggleAttribute("data-found", past.length > 0);
    if (past.length) list.append(element("h3", words.recent));
    for (const query of past) option("recent", whole(query), [query]);
    const pages = past.length ? [] : [...document.querySelectorAll(".nav > ul > li > .nav-row > a, .nav > ul > .nav-group > ul > li > .nav-row > a")].slice(0, 8);
    if (pages.length) list.append(element("h3", words.pagesHere));
    for (const page of pages) option("page", page.href, [page.textContent]);
    say("", past.length ? "" : words.searchHint);
    select(-1);
  }
  function show(query, { items, count, nearest }) {
    list.replaceChildren();
    for (const item of items) {
      option("page", at(item.href, item.snippet), item.marked, [[item.where, ...item.breadcrumbs].filter(Boolean).join(" › ")].filter(Boolean), piece(item));
      for (const section of item.sections) option("section", at(section.href, section.snippet), section.marked, piece(section));
    }
    const said = words.found.replace("{count}", count);
    if (count > items.length) option("all", whole(query), [said]);
    for (const near of nearest) option("page", near.href, [near.title]);
    dialog.toggleAttribute("data-found", count > 0);
    if (count) say("", said);
    else say(words.nothingFound.replace("{query}", () => query), words.tryOther);
    list.scrollTop = 0;
    select(0);
    shown = query;
    if (eager) options()[0]?.click();
    eager = false;
  }
  async function ask() {
    const query = input.value.trim();
    asking?.abort();
    if (!query) return idle();
    const key = whole(query);
    if (found.has(key)) return show(query, found.get(key));
    asking = new AbortController();
    try {
      const reply = await fetch(key, { headers: { accept: "application/json" }, signal: asking.signal });
      if (!reply.ok) throw new Error(reply.status);
      found.set(key, await reply.json());
      if (key === whole(input.value.trim())) show(query, found.get(key));
    } catch (problem) {
      if (problem.name === "AbortError") return;
      list.replaceChildren();
      dialog.removeAttribute("data-found");
      say(words.noAnswer, words.checkConnection);
      select(-1);
    }
  }
  function open() {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    if (!input.value) idle();
  }

  if (/Mac|iPhone|iPad/.test(navigator.platform)) for (const mod of document.querySelectorAll(".search-open .mod")) mod.textContent = "⌘";
  opener.addEventListener("click", (event) => { event.preventDefault(); open(); });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const control = event.ctrlKey || event.metaKey;
    if (control ? event.key.toLowerCase() === "k" : event.key === "/" && !typing && !event.altKey) {
      event.preventDefault();
      open();
    }
  });
  form.addEventListener("change", (event) => { if (event.target !== input) { input.focus(); ask(); } });
  input.addEventListener("input", () => { eager = false; clearTimeout(timer); timer = setTimeout(ask, 30); });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], count = options().length;
    if (!step) return;
    event.preventDefault();
    select(selected < 0 && step < 0 ? count - 1 : (selected + step + count) % count);
  });
  form.addEventListener("submit", (event) => {
    const query = input.value.trim();
    const chosen = options()[selected];
    eager = query !== shown;
    if (eager || chosen || !query) event.preventDefault();
    if (eager) { clearTimeout(timer); ask(); } else chosen?.click();
  });
  list.addEventListener("pointermove", (event) => {
    const at = options().indexOf(event.target.closest('[role="option"]'));
    if (at >= 0 && at !== selected) select(at);
  });
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.classList.contains("recent")) { event.preventDefault(); input.value = link.textContent; input.focus(); ask(); return; }
    remember(input.value.trim());
    dialog.close();
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  for (const ask of document.querySelectorAll('[data-action="search"], [data-action="ask"]')) {
    ask.addEventListener("click", (event) => { event.preventDefault(); input.value = ask.dataset.query ?? ""; open(); input.dispatchEvent(new Event("input")); });
  }
}
