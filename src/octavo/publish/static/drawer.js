// The sidebar as a drawer: the rest of the page is inert while it is open, and focus returns to the button.
const sidebar = document.getElementById("~sidebar");
const button = document.querySelector('[data-drawer="open"]');
const others = [...document.querySelectorAll(".announcement, .site-header, main, .site-footer, .outline, .skip")];
const wide = matchMedia("(min-width: 1024px)");

function set(open) {
  sidebar.toggleAttribute("data-drawer-open", open);
  document.documentElement.toggleAttribute("data-locked", open);
  button.setAttribute("aria-expanded", open);
  for (const part of others) part.inert = open;
  if (!open) return;
  sidebar.querySelector('[data-drawer="close"]').focus();
  sidebar.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "center" });
}
function isOpen() { return sidebar.hasAttribute("data-drawer-open"); }

if (sidebar && button) {
  addEventListener("click", (event) => {
    const wanted = event.target.closest("[data-drawer]")?.dataset.drawer;
    if (wanted) {
      event.preventDefault();
      set(wanted === "open");
      if (wanted === "close") button.focus();
    } else if (isOpen() && !event.defaultPrevented && event.target.closest(".sidebar a[href]")) set(false);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) { set(false); button.focus(); }
    else if (event.key === " " && event.target.matches?.('a[role="button"]')) { event.preventDefault(); event.target.click(); }
  });
  wide.addEventListener("change", () => isOpen() && set(false));
}
