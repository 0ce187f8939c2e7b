// In the frame of diagrams: lays out what the page around it sends, and sends back each drawing with its styles apart.
let drawings = Promise.resolve();

async function layOut(id, source) {
  const { svg } = await mermaid.render(id, source);
  const drawn = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  const rules = [...drawn.querySelectorAll("style")].map((style) => { style.remove(); return style.textContent; }).join("\n");
  for (const part of [drawn, ...drawn.querySelectorAll("[style]")]) {
    if (part.hasAttribute("style")) part.dataset.style = part.getAttribute("style");
    part.removeAttribute("style");
  }
  return { svg: drawn.outerHTML, rules };
}
async function answer({ settings, sources }) {
  mermaid.initialize(settings);
  await document.fonts.ready;
  for (const [number, source] of sources.entries()) {
    try {
      parent.postMessage({ number, ...await layOut(`diagram-${number}`, source) }, "*");
    } catch (error) {
      // What shows diagrams while they are written says why there is none.
      parent.postMessage({ number, error: String(error?.message ?? error).slice(0, 500) }, "*");
      document.getElementById(`ddiagram-${number}`)?.remove();
    }
  }
}
addEventListener("message", ({ source, data }) => {
  if (source === parent) drawings = drawings.then(() => answer(data));
});
