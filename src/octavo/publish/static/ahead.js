// The page under the pointer is fetched before the click, where the browser does not take the rules that say so.
if (!HTMLScriptElement.supports?.("speculationrules")) {
  const asked = new Set([location.pathname]);
  addEventListener("pointerover", (event) => {
    const link = event.target.closest?.(".frame a[href], .sections a[href]");
    if (!link || link.origin !== location.origin || link.target || /~octavo\/|\.(md|xml)$/.test(link.pathname) || asked.has(link.pathname)) return;
    asked.add(link.pathname);
    document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: link.pathname }));
  }, { passive: true });
}
