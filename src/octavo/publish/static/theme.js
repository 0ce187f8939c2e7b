// Sets the chosen theme before anything is painted, so that it never flashes.
(() => {
  const root = document.documentElement;
  root.dataset.js = "";
  let choice = null;
  try {
    choice = root.dataset.themeFixed === undefined ? localStorage.getItem("theme") : null;
    if (localStorage.getItem(`dismissed:${root.dataset.announcement}`) !== null) root.dataset.dismissed = "";
  } catch { /* storage may be forbidden */ }
  if (choice === "light" || choice === "dark") { root.dataset.theme = root.dataset.choice = choice; }
})();
