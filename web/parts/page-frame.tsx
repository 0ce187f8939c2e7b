/** A page as visitors see it: HTML of the server in a frame of its own, in which no script runs, as tall as the page. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import inside from "./page-frame.inside.css?url";
import { marked } from "./marked";
import { useTheme } from "./theme";
import { fill, parsed } from "./trusted";
import "./page-frame.css";

type Props = {
  title: string;
  html: string;
  /** What it was before: what differs is marked. */
  before?: string;
  /** All of it came or went; or it stands among other things, without room around it. */
  look?: "added" | "deleted" | "tight";
  wide?: boolean;
  /** A link was followed, by its whole address; true = it was dealt with. */
  onLink: (address: string) => boolean;
  /** An anchor to be shown, and again whenever it is asked for again. */
  anchor?: { id: string };
  /** Hears of the nodes whenever they are new, and may mark them. */
  mark?: (content: HTMLElement) => void;
};

export function PageFrame({ title, html, before, look, wide, onLink, anchor, ...more }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const follow = useRef(onLink);
  follow.current = onLink;
  const marking = useRef(more.mark);
  marking.current = more.mark;
  const [inner, setInner] = useState<Document | null>(null);
  const theme = useTheme();

  // One document for every page that is shown here: another page changes what is in it.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let watcher: ResizeObserver | undefined;
    const loaded = () => {
      const made = element.contentDocument;
      if (!made?.body) return;
      const fit = () => {
        element.height = String(Math.ceil(made.documentElement.getBoundingClientRect().height));
      };
      watcher = new ResizeObserver(fit);
      watcher.observe(made.documentElement);
      made.addEventListener("click", (event) => click(event, follow.current));
      // Keys that open the palette work wherever the focus is.
      made.addEventListener("keydown", (event) => {
        if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
      });
      setInner(made);
    };
    element.addEventListener("load", loaded);
    fill(element, blank());
    return () => {
      element.removeEventListener("load", loaded);
      watcher?.disconnect();
    };
  }, []);

  useLayoutEffect(() => {
    const content = inner?.querySelector(".content");
    if (!inner || !content) return;
    const made = parsed(html);
    content.replaceChildren(...(before === undefined ? made : marked(parsed(before), made)).childNodes);
    marking.current?.(content as HTMLElement);
  }, [inner, html, before]);

  useLayoutEffect(() => {
    if (!inner) return;
    inner.title = title;
    if (look) inner.body.dataset["look"] = look;
    inner.body.dataset["width"] = wide ? "wide" : "default";
    if (theme === "system") delete inner.documentElement.dataset["theme"];
    else inner.documentElement.dataset["theme"] = theme;
  }, [inner, title, wide, look, theme]);

  useEffect(() => {
    if (anchor && inner) show(frame.current, anchor.id);
  }, [anchor, inner, html]);

  return <iframe ref={frame} className="page-frame" title={`Page: ${title}`} sandbox="allow-same-origin" />;
}

function show(frame: HTMLIFrameElement | null, id: string): void {
  const place = frame?.contentDocument?.getElementById(id);
  if (!frame || !place) return;
  const top = frame.getBoundingClientRect().top + place.getBoundingClientRect().top + scrollY - 72;
  scrollTo({ top, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

function click(event: MouseEvent, follow: (address: string) => boolean): void {
  const link = (event.target as Element | null)?.closest?.("a[href]");
  const address = link?.getAttribute("href");
  if (!link || !address || event.defaultPrevented) return;
  event.preventDefault();
  if (address.startsWith("#")) {
    const frames = [...document.querySelectorAll<HTMLIFrameElement>("iframe.page-frame")];
    const own = frames.find((one) => one.contentDocument === link.ownerDocument);
    show(own ?? null, decodeURIComponent(address.slice(1)));
    return;
  }
  const to = new URL(address, location.href).href;
  if (!event.ctrlKey && !event.metaKey && follow(to)) return;
  if (/^(https?|mailto|tel):/.test(to)) open(to, "_blank", "noopener");
}

/** The document of a frame before there is anything in it, in the clothes of published pages. */
export function blank(): string {
  const styles = document.querySelector<HTMLMetaElement>("meta[name=octavo-page-styles]")?.content ?? "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Page</title><link rel="stylesheet" href="${styles}"><link rel="stylesheet" href="${inside}"></head><body><main><div class="content"></div></main></body></html>`;
}
