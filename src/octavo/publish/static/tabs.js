// Tabs: stacked sections become a tab list; arrows move, and a choice holds for every list that offers the same title.
const key = "tabs";
const groups = [];
let chosen = [];
function recall() {
  try { chosen = JSON.parse(localStorage.getItem(key)) ?? []; } catch { /* nothing kept */ }
}
recall();

function remember(title) {
  chosen = [title, ...chosen.filter((old) => old !== title)].slice(0, 20);
  try { localStorage.setItem(key, JSON.stringify(chosen)); } catch { /* not kept */ }
}

document.querySelectorAll(".tabs").forEach((box, number) => {
  const panels = [...box.children].filter((part) => part.classList.contains("tab-panel"));
  if (!panels.length) return;
  const list = document.createElement("div");
  list.className = "tab-list";
  list.role = "tablist";
  const tabs = panels.map((panel, at) => {
    const title = panel.querySelector(":scope > .tab-title");
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.id = `tab-${number}-${at}`;
    tab.append(...[...title.childNodes].map((node) => node.cloneNode(true)));
    panel.id ||= `panel-${number}-${at}`;
    tab.setAttribute("aria-controls", panel.id);
    panel.role = "tabpanel";
    panel.setAttribute("aria-labelledby", tab.id);
    list.append(tab);
    return tab;
  });
  const titles = panels.map((panel) => panel.dataset.title);
  const show = (at) => tabs.forEach((tab, index) => {
    tab.setAttribute("aria-selected", index === at);
    tab.tabIndex = index === at ? 0 : -1;
    panels[index].hidden = index !== at;
  });
  function choose(at) {
    const top = list.getBoundingClientRect().top;
    remember(titles[at]);
    for (const group of groups) if (group.titles.includes(titles[at])) group.show(group.titles.indexOf(titles[at]));
    show(at);
    // Other lists above may have changed height: what the reader pressed stays where it was.
    scrollBy({ top: list.getBoundingClientRect().top - top, behavior: "instant" });
  }
  list.addEventListener("click", (event) => {
    const at = tabs.indexOf(event.target.closest("button"));
    if (at >= 0) choose(at);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    choose(next);
    tabs[next].focus();
    tabs[next].scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  box.prepend(list);
  const linked = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return target ? panels.findIndex((panel) => panel.contains(target)) : -1;
  };
  const kept = () => chosen.map((title) => titles.indexOf(title)).find((at) => at >= 0) ?? 0;
  const settle = () => show(linked() >= 0 ? linked() : kept());
  groups.push({ titles, show, settle });
  settle();
  addEventListener("hashchange", () => {
    if (linked() < 0) return;
    show(linked());
    document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
  });
});
// A page that was made ahead of the click follows what was chosen since.
document.addEventListener("prerenderingchange", () => {
  recall();
  for (const group of groups) group.settle();
});
