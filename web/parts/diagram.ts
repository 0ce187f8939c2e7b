/** Diagrams as pictures: laid out by a frame of no origin that reaches nothing, shown as images, in which nothing runs. */
import { parsed } from "./trusted";
import "./diagram.css";

export type Drawn = { image: string; width: number; height: number } | { error: string };

/** What the frame needs to be ready, or a diagram to be laid out, at most. */
const LONGEST = 20_000;

let opening: Promise<HTMLIFrameElement> | null = null;
let turn: Promise<unknown> = Promise.resolve();

/** One after the other, as the frame does them. `dark` = for a dark page. */
export function diagram(source: string, dark: boolean): Promise<Drawn> {
  const made = turn.then(() => lay(source, dark)).catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
  turn = made;
  return made;
}

function frame(): Promise<HTMLIFrameElement> {
  opening ??= new Promise((resolve, reject) => {
    const made = document.createElement("iframe");
    made.className = "diagram-frame";
    made.title = "Diagrams";
    made.tabIndex = -1;
    made.ariaHidden = "true";
    made.setAttribute("sandbox", "allow-scripts");
    made.addEventListener("load", () => resolve(made), { once: true });
    setTimeout(() => {
      opening = null;
      reject(new Error("Diagrams cannot be drawn now."));
    }, LONGEST);
    made.src = document.querySelector<HTMLMetaElement>("meta[name=octavo-diagrams]")?.content ?? "";
    document.body.append(made);
  });
  return opening;
}

async function lay(source: string, dark: boolean): Promise<Drawn> {
  const within = await frame();
  return new Promise((resolve) => {
    const done = (drawn: Drawn) => {
      removeEventListener("message", heard);
      clearTimeout(late);
      resolve(drawn);
    };
    const late = setTimeout(() => done({ error: "The diagram took too long to draw." }), LONGEST);
    const heard = ({ source: from, data }: MessageEvent<{ svg?: string; rules?: string; error?: string }>) => {
      if (from !== within.contentWindow) return;
      done(typeof data.svg === "string" ? picture(data.svg, String(data.rules ?? "")) : { error: String(data.error ?? "This is no diagram.") });
    };
    addEventListener("message", heard);
    // The frame is of no origin, so it cannot be named; it is told nothing but the diagram.
    within.contentWindow?.postMessage({ settings: settings(dark), sources: [source] }, "*");
  });
}

function settings(dark: boolean) {
  const [ground, tint, ink, accent, muted, surface] = dark ? ["#14161c", "#232a45", "#f1f3f8", "#a3b6ff", "#9aa3b5", "#1b1e26"] : ["#ffffff", "#eef1fc", "#15181f", "#3457d5", "#5b6472", "#f6f7f9"];
  const themeVariables = {
    darkMode: dark, fontFamily: "sans-serif", fontSize: "15px", background: ground, mainBkg: tint, primaryColor: tint, primaryBorderColor: accent, primaryTextColor: ink, nodeBorder: accent,
    secondaryColor: surface, tertiaryColor: surface, lineColor: muted, textColor: ink, clusterBkg: surface, clusterBorder: muted, edgeLabelBackground: ground, actorBkg: tint, actorBorder: accent,
    actorTextColor: ink, signalColor: muted, signalTextColor: ink, labelBoxBkgColor: surface, labelBoxBorderColor: muted, noteBkgColor: surface, noteTextColor: ink, noteBorderColor: muted,
  };
  return { startOnLoad: false, securityLevel: "strict", theme: "base", htmlLabels: false, flowchart: { htmlLabels: false, useMaxWidth: true }, class: { htmlLabels: false }, themeVariables };
}

/** The frame hands styles over apart; an image may have them. */
function picture(svg: string, rules: string): Drawn {
  const drawn = parsed(svg).querySelector("svg");
  if (!drawn) return { error: "This is no diagram." };
  const [, , width = 0, height = 0] = (drawn.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) return { error: "This is no diagram." };
  drawn.setAttribute("width", String(width));
  drawn.setAttribute("height", String(height));
  const text = new XMLSerializer().serializeToString(drawn).replaceAll(" data-style=", " style=");
  // As letters: an element of style would be refused here, where nothing is to be styled by it.
  const styled = text.replace(">", () => `><style>${rules.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>`);
  return { image: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(styled)}`, width, height };
}
