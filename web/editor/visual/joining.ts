/** What the server has as changes of what was sent to it, so small that the cursor keeps its place and nothing typed since is touched. */
import { Fragment, type Node, Slice } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { Mapping, ReplaceStep, type StepMap } from "prosemirror-transform";
import { isBare, isBlank, toBlock } from "./document";
import { valueIn } from "./grid";
import { same, without } from "./same";
import { type Data, schema } from "./schema";

/** Replace [from, to) of the document that was sent; `whole` are the blocks to be put in where that cannot be done. Where it is
 *  the settings of a block alone that are others now, `set` is that block as it was and as it is. */
export type Change = { from: number; to: number; slice: Slice; whole: Node[]; set?: [Node, Node] };

/** Comparing lists of blocks costs their product; what is larger is replaced as a whole. */
const MOST = 1_000_000;

const said = new WeakMap<Node, string>();

/** What a node says, without what the server writes its own way: white space at ends, anchors it gave, empty paragraphs. */
function words(node: Node): string {
  let found = said.get(node);
  if (found === undefined) said.set(node, (found = node.isBlock && !["table_row", "table_cell", "table_header"].includes(node.type.name) ? blockWords(node) : JSON.stringify(node.toJSON())));
  return found;
}

function blockWords(node: Node): string {
  if (isBlank(node)) return "";
  const json = without(toBlock(node));
  return JSON.stringify(json, (key, value: unknown) => {
    if (key === "text" && typeof value === "string" && node.type !== schema.nodes["code"]) return value.replace(/\s+/g, " ").trim();
    if (key === "id" || key === "isVoid") return undefined;
    return value;
  });
}

export function changes(sent: Node, joined: Node): Change[] {
  const found: Change[] = [];
  within(sent, joined, 0, found, null);
  return found;
}

type Place = { node: Node; at: number };

function within(a: Node, b: Node, start: number, found: Change[], top: Node | null): void {
  const old: Place[] = [];
  a.forEach((node, offset) => {
    if (!isBare(node)) old.push({ node, at: start + offset });
  });
  const now = b.children.filter((node) => !isBare(node));
  // Nothing is without a block: the empty one is what became of those that were there.
  if (now.length === 0 && old.length === a.childCount && b.firstChild) now.push(b.firstChild);
  const left = old.map((one) => words(one.node));
  const right = now.map(words);
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const middle = { old: old.slice(head, old.length - tail), now: now.slice(head, now.length - tail) };
  const begins = head > 0 ? old[head - 1]!.at + old[head - 1]!.node.nodeSize : start;
  for (const gap of gaps(middle.old, middle.now, left.slice(head, old.length - tail), right.slice(head, now.length - tail), begins)) between(gap, found, top);
}

type Gap = { old: Place[]; now: Node[]; at: number };

/** What lies between blocks that both have. */
function gaps(old: Place[], now: Node[], left: string[], right: string[], begins: number): Gap[] {
  if (old.length === 0 && now.length === 0) return [];
  if (old.length * now.length > MOST) return [{ old, now, at: begins }];
  const wide = now.length + 1;
  const common = new Uint32Array((old.length + 1) * wide);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * wide + j] = left[i] === right[j] ? common[(i + 1) * wide + j + 1]! + 1 : Math.max(common[(i + 1) * wide + j]!, common[i * wide + j + 1]!);
  const found: Gap[] = [];
  let open: Gap | null = null;
  let at = begins;
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && left[i] === right[j]) {
      at = old[i]!.at + old[i]!.node.nodeSize;
      open = null;
      i++;
      j++;
      continue;
    }
    if (!open) found.push((open = { old: [], now: [], at }));
    if (j >= now.length || (i < old.length && common[(i + 1) * wide + j]! >= common[i * wide + j + 1]!)) open.old.push(old[i++]!);
    else open.now.push(now[j++]!);
  }
  return found;
}

