// Pictures with a dark twin follow the theme that the reader chose, not only that of the system.
const sources = [...document.querySelectorAll("source.dark-source")].map((source) => [source, source.media]);

function follow() {
  const theme = document.documentElement.dataset.theme;
  for (const [source, media] of sources) source.media = theme ? (theme === "dark" ? "all" : "not all") : media;
}
follow();
addEventListener("themechange", follow);
