/** A look that nobody saved yet, as published pages would have it: the address of its style sheet, and the words of its document. */
import type { Customization } from "./sites";

type Themed = { light: string; dark: string };

const USUAL = {
  infoColor: { light: "#2563eb", dark: "#60a5fa" },
  successColor: { light: "#15803d", dark: "#4ade80" },
  warningColor: { light: "#b45309", dark: "#fbbf24" },
  dangerColor: { light: "#b91c1c", dark: "#f87171" },
} as const;
const SHEET = "/~octavo/theme.css";

/** Six digits without the sign; null for what is no colour yet. */
function digits(colour: string): string | null {
  const found = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1]?.toLowerCase();
  if (!found) return null;
  return found.length === 6 ? found : [...found].map((one) => one + one).join("");
}

function both(colour: Themed | undefined): [string, string] | null {
  const [light, dark] = [digits(colour?.light ?? ""), digits(colour?.dark ?? "")];
  return light && dark ? [light, dark] : null;
}

/** The style sheet of a site's colours and typefaces: everything is said in its address, as pages say it. */
export function sheet(look: Customization): string {
  const { styling, header } = look;
  const primary = both(styling?.primaryColor) ?? ["3457d5", "3457d5"];
  const parts = [primary[0] === primary[1] ? primary[0] : primary.join("-")];
  const further = (name: string, colour: Themed | undefined, usual?: Themed) => {
    const found = both(colour);
    if (found && !(usual && colour?.light === usual.light && colour.dark === usual.dark)) parts.push(`${name}-${found.join("-")}`);
  };
  further("tint", styling?.tint?.color);
  for (const name of ["info", "success", "warning", "danger"] as const) further(name, styling?.[`${name}Color`], USUAL[`${name}Color`]);
  if (header?.preset === "custom" && both(header.backgroundColor)) {
    further("bar", header.backgroundColor);
    further("link", header.linkColor);
  }
  const query = new URLSearchParams();
  const faces = [["sans", styling?.font, "Inter"], ["heading", styling?.headingFont, null], ["mono", styling?.monospaceFont, "JetBrainsMono"]] as const;
  // Files of an organization's own fonts come from the site alone.
  for (const [place, font, usual] of faces) if (typeof font === "string" && font !== usual) query.set(place, font);
  const rest = query.toString();
  return `${SHEET}?c=${parts.join(".")}${rest && `&${rest}`}`;
}

/** The `data-` words of the document by which its style sheet tells looks apart; what is as usual needs none. */
export function words(look: Customization): Record<string, string> {
  const { styling, header } = look;
  let bar: string = header?.preset ?? "default";
  if (bar === "default" && styling?.theme === "bold") bar = "bold";
  if (bar === "custom" && !both(header?.backgroundColor)) bar = "default";
  const given: Record<string, [string | undefined, string]> = {
    look: [styling?.theme, "clean"],
    corners: [styling?.corners, "rounded"],
    depth: [styling?.depth, "subtle"],
    links: [styling?.links, "default"],
    background: [styling?.background, "plain"],
    search: [styling?.search, "prominent"],
    icons: [styling?.icons, "regular"],
    sidebar: [styling?.sidebar?.background, "default"],
    list: [styling?.sidebar?.list, "default"],
    header: [bar, "default"],
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, [value, usual]]) => (value && value !== usual ? [[name, value]] : [])));
}

type Json = Record<string, unknown>;
const plain = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** What a variant has otherwise than it was read: whole values but for the groups of settings, which name what changed in them. */
export function differing(before: Json, after: Json): Json {
  const made: Json = {};
  for (const [name, value] of Object.entries(after)) {
    const was = before[name];
    if (JSON.stringify(was) === JSON.stringify(value)) continue;
    made[name] = plain(value) && plain(was) ? Object.fromEntries(Object.entries(value).filter(([inner, one]) => JSON.stringify(was[inner]) !== JSON.stringify(one))) : value;
  }
  return made;
}