function between({ old, now, at }: Gap, found: Change[], top: Node | null): void {
  const paired = Math.min(old.length, now.length);
  if (old.length === now.length && old.every((one, place) => one.node.type === now[place]!.type)) {
    old.forEach((one, place) => pair(one, now[place]!, found, top ?? now[place]!));
    return;
  }
  // Of several, those of one kind at the beginning are the same ones, edited.
  let same = 0;
  while (same < paired && old[same]!.node.type === now[same]!.type && old.length !== now.length && old[same]!.node.isTextblock && likely(old[same]!.node, now[same]!)) same++;
  for (let place = 0; place < same; place++) pair(old[place]!, now[place]!, found, top ?? now[place]!);
  const gone = old.slice(same);
  const come = now.slice(same);
  const from = gone[0]?.at ?? (same > 0 ? old[same - 1]!.at + old[same - 1]!.node.nodeSize : at);
  const last = gone[gone.length - 1];
  if (gone.length > 0 || come.length > 0) found.push({ from, to: last ? last.at + last.node.nodeSize : from, slice: new Slice(Fragment.fromArray(come), 0, 0), whole: top ? [top] : come });
}

function likely(a: Node, b: Node): boolean {
  const [short, long] = [a.textContent, b.textContent].sort((one, other) => one.length - other.length) as [string, string];
  return short.length > 3 && long.startsWith(short.slice(0, Math.ceil(short.length / 2)));
}

function pair(old: Place, now: Node, found: Change[], top: Node): void {
  const { node, at } = old;
  if (words(node) === words(now) || isRead(node, now, top)) return;
  const alike = JSON.stringify(markup(node)) === JSON.stringify(markup(now));
  if (!alike) {
    // Which columns a table has is among its settings, and its cells follow.
    const apart = node.type === now.type && (node.content.eq(now.content) || !node.type.spec["tableRole"]);
    found.push({ from: at, to: at + node.nodeSize, slice: new Slice(Fragment.from(now), 0, 0), whole: [top], ...(apart && { set: [node, now] }) });
    if (!apart) return;
  }
  if (node.isTextblock) inside(node, now, at + 1, found, top);
  else within(node, now, at + 1, found, top);
}

/** A cell into which somebody typed what the server reads as its value: whoever types goes on there. */
function isRead(node: Node, now: Node, top: Node): boolean {
  const held = now.firstChild;
  const written = node.textContent.trim();
  if (!held || !written || held.type !== schema.nodes["cell_value"]) return false;
  const { value } = held.attrs["data"] as Data;
  let found = false;
  top.descendants((one) => {
    const column = one.type === schema.nodes["table_header"] ? (one.attrs["column"] as Data) : undefined;
    found ||= column !== undefined && column["type"] !== "text" && same(valueIn(written, column), value);
    return !found;
  });
  return found;
}

/** What makes a node, without the anchor that the server gave it. */
function markup(node: Node): unknown {
  const { data, ...rest } = node.attrs as { data?: Record<string, unknown> };
  return [node.type.name, rest, data && Object.fromEntries(Object.entries(data).filter(([name]) => name !== "id"))];
}

function inside(a: Node, b: Node, start: number, found: Change[], top: Node): void {
  // Spaces at the end are typed ahead of words, and no text keeps them.
  const ends = a.textContent.length - a.textContent.trimEnd().length;
  const spaces = a.lastChild?.isText ? a.content.cut(a.content.size - Math.min(ends, a.lastChild.nodeSize)) : Fragment.empty;
  const now = b.textContent === b.textContent.trimEnd() ? b.content.append(spaces) : b.content;
  const from = a.content.findDiffStart(now);
  const end = a.content.findDiffEnd(now);
  if (from === null || !end) return;
  const overlap = from - Math.min(end.a, end.b);
  const [left, right] = overlap > 0 ? [end.a + overlap, end.b + overlap] : [end.a, end.b];
  found.push({ from: start + from, to: start + left, slice: new Slice(now.cut(from, right), 0, 0), whole: [top] });
}

/** Apply them to the state, whose document is `sent` with the steps of `since`: both what they bring and what was typed since stay. */
export function join(state: EditorState, sent: Node, joined: Node, since: Mapping): Transaction | null {
  const theirs = changes(sent, joined);
  if (theirs.length === 0) return null;
  const tr = state.tr.setMeta("addToHistory", false).setMeta("foreign", true);
  const placed = new Set<Node>();
  const aside = (at: number, whole: Node[]): void => {
    if (!whole.every((one) => placed.has(one))) beside(tr, at, whole);
    for (const one of whole) placed.add(one);
  };
  // From the end on, so that places before stay what they are.
  for (const change of [...theirs].sort((one, other) => other.from - one.from || other.to - one.to)) {
    if (change.set) {
      if (!settle(tr, since, change.from, ...change.set)) aside(since.map(change.from, 1), change.whole);
      continue;
    }
    const from = since.map(change.from, change.from === change.to ? -1 : 1);
    const to = Math.max(from, since.map(change.to, -1));
    const untouched = !since.maps.some((map, at) => touches(map, since.slice(0, at), change.from, change.to)) && to - from === change.to - change.from && settled(sent, change, tr.doc, from);
    // What they only took away, and somebody wrote into meanwhile, stays: there is nothing of theirs to be kept.
    if (!untouched && change.slice.size === 0) continue;
    if (!untouched || !put(tr, from, to, change.slice)) aside(to, change.whole);
  }
  return tr.docChanged ? tr : null;
}

