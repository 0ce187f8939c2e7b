// The theme switch, and menus that close on Escape or a click elsewhere.
const root = document.documentElement;
const NEXT = { system: "light", light: "dark", dark: "system" };

function name(button) {
  const theme = words[root.dataset.choice ?? "system"];
  button.title = words.theme.replace("{theme}", theme);
  button.setAttribute("aria-label", words.changeTheme.replace("{theme}", theme));
}
for (const button of document.querySelectorAll("[data-theme-switch]")) {
  name(button);
  addEventListener("themechange", () => name(button));
  button.addEventListener("click", () => {
    const choice = NEXT[root.dataset.choice ?? "system"];
    if (choice === "system") {
      delete root.dataset.choice;
      const own = root.dataset.siteTheme;
      if (own === "system") delete root.dataset.theme; else root.dataset.theme = own;
    } else root.dataset.theme = root.dataset.choice = choice;
    try { choice === "system" ? localStorage.removeItem("theme") : localStorage.setItem("theme", choice); } catch { /* not kept */ }
    dispatchEvent(new Event("themechange"));
  });
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll("[data-closes][open]")) if (menu !== except) menu.open = false;
}
addEventListener("click", (event) => closeMenus(event.target.closest("[data-closes]")));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.activeElement?.closest("[data-closes][open]");
  closeMenus();
  open?.querySelector("summary").focus();
});
