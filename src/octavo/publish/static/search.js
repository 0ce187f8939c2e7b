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
  let asking = null, timer = 0, selected = -1;

  const element = (tag, text, className) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, className ? { className } : {});
  const icon = (name) => document.getElementById("~search-icons").content.querySelector(`[data-icon="${name}"] svg`).cloneNode(true);
  const options = () => [...list.querySelectorAll('[role="option"]')];
  const recent = () => { try { return JSON.parse(localStorage.getItem(key)) ?? []; } catch { return []; } };
  function remember(query) {
    try { localStorage.setItem(key, JSON.stringify([query, ...recent().filter((old) => old !== query)].slice(0, 5))); } catch { /* not kept */ }
  }

  function marked(text, query) {
    const words = query.trim().split(/\s+/).filter(Boolean).sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    if (!words.length) return [text];
    return text.split(new RegExp(`(${words.join("|")})`, "giu")).map((part, at) => (at % 2 ? element("mark", part) : part));
  }
  function option(href, title, note, query, kind) {
    const link = element("a", undefined, kind);
    link.href = href;
    link.role = "option";
    link.tabIndex = -1;
    link.id = `~search-option-${list.querySelectorAll("a").length}`;
    const words = element("span"), heading = element("b");
    heading.append(...marked(title, query));
    words.append(heading);
    if (note) { const small = element("small"); small.append(...marked(note, query)); words.append(small); }
    const open = icon("open");
    open.classList.add("open");
    link.append(icon(kind), words, open);
    list.append(link);
  }
  function select(at) {
    const all = options();
    selected = all.length ? (at + all.length) % all.length : -1;
    all.forEach((each, index) => each.setAttribute("aria-selected", index === selected));
    all[selected]?.scrollIntoView({ block: "nearest" });
    if (selected < 0) input.removeAttribute("aria-activedescendant"); else input.setAttribute("aria-activedescendant", all[selected].id);
    input.setAttribute("aria-expanded", all.length > 0);
  }
  function say(title, text) {
    status.replaceChildren(...(title ? [element("b", title)] : []), text);
  }
  function idle() {
    list.replaceChildren();
    const past = recent();
    dialog.toggleAttribute("data-found", past.length > 0);
    if (past.length) list.append(element("h3", "Recent searches"));
    for (const query of past) option(`${address}?q=${encodeURIComponent(query)}`, query, "", "", "recent");
    say("", past.length ? "" : "Search titles, headings and text.");
    select(-1);
  }
  function show(query, items) {
    list.replaceChildren();
    for (const item of items) {
      option(item.href, item.title, [(item.breadcrumbs ?? []).join(" › "), item.snippet].filter(Boolean).join(" · "), query, "page");
      for (const section of item.sections ?? []) option(section.href, section.title, section.snippet, query, "section");
    }
    dialog.toggleAttribute("data-found", items.length > 0);
    if (items.length) say("", `${items.length} ${items.length === 1 ? "page" : "pages"} found`);
    else say(`Nothing found for “${query}”`, "Try fewer words, another spelling, or a word the page would use itself.");
    list.scrollTop = 0;
    select(0);
  }
  async function ask() {
    const query = input.value.trim();
    asking?.abort();
    if (!query) return idle();
    if (found.has(query)) return show(query, found.get(query));
    asking = new AbortController();
    try {
      const reply = await fetch(`${address}?q=${encodeURIComponent(query)}`, { headers: { accept: "application/json" }, signal: asking.signal });
      if (!reply.ok) throw new Error(reply.status);
      const { items } = await reply.json();
      found.set(query, items);
      if (query === input.value.trim()) show(query, items);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      list.replaceChildren();
      dialog.removeAttribute("data-found");
      say("Search does not answer", "Check your connection, then type again.");
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
    if ((event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey)) {
      event.preventDefault();
      open();
    }
  });
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 40); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); select(selected < 0 && event.key === "ArrowUp" ? -1 : selected + (event.key === "ArrowDown" ? 1 : -1)); }
  });
  dialog.querySelector("form").addEventListener("submit", (event) => {
    const query = input.value.trim();
    const chosen = options()[selected];
    if (chosen) { event.preventDefault(); chosen.click(); } else if (!query) event.preventDefault();
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
