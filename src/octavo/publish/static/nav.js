// The table of contents: groups open and close, stay as they were on the next page, and fetch their entries when large.
// Runs right after the sidebar and before the first paint, so that nothing moves.
(() => {
  const nav = document.querySelector("[data-nav]");
  const sidebar = document.getElementById("~sidebar");
  const key = `nav:${nav.dataset.nav}`;
  let groups = {};

  const toggle = (branch) => branch.querySelector(":scope > .nav-row > [data-nav-toggle]");
  const nameOf = (branch) => branch.querySelector(":scope > .nav-row > a")?.getAttribute("href") ?? branch.querySelector(".nav-name").textContent.trim();
  function keep() {
    try {
      localStorage.setItem(key, JSON.stringify(groups));
      sessionStorage.setItem(key, sidebar.scrollTop);
    } catch { /* not kept */ }
  }
  function show(branch, open) {
    branch.toggleAttribute("data-open", open);
    toggle(branch)?.setAttribute("aria-expanded", open);
    const list = branch.querySelector(":scope > ul");
    if (open && list.dataset.lazy) fill(branch, list);
  }
  async function entriesOf(source) {
    const reply = await fetch(source);
    if (!reply.ok) throw new Error(reply.status);
    return new DOMParser().parseFromString(await reply.text(), "text/html").body.children;
  }
  // A level of very many entries: those that stand next take the place of the link to them, and nothing else moves.
  async function extend(link) {
    const entry = link.closest("li"), fixed = entry.nextElementSibling ?? entry.previousElementSibling;
    link.setAttribute("aria-busy", true);
    try {
      const found = [...await entriesOf(link.dataset.navMore)], top = fixed.getBoundingClientRect().top;
      const focused = document.activeElement === link, near = entry.nextElementSibling ? found.at(-1) : found[0];
      entry.replaceWith(...found);
      sidebar.scrollTop += fixed.getBoundingClientRect().top - top;
      if (focused) near.querySelector("a, button")?.focus({ preventScroll: true });
    } catch { location.assign(link.href); }
  }
  async function fill(branch, list) {
    const source = list.dataset.lazy;
    delete list.dataset.lazy;
    try {
      list.replaceChildren(...await entriesOf(source));
    } catch {
      list.dataset.lazy = source;
      show(branch, false);
      const link = branch.querySelector(":scope > .nav-row > a");
      if (link) location.assign(link.href);
    }
  }

  function place() {
    let scroll = 0;
    try {
      groups = JSON.parse(localStorage.getItem(key)) ?? {};
      scroll = Number(sessionStorage.getItem(key));
    } catch { /* nothing kept */ }
    for (const branch of nav.querySelectorAll(".nav-branch")) {
      const wanted = groups[nameOf(branch)];
      const holdsCurrent = branch.querySelector('[aria-current="page"]');
      if (wanted !== undefined && toggle(branch) && !(holdsCurrent && !wanted)) show(branch, wanted);
    }
    sidebar.scrollTop = scroll;
    const current = nav.querySelector('[aria-current="page"]');
    if (!current) return;
    const box = current.getBoundingClientRect(), view = sidebar.getBoundingClientRect();
    if (box.top < view.top || box.bottom > view.bottom) sidebar.scrollTop += box.top - view.top - view.height / 3;
  }
  place();
  // A page that was made ahead of the click is placed as the one was that it follows.
  document.addEventListener("prerenderingchange", place);
  nav.addEventListener("click", (event) => {
    const more = event.target.closest("[data-nav-more]");
    if (more && !(event.metaKey || event.ctrlKey || event.shiftKey)) {
      event.preventDefault();
      extend(more);
      return;
    }
    const branch = event.target.closest("[data-nav-toggle]")?.closest(".nav-branch");
    if (!branch) return;
    const open = !branch.hasAttribute("data-open");
    groups[nameOf(branch)] = open;
    branch.toggleAttribute("data-opened", open);
    show(branch, open);
    keep();
  });
  addEventListener("click", (event) => event.target.closest("a[href]") && keep(), true);
  addEventListener("pagehide", keep);
})();
