// A hidden announcement stays away: theme.js hides it before the first paint.
document.querySelector("[data-dismiss]")?.addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.dismissed = "";
  try { localStorage.setItem(`dismissed:${root.dataset.announcement}`, ""); } catch { /* not kept */ }
});
