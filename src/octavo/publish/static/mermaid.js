// Draws the diagrams of a page that has some, in the colours of the theme. The library writes style elements and
// attributes, which the policy of the page refuses: a frame that may do nothing else lays diagrams out (diagrams.js), and
// their styles are applied here through the object model.
const words = document.getElementById("~words").dataset;
const script = document.getElementById("~mermaid");
const figures = [...document.querySelectorAll(".diagram")];
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const sheets = new Map();
const frame = document.createElement("iframe");

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

function show(figure, svg, rules) {
  const drawn = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  sheets.set(figure, sheet);
  document.adoptedStyleSheets = [...sheets.values()];
  document.adoptNode(drawn);
  for (const part of [drawn, ...drawn.querySelectorAll("[data-style]")]) {
    part.style.cssText = part.dataset.style ?? "";
    delete part.dataset.style;
  }
  drawn.setAttribute("role", "img");
  drawn.removeAttribute("aria-roledescription");
  if (!drawn.hasAttribute("aria-labelledby")) drawn.setAttribute("aria-label", words.diagram);
  figure.querySelector("svg")?.remove();
  figure.querySelector("pre").after(drawn);
  figure.dataset.drawn = "";
}
function draw() {
  const sources = figures.map((figure) => figure.querySelector("pre").textContent);
  // The frame is of no origin, so it cannot be named; it is told nothing but what stands on the page.
  frame.contentWindow.postMessage({ settings: settings(), sources }, "*");
}

if (figures.length) {
  addEventListener("message", ({ source, data }) => {
    // A diagram that cannot be drawn stays in sight as its source.
    if (source === frame.contentWindow && data.svg && figures[data.number]) show(figures[data.number], data.svg, data.rules);
  });
  frame.className = "diagram-frame";
  frame.title = words.diagrams;
  frame.tabIndex = -1;
  frame.ariaHidden = "true";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = script.dataset.frame;
  frame.addEventListener("load", () => {
    draw();
    addEventListener("themechange", draw);
    dark.addEventListener("change", draw);
  }, { once: true });
  document.body.append(frame);
}
