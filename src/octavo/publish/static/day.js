// How long ago a page was changed, beside the day: what is kept says the day alone.
for (const said of document.querySelectorAll("[data-day]")) {
  const days = Math.round((Date.parse(said.querySelector("time").dateTime) - Date.now()) / 864e5);
  const [unit, length] = [["year", 365], ["month", 30], ["week", 7]].find(([, one]) => -days >= one) ?? ["day", 1];
  try { said.append(` · ${new Intl.RelativeTimeFormat(document.getElementById("~words").lang, { numeric: "auto" }).format(Math.min(0, Math.trunc(days / length)), unit)}`); } catch { /* a browser that cannot say it */ }
}
