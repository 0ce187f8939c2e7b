// Marks the section being read in "On this page", moves the mark on its rail, and names the section in the bar of small screens.
const links = new Map();
for (const link of document.querySelectorAll(":is(.outline, .outline-inline) a")) {
  const id = decodeURIComponent(link.hash.slice(1));
  links.set(id, [...(links.get(id) ?? []), link]);
}
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
const bar = document.querySelector(".outline-inline"), box = document.querySelector(".outline");

if (headings.length) {
  let current = null, waiting = false;
  const title = bar.querySelector("span"), unread = title.textContent, rail = box.querySelector("ul");
  const mark = () => {
    waiting = false;
    const line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4 && scrollY > 0;
    const read = atEnd ? headings.at(-1) : headings.findLast((heading) => heading.getBoundingClientRect().top <= line);
    const link = links.get((read ?? headings[0]).id);
    title.textContent = read ? link[0].textContent : unread;
    bar.toggleAttribute("data-here", scrollY > 44 && !!read);
    if (link === current) return;
    for (const old of current ?? []) old.removeAttribute("aria-current");
    for (const each of link) each.setAttribute("aria-current", "true");
    current = link;
    const shown = link.find((each) => box.contains(each));
    rail.style.setProperty("--y", `${shown.offsetTop}px`);
    rail.style.setProperty("--h", shown.offsetHeight);
    const top = shown.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } }, { passive: true });
  mark();
  bar.addEventListener("toggle", () => {
    const list = bar.querySelector("nav"), link = bar.querySelector("[aria-current]");
    if (bar.open && link) list.scrollTop = link.offsetTop - list.clientHeight / 2;
  });
  bar.addEventListener("click", (event) => { if (event.target.closest("a")) bar.open = false; });
}
