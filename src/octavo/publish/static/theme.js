// Sets the chosen theme before anything is painted, so that it never flashes.
(() => {
  const root = document.documentElement, { dataset } = root;
  dataset.js = "";
  const apply = () => {
    let choice = null;
    try {
      choice = dataset.themeFixed === undefined ? localStorage.getItem("theme") : null;
      if (localStorage.getItem(`dismissed:${dataset.announcement}`) !== null) dataset.dismissed = "";
    } catch { /* storage may be forbidden */ }
    const before = dataset.theme;
    if (choice === "light" || choice === "dark") dataset.theme = dataset.choice = choice;
    else if (dataset.choice) {
      delete dataset.choice;
      if (dataset.siteTheme === "system") delete dataset.theme; else dataset.theme = dataset.siteTheme;
    }
    if (dataset.theme !== before) dispatchEvent(new Event("themechange"));
  };
  apply();
  // A page that was made ahead of the click follows what was chosen since.
  document.addEventListener("prerenderingchange", apply);
})();
