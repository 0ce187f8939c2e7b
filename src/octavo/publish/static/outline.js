// Marks the section being read in "On this page", and moves the mark on its rail.
const links = new Map([...document.querySelectorAll(".outline a[href^='#']")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);

if (headings.length) {
  let current = null, waiting = false;
  const mark = () => {
    waiting = false;
    const line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4 && scrollY > 0;
    const read = atEnd ? headings.at(-1) : headings.findLast((heading) => heading.getBoundingClientRect().top <= line) ?? headings[0];
    const link = links.get(read.id);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    current = link;
    const box = link.closest(".outline"), rail = link.closest("ul");
    rail.style.setProperty("--y", `${link.offsetTop}px`);
    rail.style.setProperty("--h", link.offsetHeight);
    const top = link.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } }, { passive: true });
  mark();
}
for (const inline of document.querySelectorAll(".outline-inline")) {
  inline.addEventListener("click", (event) => { if (event.target.closest("a")) inline.open = false; });
}
