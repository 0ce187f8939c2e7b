/** Blocks as wholes: the one under the mouse or at the cursor, and what can be done with it. */
import type { Node, NodeType } from "prosemirror-model";
import { type Command, type EditorState, NodeSelection, Selection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { isBare } from "./document";
import type { Kind } from "./kinds";
import { type Data, schema } from "./schema";

const n = schema.nodes as Record<string, NodeType>;

/** `index` counts the blocks of the page that the server keeps: the document has it there. */
export type Handled = { at: number; type: string; index: number; turns: boolean };

/** What holds blocks that are taken hold of one by one. */
const HOLDS = new Set(["doc", "list_unordered", "list_ordered", "list_tasks", "blockquote", "hint", "tabs_item", "stepper_step", "column", "update", "if", "expandable_body"]);
const LISTS: Record<string, NodeType> = { list: n["list_unordered"]!, numbers: n["list_ordered"]!, tasks: n["list_tasks"]! };
const TEXTS: Record<string, NodeType> = { text: n["paragraph"]!, "heading-1": n["heading_1"]!, "heading-2": n["heading_2"]!, "heading-3": n["heading_3"]! };

/** The innermost block around a place that can be taken hold of. */
export function blockAround(state: EditorState, pos: number): Handled | null {
  const place = state.doc.resolve(pos);
  const inside = place.nodeAfter && !place.parent.inlineContent && HOLDS.has(place.parent.type.name) ? handled(state, pos) : null;
  if (inside) return inside;
  for (let depth = place.depth; depth > 0; depth--) if (HOLDS.has(place.node(depth - 1).type.name)) return handled(state, place.before(depth));
  return null;
}

export function handled(state: EditorState, at: number): Handled | null {
  const node = state.doc.nodeAt(at);
  if (!node) return null;
  const top = state.doc.resolve(at).index(0);
  let index = 0;
  for (let place = 0; place < top; place++) if (!isBare(state.doc.child(place))) index++;
  return { at, type: node.type.name, index, turns: !(node.isAtom || node.type.spec["tableRole"] || node.type === n["images"] || node.type === n["opaque"]) };
}

export function selected(state: EditorState): Handled | null {
  const { selection } = state;
  return blockAround(state, selection instanceof NodeSelection && selection.node.isBlock ? selection.from : selection.$from.pos);
}

/** The block at the height of a point, wherever across the page that is. */
export function blockAt(view: EditorView, y: number): Handled | null {
  const content = view.dom.getBoundingClientRect();
  const found = view.posAtCoords({ left: content.left + Math.min(60, content.width / 2), top: y });
  if (!found) return null;
  return blockAround(view.state, found.inside >= 0 && view.state.doc.nodeAt(found.inside)?.isAtom ? found.inside : found.pos);
}

/** Where its handle stands: beside the first line of it. */
export function rectOfBlock(view: EditorView, at: number): { left: number; top: number; height: number } | null {
  const dom = view.nodeDOM(at);
  if (!(dom instanceof HTMLElement)) return null;
  const box = dom.getBoundingClientRect();
  const line = Number.parseFloat(getComputedStyle(dom).lineHeight) || 28;
  return { left: box.left, top: box.top, height: Math.min(box.height, line) };
}

export const remove = (at: number): Command => (state, dispatch) => {
  if (!state.doc.nodeAt(at)) return false;
  const tr = state.tr;
  const from = cut(tr, at);
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size)))).scrollIntoView());
  return true;
};

/** Take the block at a place away, and the list that held nothing but it; whatever else did keeps a place to write. Says where it was. */
export function cut(tr: Transaction, at: number): number {
  let place = tr.doc.resolve(at);
  let from = at;
  while (place.parent.childCount === 1 && place.parent.type.name.startsWith("list_") && place.depth > 0) {
    from = place.before();
    place = tr.doc.resolve(from);
  }
  const to = from + tr.doc.nodeAt(from)!.nodeSize;
  if (place.parent.childCount === 1) tr.replaceWith(from, to, n["paragraph"]!.create());
  else tr.delete(from, to);
  return from;
}

export const duplicate = (at: number): Command => (state, dispatch) => {
  const node = state.doc.nodeAt(at);
  if (!node) return false;
  const to = at + node.nodeSize;
  const tr = state.tr.insert(to, alone(node));
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(to + 1))).scrollIntoView());
  return true;
};

/** A copy has no anchor of its own: two of one name would be one. */
function alone(node: Node): Node {
  const data = node.attrs["data"] as Data | undefined;
  return data && "id" in data ? node.type.create({ ...node.attrs, data: without(data, "id") }, node.content, node.marks) : node;
}

const without = (data: Data, name: string): Data => Object.fromEntries(Object.entries(data).filter(([one]) => one !== name));

