// The page under the pointer is fetched before the click, where the browser does not take the rules that say so.
if (!HTMLScriptElement.supports?.("speculationrules")) {
  const asked = new Set([location.pathname]), { base } = words, site = location.origin + base;
  const apart = "[target=_blank], [download], [role=button], [rel~=nofollow], .menu-end a";
  addEventListener("pointerover", ({ target }) => {
    const link = target.closest?.(".frame a[href], .site-header a[href], .site-footer a[href]");
    if (!link?.href.startsWith(site) || link.search || link.matches(apart)) return;
    if (/~|\.(md|txt|xml)$/.test(link.pathname) || asked.has(link.pathname)) return;
    asked.add(link.pathname);
    document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: link.pathname }));
  }, { passive: true });
}
