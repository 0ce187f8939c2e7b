// What scrolls sideways fades at the edge that hides something; a table that fits lets its head stick to the page.
const boxes = document.querySelectorAll(".table-box, .tab-list, .sections, .code, .math, .diagram");
const watch = new ResizeObserver((seen) => mark(new Set(seen.map(({ target }) => target.closest(".table-box, .code") ?? target))));

function mark(changed) {
  // All is measured before anything is changed, so that the page is laid out once.
  const measured = [...changed].map((box) => [box, box.scrollWidth - box.clientWidth, Math.abs(box.scrollLeft)]);
  for (const [box, hidden, left] of measured) {
    box.toggleAttribute("data-fits", hidden < 2);
    box.classList.toggle("fade-start", hidden > 1 && left > 1);
    box.classList.toggle("fade-end", hidden > 1 && left < hidden - 1);
  }
}
for (const box of boxes) {
  watch.observe(box);
  if (box.matches(".table-box, .code")) watch.observe(box.firstElementChild);
  box.addEventListener("scroll", () => mark([box]), { passive: true });
}