/** It changes places with its neighbour, within what holds it. */
export const moveAt = (at: number, by: -1 | 1): Command => (state, dispatch) => {
  const node = state.doc.nodeAt(at);
  if (!node) return false;
  const place = state.doc.resolve(at);
  const other = place.index() + by;
  if (other < 0 || other >= place.parent.childCount) return false;
  const neighbour = place.parent.child(other);
  const from = by < 0 ? at - neighbour.nodeSize : at;
  const tr = state.tr.replaceWith(from, from + node.nodeSize + neighbour.nodeSize, by < 0 ? [node, neighbour] : [neighbour, node]);
  const to = by < 0 ? from : from + neighbour.nodeSize;
  dispatch?.(tr.setSelection(node.isAtom ? NodeSelection.create(tr.doc, to) : Selection.near(tr.doc.resolve(to + 1))).scrollIntoView());
  return true;
};

/** Another kind of block with the same words; of a list one item, unless it becomes another list. */
export const turnInto = (at: number, kind: Kind): Command => (state, dispatch) => {
  const node = state.doc.nodeAt(at);
  if (!node) return false;
  const place = state.doc.resolve(at);
  const list = node.type === n["list_item"];
  if (list && LISTS[kind]) return replace(state, dispatch, place.before(), place.parent, relisted(place.parent, kind));
  if (list) {
    const items = place.parent;
    const index = place.index();
    const part = (from: number, to: number) => (from < to ? [items.type.create(items.attrs, items.content.cut(offset(items, from), offset(items, to)))] : []);
    const made = [...part(0, index), ...turned(flat(node), kind), ...part(index + 1, items.childCount)];
    return replace(state, dispatch, place.before(), items, made, offset(items, index));
  }
  if (LISTS[kind] && node.type.name.startsWith("list_")) return replace(state, dispatch, at, node, relisted(node, kind));
  return replace(state, dispatch, at, node, turned(flat(node), kind));
};

function offset(parent: Node, index: number): number {
  let found = 0;
  for (let place = 0; place < index; place++) found += parent.child(place).nodeSize;
  return found;
}

function replace(state: EditorState, dispatch: ((tr: EditorState["tr"]) => void) | undefined, at: number, old: Node, made: Node[], within = 0): boolean {
  const place = state.doc.resolve(at);
  const index = place.index();
  if (made.length === 0 || !made.every((one) => place.parent.canReplaceWith(index, index + 1, one.type))) return false;
  const tr = state.tr.replaceWith(at, at + old.nodeSize, made);
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(at + 1 + within, tr.doc.content.size)))).scrollIntoView());
  return true;
}

function relisted(list: Node, kind: string): Node[] {
  const items: Node[] = [];
  list.forEach((item) => {
    const checked = (item.attrs["data"] as Data)["checked"] === true;
    items.push(item.type.create({ data: kind === "tasks" ? { checked } : {} }, item.content));
  });
  return [LISTS[kind]!.create({ data: {} }, items)];
}

/** The blocks that a block consists of, when what it was falls away. */
function flat(node: Node): Node[] {
  const children: Node[] = [];
  node.forEach((one) => children.push(one));
  switch (node.type.name) {
    case "list_item":
    case "blockquote":
    case "hint":
    case "if":
      return children;
    case "list_unordered":
    case "list_ordered":
    case "list_tasks":
    case "expandable":
      return children.flatMap((one) => { const found: Node[] = []; one.forEach((block) => found.push(block)); return found; });
    case "code":
      return [n["paragraph"]!.create({ data: {} }, node.textContent ? lines(node.textContent) : [])];
    default:
      return [node];
  }
}

function lines(text: string): Node[] {
  return text.split("\n").flatMap((line, at) => [...(at > 0 ? [n["hard_break"]!.create()] : []), ...(line ? [schema.text(line)] : [])]);
}

function turned(blocks: Node[], kind: Kind): Node[] {
  const text = TEXTS[kind];
  if (text) return blocks.map((one, at) => (one.isTextblock && (at === 0 || kind === "text") ? text.create({ data: {} }, one.content) : one));
  if (LISTS[kind]) {
    const checked: Data = kind === "tasks" ? { checked: false } : {};
    return [LISTS[kind].create({ data: {} }, blocks.map((one) => n["list_item"]!.create({ data: checked }, plain(one))))];
  }
  if (kind === "code") return [n["code"]!.create({ data: {} }, words(blocks))];
  if (kind === "expandable") {
    const title = blocks[0]?.isTextblock ? plain(blocks[0]) : n["paragraph"]!.create();
    const body = blocks[0]?.isTextblock ? blocks.slice(1) : blocks;
    return [n["expandable"]!.create({ data: {} }, [n["expandable_title"]!.create(null, title), n["expandable_body"]!.create(null, body.length > 0 ? body : n["paragraph"]!.create())])];
  }
  const data: Data = kind === "hint" ? { style: "info" } : {};
  return [n[kind === "hint" ? "hint" : "blockquote"]!.create({ data }, blocks.map(kind === "quote" ? plain : (one) => one))];
}

/** A heading within an item or a title is text. */
const plain = (one: Node): Node => (one.type.name.startsWith("heading_") ? n["paragraph"]!.create({ data: {} }, one.content) : one);

function words(blocks: Node[]): Node[] {
  const text = blocks.map((one) => one.textBetween(0, one.content.size, "\n", (leaf) => (leaf.type === n["hard_break"] ? "\n" : ""))).join("\n");
  return text ? [schema.text(text)] : [];
}
