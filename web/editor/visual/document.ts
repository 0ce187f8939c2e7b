/** Documents of the API as documents of ProseMirror, and back: what comes back is what came, but for keys, which the server gives. */
import { Fragment, type Mark, type Node } from "prosemirror-model";
import { gridOf, tableOf } from "./grid";
import type { Json } from "./model";
import { same, without } from "./same";
import { type Data, markNamed, MARKS, schema, VOID_BLOCKS, VOID_INLINES } from "./schema";

/** Raised where a node has no place in the schema: what holds it becomes opaque. */
class Foreign extends Error {}

const n = schema.nodes;
const m = schema.marks;
const CONTAINERS = new Set(["list-unordered", "list-ordered", "list-tasks", "list-item", "blockquote", "hint", "prompt", "tabs", "tabs-item", "stepper", "stepper-step", "columns", "column", "updates", "update", "if", "images"]);
const ITEMS = new Set(["list_item", "tabs_item", "stepper_step", "column", "update", "image"]);
const TEXTS = new Set(["paragraph", "heading-1", "heading-2", "heading-3"]);
const VOID = new Set<string>([...VOID_BLOCKS, "divider"]);
const VOID_INLINE = new Set<string>(VOID_INLINES);
const CAPTIONED = new Set(["image", "embed", "file"]);
const name = (type: string | undefined): string => (type ?? "").replaceAll("-", "_");
const type = (node: Node): string => node.type.name.replaceAll("_", "-");

export type { Json };

export function fromDocument(document: Json): Node {
  const blocks = (document.nodes ?? []).map(fromBlock);
  return n["doc"]!.create(null, blocks.length > 0 ? blocks : n["paragraph"]!.create());
}

export function toDocument(doc: Node): Json {
  return { object: "document", data: { schemaVersion: 1 }, nodes: written(doc) };
}

/** A block; one that would not come back as it came is opaque. */
export function fromBlock(json: Json): Node {
  try {
    const made = read(json);
    made.check();
    if (!ITEMS.has(made.type.name) && same(toBlock(made), json)) return made;
  } catch (error) {
    if (!(error instanceof Foreign || error instanceof RangeError)) throw error;
  }
  return n["opaque"]!.create({ json: without(json) });
}

function item(json: Json): Node {
  const made = read(json);
  if (!same(toBlock(made), json)) throw new Foreign(json.type);
  return made;
}

function read(json: Json): Node {
  const kind = json.type ?? "";
  const attrs = { data: json.data ?? {} };
  const known = n[name(kind)];
  if (json.object !== "block" || !known) throw new Foreign(kind);
  if (TEXTS.has(kind)) return known.create(attrs, inlines(json.nodes ?? []));
  if (CONTAINERS.has(kind)) {
    const children = (json.nodes ?? []).map((one) => (ITEMS.has(name(one.type)) ? item(one) : fromBlock(one)));
    if (children.length === 0 && kind !== "prompt") return required(known.createAndFill(attrs));
    return known.create(attrs, children);
  }
  if (kind === "code") return known.create(attrs, codeOf(json));
  if (kind === "expandable") return expandable(json);
  if (kind === "table") return gridOf(json, fromBlock);
  if (CAPTIONED.has(kind)) {
    const caption = json.fragments?.[0];
    return known.create(attrs, caption ? [n["caption"]!.create(null, (caption.nodes ?? []).map(fromBlock))] : []);
  }
  if (VOID.has(name(kind))) return known.create(attrs);
  throw new Foreign(kind);
}

function required(node: Node | null): Node {
  if (!node) throw new Foreign("nothing fits here");
  return node;
}

function filled(blocks: Json[]): Node[] {
  return blocks.length > 0 ? blocks.map(fromBlock) : [n["paragraph"]!.create()];
}

function expandable(json: Json): Node {
  const part = (wanted: string) => json.fragments?.find((one) => one.fragment === wanted)?.nodes ?? [];
  return n["expandable"]!.create({ data: json.data ?? {} }, [
    n["expandable_title"]!.create(null, filled(part("expandable-title"))),
    n["expandable_body"]!.create(null, filled(part("expandable-body"))),
  ]);
}

/** The lines of code as one text; those that stand out carry a mark. */
function codeOf(json: Json): Node[] {
  const made: Node[] = [];
  (json.nodes ?? []).forEach((line, at) => {
    const words = (line.nodes ?? []).map((one) => (one.leaves ?? []).map((leaf) => leaf.text).join("")).join("");
    if (at > 0) made.push(schema.text("\n"));
    if (words) made.push(schema.text(words, line.data?.["highlighted"] ? [m["highlighted"]!.create()] : []));
  });
  return joined(made);
}

/** Neighbours under the same marks are one text. */
function joined(nodes: Node[]): Node[] {
  const found: Node[] = [];
  Fragment.fromArray(nodes).forEach((node) => found.push(node));
  return found;
}

function inlines(nodes: Json[], marks: readonly Mark[] = []): Node[] {
  return nodes.flatMap((node) => inline(node, marks));
}

function inline(json: Json, marks: readonly Mark[]): Node[] {
  if (json.object === "text") return (json.leaves ?? []).flatMap((leaf) => leaf_(leaf, marks));
  if (json.type === "link") return inlines(json.nodes ?? [], m["link"]!.create({ data: json.data }).addToSet(marks));
  if (json.type === "annotation") {
    const body = json.fragments?.[0]?.nodes ?? [];
    return inlines(json.nodes ?? [], m["annotation"]!.create({ body: without(body) }).addToSet(marks));
  }
  const kind = name(json.type);
  if (!VOID_INLINE.has(kind)) throw new Foreign(kind);
  return [n[kind]!.create({ data: json.data ?? {} }, null, marks)];
}

