// Tells the site what is read, searched and followed; nothing where the browser asks not to be watched.
(() => {
  const { to } = document.currentScript.dataset, waiting = [];
  if (navigator.doNotTrack === "1" || navigator.globalPrivacyControl) return;
  let timer, told;
  const send = () => {
    if (!waiting.length) return;
    const { referrer } = document, { language } = navigator, url = location.href;
    navigator.sendBeacon(to, JSON.stringify({ events: waiting.splice(0, 20), url, referrer, language }));
  };
  const note = (type, more) => {
    waiting.push({ type, ...more });
    clearTimeout(timer);
    timer = setTimeout(send, 200);
  };
  const view = () => note("page_view");
  if (document.prerendering) document.addEventListener("prerenderingchange", view, { once: true });
  else view();
  addEventListener("pageshow", (event) => event.persisted && view());
  addEventListener("pagehide", send);
  document.addEventListener("visibilitychange", () => document.hidden && send());
  addEventListener("octavo:event", ({ detail: { type, ...more } }) => note(type, more));

  const dialog = document.querySelector("[data-search-dialog]"), input = dialog?.querySelector("input");
  const said = () => input.value.trim();
  const asked = () => {
    const query = said();
    if (!query || query === told) return;
    told = query;
    note("search_type_query", { query, results: document.querySelectorAll("[data-found] a.page").length });
  };
  if (dialog) {
    let typing;
    new MutationObserver(() => (dialog.open ? note("search_open") : asked())).observe(dialog, { attributeFilter: ["open"] });
    input.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(asked, 1000); });
  }
  addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href]");
    if (!link) return;
    if (dialog?.contains(link)) {
      if (!said() || !link.matches(".page, .section")) return;
      asked();
      return note("search_open_result", { query: said(), url: link.href });
    }
    const place = ["announcement", "header", "footer"].find((name) => link.closest(`${name}, .${name}`));
    note("link_click", { url: link.href, position: place ?? (link.closest("aside, nav") ? "sidebar" : "content") });
  }, true);
})();
