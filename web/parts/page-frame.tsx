/** A page as visitors see it: HTML of the server in a frame of its own, in which no script runs, as tall as the page. */
import { useEffect, useRef } from "react";
import inside from "./page-frame.inside.css?url";
import { useTheme } from "./theme";
import { fill } from "./trusted";
import "./page-frame.css";

type Props = {
  title: string;
  html: string;
  wide?: boolean;
  /** A link was followed, by its whole address; true = it was dealt with. */
  onLink: (address: string) => boolean;
  /** An anchor to be shown, and again whenever it is asked for again. */
  anchor?: { id: string };
};

export function PageFrame({ title, html, wide, onLink, anchor }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const follow = useRef(onLink);
  follow.current = onLink;
  const theme = useTheme();

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let watcher: ResizeObserver | undefined;
    const loaded = () => {
      const inner = element.contentDocument;
      if (!inner?.body) return;
      const fit = () => {
        element.height = String(Math.ceil(inner.documentElement.getBoundingClientRect().height));
      };
      watcher = new ResizeObserver(fit);
      watcher.observe(inner.documentElement);
      inner.addEventListener("click", (event) => click(event, follow.current));
      // Keys that open the palette work wherever the focus is.
      inner.addEventListener("keydown", (event) => {
        if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
      });
      fit();
    };
    element.addEventListener("load", loaded);
    fill(element, whole(title, html, theme, wide ?? false));
    return () => {
      element.removeEventListener("load", loaded);
      watcher?.disconnect();
    };
  }, [title, html, theme, wide]);

  useEffect(() => {
    if (anchor) show(frame.current, anchor.id);
  }, [anchor]);

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

function whole(title: string, html: string, theme: string, wide: boolean): string {
  const styles = document.querySelector<HTMLMetaElement>("meta[name=octavo-page-styles]")?.content ?? "";
  const escaped = title.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
  const themed = theme === "system" ? "" : ` data-theme="${theme}"`;
  return `<!doctype html><html lang="en"${themed}><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped}</title><link rel="stylesheet" href="${styles}"><link rel="stylesheet" href="${inside}"></head><body data-width="${wide ? "wide" : "default"}"><main><div class="content">${html}</div></main></body></html>`;
}