function leaf_(leaf: NonNullable<Json["leaves"]>[number], around: readonly Mark[]): Node[] {
  let marks = around;
  for (const one of leaf.marks) {
    const known = m[markNamed(one.type)];
    if (!known) throw new Foreign(one.type);
    marks = known.create({ data: one.data }).addToSet(marks);
  }
  return leaf.text.split("\n").flatMap((words, at) => [...(at > 0 ? [n["hard_break"]!.create(null, null, marks)] : []), ...(words ? [schema.text(words, marks)] : [])]);
}

/** Nodes never change, so what was made of one is kept with it: a key typed costs what it changed. */
const made = new WeakMap<Node, Json>();

export function toBlock(node: Node): Json {
  let found = made.get(node);
  if (!found) made.set(node, (found = write(node)));
  return found;
}

function write(node: Node): Json {
  const kind = type(node);
  if (kind === "opaque") return node.attrs["json"] as Json;
  if (kind === "table") return tableOf(node, written);
  const json: Json = { object: "block", type: kind, data: node.attrs["data"] as Data, isVoid: false };
  if (node.isTextblock) json.nodes = kind === "code" ? lines(node) : words(node);
  else if (kind === "expandable") {
    json.isVoid = true;
    json.fragments = [fragment("expandable-title", kept(node.child(0))), fragment("expandable-body", kept(node.child(1)))];
  } else if (CAPTIONED.has(kind)) {
    json.isVoid = true;
    const caption = node.firstChild && written(node.firstChild);
    if (caption && caption.length > 0) json.fragments = [fragment("caption", caption)];
    // As the server has it: only an image without a caption says so.
    else if (kind === "image") json.fragments = [];
  } else if (node.isLeaf) json.isVoid = true;
  else json.nodes = written(node);
  return json;
}

export const fragment = (named: string, nodes: Json[], kind = named): Json => ({ object: "fragment", fragment: named, type: kind, nodes });

/** A paragraph that only waits to be written into. */
export const isBlank = (node: Node): boolean => node.type === n["paragraph"] && node.content.size === 0 && Object.keys(node.attrs["data"] as Data).length === 0;

/** A paragraph of white space: it waits for words, and the server keeps none of it. */
export const isBare = (node: Node): boolean =>
  isBlank(node) || (node.type === n["paragraph"] && Object.keys(node.attrs["data"] as Data).length === 0 && !node.textContent.trim() && node.children.every((one) => one.isText || one.type === n["hard_break"]));

/** The blocks in a node; no text can hold an empty paragraph. */
function written(node: Node): Json[] {
  const found: Json[] = [];
  node.forEach((child) => {
    if (!isBlank(child)) found.push(toBlock(child));
  });
  return found;
}

function kept(node: Node): Json[] {
  const found = written(node);
  return found.length > 0 ? found : [toBlock(n["paragraph"]!.create())];
}

function lines(node: Node): Json[] {
  const found = [{ words: "", lit: false }];
  node.forEach((child) => {
    const lit = child.marks.length > 0;
    (child.text ?? "").split("\n").forEach((part, at) => {
      if (at > 0) found.push({ words: "", lit: false });
      const last = found[found.length - 1]!;
      last.words += part;
      last.lit ||= lit && part !== "";
    });
  });
  return found.map((line) => ({
    object: "block",
    type: "code-line",
    data: line.lit ? { highlighted: true } : {},
    isVoid: false,
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: line.words, marks: [] }] }],
  }));
}

type Piece = { node: Node; marks: readonly Mark[] };

function words(block: Node): Json[] {
  const pieces: Piece[] = [];
  block.forEach((node) => pieces.push({ node, marks: node.marks }));
  return grouped(pieces);
}

/** What is under one link, or one annotation, is one inline; the outer of them comes first. */
function grouped(pieces: Piece[]): Json[] {
  const found: Json[] = [];
  for (let at = 0; at < pieces.length; ) {
    const around = pieces[at]!.marks.find((mark) => mark.type === m["annotation"] || mark.type === m["link"]);
    let end = at + 1;
    if (around) while (end < pieces.length && around.isInSet(pieces[end]!.marks)) end++;
    if (!around) put(found, pieces[at]!);
    else {
      const inside = grouped(pieces.slice(at, end).map((one) => ({ node: one.node, marks: around.removeFromSet(one.marks) })));
      const note = around.type === m["annotation"];
      found.push({
        object: "inline",
        type: around.type.name,
        data: note ? {} : (around.attrs["data"] as Data),
        isVoid: false,
        nodes: inside,
        ...(note ? { fragments: [fragment("annotation-body", around.attrs["body"] as Json[])] } : {}),
      });
    }
    at = end;
  }
  return found;
}

function put(found: Json[], { node, marks }: Piece): void {
  const characters = node.isText ? node.text! : node.type === n["hard_break"] ? "\n" : null;
  if (characters === null) {
    found.push({ object: "inline", type: type(node), data: node.attrs["data"] as Data, isVoid: true });
    return;
  }
  let last = found[found.length - 1];
  if (last?.object !== "text") found.push((last = { object: "text", leaves: [] }));
  const named = MARKS.flatMap((one) => marks.filter((mark) => mark.type.name === markNamed(one)).map((mark) => ({ object: "mark", type: one, data: mark.attrs["data"] as Data })));
  const leaf = last.leaves![last.leaves!.length - 1];
  if (leaf && same(leaf.marks, named)) last.leaves![last.leaves!.length - 1] = { ...leaf, text: leaf.text + characters };
  else last.leaves!.push({ object: "leaf", text: characters, marks: named });
}
