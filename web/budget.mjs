// Weighs what the first screen loads, compressed, and fails above the budget: the entry, what it imports, its style, the
// screen of the organization, and the style sheet of published pages that carries colours and typefaces' names.
import { gzipSync } from "node:zlib";
import { readFileSync, readdirSync } from "node:fs";

const LIMITS = { "first screen": 250, "visual editor": 150, "source editor": 150 };
const built = new URL("../src/octavo/app/static/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", built), "utf8"));
const weigh = (url) => gzipSync(readFileSync(url), { level: 9 }).length;

function files(entry, seen = new Set()) {
  const one = manifest[entry];
  if (!one || seen.has(one.file)) return seen;
  seen.add(one.file);
  for (const style of one.css ?? []) seen.add(style);
  for (const next of one.imports ?? []) files(next, seen);
  return seen;
}

const first = files("index.html");
files("screens/organization/home.tsx", first);
const pages = new URL("../src/octavo/publish/static/", import.meta.url);
const shared = ["tokens.css", "base.css"].map((name) => weigh(new URL(name, pages)));
const sum = (names) => [...names].map((name) => weigh(new URL(name, built))).reduce((a, b) => a + b, 0);
if (manifest["style.css"]) first.add(manifest["style.css"].file);
const writing = Object.keys(manifest).filter((name) => /^screens\/write\//.test(name));
const editor = (entry) => sum(new Set([...writing, entry].flatMap((name) => [...files(name)]).filter((name) => !first.has(name))));
const found = {
  "first screen": sum(first) + shared.reduce((a, b) => a + b, 0),
  "visual editor": editor("editor/visual/view.ts"),
  "source editor": editor("editor/source.ts"),
};
let fails = false;
for (const [name, bytes] of Object.entries(found)) {
  const kilobytes = bytes / 1024;
  const over = kilobytes > LIMITS[name];
  fails ||= over;
  console.log(`${name}: ${kilobytes.toFixed(1)} KiB gzip of ${LIMITS[name]}${over ? " — TOO MUCH" : ""}`);
}
console.log(`all files: ${sum(readdirSync(built).filter((name) => /\.(js|css)$/.test(name))) >> 10} KiB gzip`);
if (fails) process.exit(1);
