/** A page as a site would show it with a look that nobody saved yet: the style sheets of published pages in a frame in which no script runs. */
import { useEffect, useRef } from "react";
import { fill } from "./trusted";
import "./look-frame.css";

export type LookOf = {
  title: string;
  /** HTML that the server rendered of a page. */
  html: string;
  page: string;
  /** The address of the style sheet of these colours and typefaces. */
  sheet: string;
  theme: "light" | "dark" | "system";
  /** `data-` words of the document, as published pages have them. */
  words: Record<string, string>;
  logo?: string;
  mark: string;
  links: { title: string; style?: string }[];
  sections: string[];
  announcement?: { style: string; message: string };
  copyright?: string;
  footLogo?: string;
  columns: { title: string; links?: { title: string }[] }[];
  direction: "ltr" | "rtl";
};

export function LookFrame({ of }: { of: LookOf }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const made = whole(of);
  useEffect(() => {
    if (frame.current) fill(frame.current, made);
  }, [made]);
  return <iframe ref={frame} className="look-frame" title="Preview of the look" sandbox="allow-same-origin" />;
}

const safe = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const head = (of: LookOf) => {
  const styles = document.querySelector<HTMLMetaElement>("meta[name=octavo-page-styles]")?.content ?? "";
  return `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Preview</title><link rel="stylesheet" href="${safe(styles)}"><link rel="stylesheet" href="${safe(of.sheet)}">`;
};

/** Nothing leads anywhere: links are what they look like. */
function header(of: LookOf): string {
  const brand = of.logo ? `<img class="logo" src="${safe(of.logo)}" alt="">` : `<span class="brand-mark" aria-hidden="true">${safe(of.mark)}</span><span class="brand-title">${safe(of.title)}</span>`;
  const links = of.links.map(({ title, style }) => `<a${style && style !== "link" ? ` class="header-button${style === "button-secondary" ? " header-button-secondary" : ""}"` : ""}>${safe(title)}</a>`).join("");
  const sections = of.sections.map((one, at) => `<li><a${at ? "" : ' aria-current="true"'}><span>${safe(one)}</span></a></li>`).join("");
  return `<header class="site-header"><div class="header-row"><div class="header-start"><a class="brand">${brand}</a></div>${links && `<nav class="header-links" aria-label="Links">${links}</nav>`}</div>${sections && `<nav class="sections" aria-label="Sections"><ul>${sections}</ul></nav>`}</header>`;
}

function foot(of: LookOf): string {
  const logo = of.footLogo ? `<div class="footer-brand"><img class="logo" src="${safe(of.footLogo)}" alt=""></div>` : "";
  const columns = of.columns.map(({ title, links }) => `<nav aria-label="${safe(title || "More")}">${title && `<h2>${safe(title)}</h2>`}<ul>${(links ?? []).map((link) => `<li><a><span>${safe(link.title)}</span></a></li>`).join("")}</ul></nav>`).join("");
  const row = logo || columns ? `<div class="footer-row">${logo}${columns}</div>` : "";
  const end = of.copyright ? `<div class="footer-end"><p class="footer-note">${safe(of.copyright)}</p></div>` : "";
  return row || end ? `<footer class="site-footer">${row}${end}</footer>` : "";
}

function whole(of: LookOf): string {
  const data = Object.entries(of.words).map(([name, value]) => ` data-${name}="${safe(value)}"`).join("");
  const themed = of.theme === "system" ? "" : ` data-theme="${of.theme}"`;
  const said = of.announcement ? `<aside class="announcement" data-style="${safe(of.announcement.style)}"><p><span>${safe(of.announcement.message)}</span></p></aside>` : "";
  return `<!doctype html><html lang="en" dir="${of.direction}"${themed}${data}><head>${head(of)}</head><body data-width="default">${said}${header(of)}<div class="frame"><main><article><h1>${safe(of.page)}</h1><div class="content">${of.html}</div></article></main></div>${foot(of)}</body></html>`;
}