/** Their settings come in beside those that were set here since; false where the block is another one now, or gone. */
function settle(tr: Transaction, since: Mapping, from: number, was: Node, theirs: Node): boolean {
  const place = since.mapResult(from, 1);
  const here = place.deletedAfter ? null : tr.doc.nodeAt(place.pos);
  if (here?.type !== was.type) return false;
  for (const [name, value] of Object.entries(settings(was.attrs, theirs.attrs, here.attrs))) if (!same(here.attrs[name], value)) tr.setNodeAttribute(place.pos, name, value);
  return true;
}

/** What others set and nobody set here; `data` holds settings as well. */
function settings(was: Data, theirs: Data, here: Data): Data {
  const names = new Set([...Object.keys(theirs), ...Object.keys(here)]);
  const joined = [...names].map((name): [string, unknown] => {
    const [before, now, mine] = [was[name], theirs[name], here[name]];
    if (name === "data" && isData(before) && isData(now) && isData(mine)) return [name, settings(before, now, mine)];
    return [name, same(before, mine) ? now : mine];
  });
  return Object.fromEntries(joined.filter(([, value]) => value !== undefined));
}

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether all blocks within a change have the settings with which they were sent: steps that set these touch no place. */
function settled(sent: Node, { from, to }: Change, here: Node, at: number): boolean {
  let found = true;
  sent.nodesBetween(from, to, (node, place) => {
    if (place >= from && place + node.nodeSize <= to && !node.isText) found &&= same(node.attrs, here.nodeAt(place - from + at)?.attrs);
    return found;
  });
  return found;
}

/** Whether a step since then changed something within. */
function touches(map: StepMap, before: Mapping, from: number, to: number): boolean {
  const [start, end] = [before.map(from, 1), before.map(to, -1)];
  let found = false;
  map.forEach((oldStart, oldEnd) => {
    if (from === to ? oldStart < start && oldEnd > start : oldStart < end && oldEnd > start) found = true;
    else if (from !== to && oldStart === oldEnd && oldStart > start && oldStart < end) found = true;
  });
  return found;
}

function put(tr: Transaction, from: number, to: number, slice: Slice): boolean {
  const around = tr.doc.resolve(from);
  const [parent, start, end] = [around.parent, around.start(), around.end()];
  if (!parent.inlineContent && slice.size === 0 && from === start && to === end) {
    // All that it held goes: a place to write stays.
    slice = new Slice(parent.type.contentMatch.fillBefore(Fragment.empty, true) ?? Fragment.empty, 0, 0);
  } else if (from === to && parent.childCount === 1 && isBare(parent.firstChild!) && parent.type !== schema.nodes["doc"]) {
    // What fills something empty stands in place of what waited there, unless somebody is about to write into that.
    const { from: left, to: right } = tr.selection;
    if ((right < start || left > end || !parent.canReplace(0, 0, slice.content)) && step(tr, start, end, slice)) return true;
  }
  return step(tr, from, to, slice);
}

const step = (tr: Transaction, from: number, to: number, slice: Slice): boolean => tr.maybeStep(new ReplaceStep(from, to, slice)).failed === null;

/** Both wrote at one place within a moment: theirs stands behind, as a block of its own. */
function beside(tr: Transaction, at: number, blocks: Node[]): void {
  const place = tr.doc.resolve(Math.min(at, tr.doc.content.size));
  const top = place.depth === 0 ? place.pos : place.after(1);
  const fits = blocks.filter((one) => schema.nodes["doc"]!.contentMatch.matchType(one.type));
  if (fits.length > 0) tr.insert(top, fits);
}
