import { expect, test } from "vitest";
import { fromDocument, toDocument } from "./document";
import type { Json } from "./model";
import { random } from "./random";
import { same } from "./same";
import { MARKS } from "./schema";

const VOID = { divider: {}, math: { formula: "x" }, embed: { url: "https://example.org" }, "content-ref": { ref: { kind: "page", page: "p" } }, "openapi-operation": { ref: { kind: "openapi", spec: "s" }, path: "/", method: "get" } };
const HOLDERS = ["blockquote", "hint", "if", "list-unordered", "list-ordered", "list-tasks", "tabs", "stepper", "columns", "updates", "expandable"] as const;
const ITEMS: Record<string, string> = { "list-unordered": "list-item", "list-ordered": "list-item", "list-tasks": "list-item", tabs: "tabs-item", stepper: "stepper-step", columns: "column", updates: "update" };

test("whatever document there may be comes back as it came; what is unheard of is opaque and whole", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const next = random(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
    const words = () => Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(["mill", "wind ", "sails", "ein Müller", "a\nb", "風"])).join(" ");
    const texts = (): Json => {
      const leaves: NonNullable<Json["leaves"]> = [];
      for (let count = 0; count < 1 + next() * 3; count++) {
        const types = MARKS.filter(() => next() < 0.15);
        const marks = types.map((type) => ({ object: "mark", type, data: type === "color" ? { text: "red", background: "default" } : {} }));
        if (leaves.length > 0 && same(leaves[leaves.length - 1]!.marks, marks)) continue;
        leaves.push({ object: "leaf", text: words(), marks });
      }
      return { object: "text", leaves };
    };
    const inlines = (): Json[] => {
      const found: Json[] = [texts()];
      if (next() < 0.3) found.push({ object: "inline", type: "link", data: { ref: { kind: "url", url: `https://example.org/${seed}` } }, isVoid: false, nodes: [texts()] }, texts());
      if (next() < 0.2) found.push({ object: "inline", type: "emoji", data: { code: "1f600" }, isVoid: true });
      return found;
    };
    const block = (depth: number): Json => {
      const kind = next();
      if (kind < 0.05) return { object: "block", type: "unheard-of", data: { secret: seed }, isVoid: false, nodes: [] };
      if (kind < 0.2) {
        const type = pick(Object.keys(VOID) as (keyof typeof VOID)[]);
        return { object: "block", type, data: VOID[type], isVoid: true };
      }
      if (kind < 0.3) return { object: "block", type: "code", data: { syntax: "go" }, isVoid: false, nodes: [line("a {"), line("", false), line("}", true)] };
      if (kind < 0.6 || depth > 2) return { object: "block", type: pick(["paragraph", "heading-1", "heading-2", "heading-3"]), data: {}, isVoid: false, nodes: inlines() };
      return holder(depth);
    };
    const blocks = (depth: number): Json[] => Array.from({ length: 1 + Math.floor(next() * 3) }, () => block(depth + 1));
    const holder = (depth: number): Json => {
      const type = pick(HOLDERS);
      const part = (name: string, nodes: Json[]): Json => ({ object: "fragment", fragment: name, type: name, nodes });
      if (type === "expandable") {
        const title: Json = { object: "block", type: "paragraph", data: {}, isVoid: false, nodes: inlines() };
        return { object: "block", type, data: {}, isVoid: true, fragments: [part("expandable-title", [title]), part("expandable-body", blocks(depth))] };
      }
      const item = ITEMS[type];
      const data = type === "hint" ? { style: "info" } : type === "if" ? { expression: "true" } : {};
      const of = (): Json => ({ object: "block", type: item!, data: type === "list-tasks" ? { checked: next() < 0.5 } : {}, isVoid: false, nodes: blocks(depth) });
      return { object: "block", type, data, isVoid: false, nodes: item ? [of(), of()] : blocks(depth) };
    };
    const document: Json = { object: "document", data: { schemaVersion: 1 }, nodes: blocks(0) };
    const doc = fromDocument(document);
    doc.check();
    expect(same(toDocument(doc), document), `seed ${seed}`).toBe(true);
  }
});

const line = (text: string, lit = false): Json => ({ object: "block", type: "code-line", data: lit ? { highlighted: true } : {}, isVoid: false, nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] });
