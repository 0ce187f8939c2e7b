// Draws the diagrams of a page that has some, in the colours of the theme. The library writes style elements and
// attributes, which a strict policy refuses: both are applied through the object model instead, and a diagram is laid out
// twice, because its rules are known only after the first time.
const script = document.getElementById("~mermaid");
const figures = [...document.querySelectorAll(".diagram")];
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const sheets = new Map();
let number = 0;

function settings() {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const style = getComputedStyle(root);
  const ink = document.body.appendChild(document.createElement("i"));
  const colour = (name) => {
    ink.style.color = `var(--${name})`;
    probe.fillStyle = getComputedStyle(ink).color;
    probe.clearRect(0, 0, 1, 1);
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  };
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  const themeVariables = {
    darkMode: isDark, fontFamily: style.getPropertyValue("--sans"), fontSize: "15px", background: colour("ground"), mainBkg: colour("tint"),
    primaryColor: colour("tint"), primaryBorderColor: colour("accent"), primaryTextColor: colour("ink"), nodeBorder: colour("accent"),
    secondaryColor: colour("sunken"), tertiaryColor: colour("surface"), lineColor: colour("muted"), textColor: colour("ink"),
    clusterBkg: colour("surface"), clusterBorder: colour("control"), edgeLabelBackground: colour("ground"), noteBkgColor: colour("warning-ground"), noteTextColor: colour("ink"), noteBorderColor: colour("warning-line"),
    actorBkg: colour("tint"), actorBorder: colour("accent"), actorTextColor: colour("ink"), signalColor: colour("muted"), signalTextColor: colour("ink"), labelBoxBkgColor: colour("surface"), labelBoxBorderColor: colour("control"),
  };
  ink.remove();
  return { startOnLoad: false, securityLevel: "strict", theme: "base", htmlLabels: false, flowchart: { htmlLabels: false, useMaxWidth: true }, class: { htmlLabels: false }, themeVariables };
}

function styleByModel(run) {
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    if (name === "style" && this.style) this.style.cssText = value; else set.call(this, name, value);
  };
  return run().finally(() => { Element.prototype.setAttribute = set; });
}
async function layOut(id, source) {
  const { svg } = await globalThis.mermaid.render(id, source);
  const drawn = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  const rules = [...drawn.querySelectorAll("style")].map((style) => { style.remove(); return style.textContent; }).join("\n");
  return { drawn, rules };
}
async function drawOne(figure) {
  const id = figure.dataset.drawing ??= `diagram-${++number}`;
  const source = figure.querySelector("pre").textContent;
  const sheet = new CSSStyleSheet();
  sheets.set(figure, sheet);
  document.adoptedStyleSheets = [...sheets.values()];
  sheet.replaceSync((await layOut(id, source)).rules);
  figure.querySelector("svg")?.remove();
  const { drawn } = await layOut(id, source);
  const styled = [drawn, ...drawn.querySelectorAll("[style]")].map((part) => [part, part.getAttribute("style") ?? ""]);
  for (const [part] of styled) part.removeAttribute("style");
  document.adoptNode(drawn);
  for (const [part, text] of styled) part.style.cssText = text;
  drawn.setAttribute("role", "img");
  drawn.removeAttribute("aria-roledescription");
  if (!drawn.hasAttribute("aria-labelledby")) drawn.setAttribute("aria-label", "Diagram");
  figure.querySelector("pre").after(drawn);
  figure.dataset.drawn = "";
}
async function draw() {
  globalThis.mermaid.initialize(settings());
  for (const figure of figures) {
    try {
      await styleByModel(() => drawOne(figure));
    } catch {
      // The source stays in sight; what the library left behind goes.
      document.getElementById(`d${figure.dataset.drawing}`)?.remove();
      figure.querySelector("svg")?.remove();
      delete figure.dataset.drawn;
    }
  }
}

if (figures.length) {
  const library = document.createElement("script");
  library.src = script.dataset.library;
  library.addEventListener("load", () => {
    draw();
    addEventListener("themechange", draw);
    dark.addEventListener("change", draw);
  });
  document.head.append(library);
}
