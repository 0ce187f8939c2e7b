/** Two versions of what readers see in one: the words and pictures that came are marked in it, those that went stand struck. */
import { differ } from "./differ";

type Token = { text: string; node: Text | HTMLImageElement };
const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Marks `now`, which is changed by it, and returns it. */
export function marked(before: ParentNode, now: HTMLElement): HTMLElement {
  const old = tokens(before);
  const fresh = tokens(now);
  const kinds = new Map<Token, boolean>();
  const gone = new Map<Token | null, Token[]>();
  for (const step of differ(old.map((one) => one.text), fresh.map((one) => one.text))) {
    if (step.kind === "added") for (const one of fresh.slice(step.from, step.to)) kinds.set(one, true);
    if (step.kind === "deleted") gone.set(fresh[step.at] ?? null, old.slice(step.from, step.to));
  }
  const nodes = new Map<Token["node"], Token[]>();
  for (const one of fresh) nodes.set(one.node, [...(nodes.get(one.node) ?? []), one]);
  for (const [node, list] of nodes) rewrite(now.ownerDocument, node, list, kinds, gone);
  const rest = gone.get(null);
  if (rest) (fresh.at(-1)?.node.parentElement?.closest("p, li, td, th, h2, h3, h4, figure") ?? now).append(...struck(now.ownerDocument, rest));
  return now;
}

function tokens(root: ParentNode & Partial<Node>): Token[] {
  const found: Token[] = [];
  const walk = (node: Node) => {
    if (node instanceof Text || node.nodeType === 3) for (const [text] of (node.nodeValue ?? "").matchAll(WORD)) found.push({ text, node: node as Text });
    else if (node.nodeName === "IMG") {
      const image = node as HTMLImageElement;
      // Addresses are signed anew; what they name stays.
      found.push({ text: `\0${(image.getAttribute("src") ?? "").split("?")[0]}\0${image.alt}`, node: image });
    } else if (node.nodeName !== "STYLE" && node.nodeName !== "SCRIPT") for (const child of [...node.childNodes]) walk(child);
  };
  for (const child of [...root.childNodes]) walk(child);
  return found;
}

function rewrite(page: Document, node: Token["node"], list: Token[], added: Map<Token, boolean>, gone: Map<Token | null, Token[]>): void {
  if (!list.some((one) => added.has(one) || gone.has(one))) return;
  const made: Node[] = [];
  for (const one of list) {
    made.push(...struck(page, gone.get(one) ?? []));
    const kind = added.has(one) ? "INS" : "#text";
    const last = made.at(-1);
    if (one.node.nodeName === "IMG") {
      const copy = one.node.cloneNode(true);
      made.push(added.has(one) ? wrapped(page, "ins", [copy]) : copy);
    } else if (last?.nodeName === kind) last.textContent += one.text;
    else made.push(kind === "INS" ? wrapped(page, "ins", [page.createTextNode(one.text)]) : page.createTextNode(one.text));
  }
  node.replaceWith(...made);
}

function struck(page: Document, list: Token[]): Node[] {
  if (list.length === 0) return [];
  return [wrapped(page, "del", list.map((one) => (one.node.nodeName === "IMG" ? one.node.cloneNode(true) : page.createTextNode(one.text))))];
}

function wrapped(page: Document, name: "ins" | "del", nodes: Node[]): HTMLElement {
  const made = page.createElement(name);
  made.append(...nodes);
  made.normalize();
  return made;
}
