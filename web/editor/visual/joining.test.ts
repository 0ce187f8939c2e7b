import { Fragment, type Node } from "prosemirror-model";
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { Mapping } from "prosemirror-transform";
import { expect, test } from "vitest";
import { fromDocument, type Json, toDocument } from "./document";
import { join } from "./joining";
import { random } from "./random";
import { schema } from "./schema";

const words = (text: string): Json => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] });
const paragraph = (text: string): Json => ({ object: "block", type: "paragraph", data: {}, isVoid: false, nodes: text ? [words(text)] : [] });
const list = (...lines: string[]): Json => ({
  object: "block",
  type: "list-unordered",
  data: {},
  isVoid: false,
  nodes: lines.map((one) => ({ object: "block", type: "list-item", data: {}, isVoid: false, nodes: [paragraph(one)] })),
});
const block = (type: string, nodes: Json[], data = {}): Json => ({ object: "block", type, data, isVoid: false, nodes });
const table = (...lines: string[]): Json => ({
  object: "block",
  type: "table",
  data: {
    view: { type: "grid", hideHeader: false, columns: ["c1"] },
    records: Object.fromEntries(lines.map((one, at) => [`r${at + 1}`, { orderIndex: String(at).padStart(6, "0"), values: one ? { c1: `r${at + 1}-c1` } : {} }])),
    definition: { c1: { id: "c1", title: "Cloth", type: "text", textAlignment: "left" } },
  },
  isVoid: true,
  fragments: lines.flatMap((one, at) => (one ? [{ object: "fragment", fragment: `r${at + 1}-c1`, type: "table-cell", nodes: [paragraph(one)] }] : [])),
});
const expandable = (title: string, body: string): Json => ({
  object: "block",
  type: "expandable",
  data: {},
  isVoid: true,
  fragments: [
    { object: "fragment", fragment: "expandable-title", type: "expandable-title", nodes: [paragraph(title)] },
    { object: "fragment", fragment: "expandable-body", type: "expandable-body", nodes: [paragraph(body)] },
  ],
});
const doc = (...nodes: Json[]) => fromDocument({ object: "document", data: {}, nodes });
/** As the server has it: it drops paragraphs without words. */
const stored = (sent: Node): Node => fromDocument(toDocument(worded(sent)));
const worded = (of: Node): Node => (of.isTextblock ? (of.textContent.trim() ? of : of.copy()) : of.copy(Fragment.fromArray(of.children.map(worded))));
/** What it says, of which the server keeps anything. */
const kept = (of: Node) => toDocument(stored(of));

const HELD: [string, (words: string) => Json][] = [
  ["a bullet", (one) => list("One", one, "Three")],
  ["the only bullet", (one) => list(one)],
  ["a cell", (one) => table("One", one, "Three")],
  ["a hint", (one) => block("hint", [paragraph(one)], { style: "info" })],
  ["a quote", (one) => block("blockquote", [paragraph(one)])],
  ["a tab", (one) => block("tabs", [block("tabs-item", [paragraph(one)], { title: "Tab" })])],
  ["a list in a step", (one) => block("stepper", [block("stepper-step", [list(one)])])],
  ["the title of an expandable", (one) => expandable(one, "Body")],
  ["the body of an expandable", (one) => expandable("Title", one)],
];

test.each(HELD)("what others empty is empty, what they fill is full, and all of it is there once: %s", (_, made) => {
  const [full, empty] = [doc(paragraph("Before"), made("Words"), paragraph("Behind")), stored(doc(paragraph("Before"), made(" "), paragraph("Behind")))];
  for (const [sent, joined] of [[full, empty], [empty, full]] as const) {
    const state = EditorState.create({ doc: sent });
    const now = state.apply(join(state, sent, joined, new Mapping())!).doc;
    now.check();
    expect(now.toJSON()).toEqual(joined.toJSON());
  }
});

test.each(HELD)("a cursor stays in what others empty: %s", (_, made) => {
  const sent = doc(made("Words"), paragraph("Behind"));
  let place = 0;
  sent.descendants((node, at) => void (node.text === "Words" && (place = at + 2)));
  const state = EditorState.create({ doc: sent, selection: TextSelection.create(sent, place) });
  const now = state.apply(join(state, sent, stored(doc(made(" "), paragraph("Behind"))), new Mapping())!);
  expect(now.doc.textContent).not.toContain("Words");
  expect(now.selection.from).toBe(place - 2);
});

test.each(HELD)("a space alone, which no text keeps, changes nothing: %s", (_, made) => {
  const sent = doc(made(" "), paragraph(" "), paragraph("Behind"));
  expect(join(EditorState.create({ doc: sent }), sent, stored(sent), new Mapping())).toBeNull();
});

test("what somebody writes into while another one empties it stays, and is there once", () => {
  const sent = doc(list("One", "Two"));
  const state = EditorState.create({ doc: sent });
  const typed = state.tr.insertText("more", 5);
  const since = new Mapping([...typed.mapping.maps]);
  const tr = join(state.apply(typed), sent, stored(doc(list(" ", "Two"))), since);
  expect((tr ?? typed).doc.textContent).toBe("OnmoreeTwo");
});

test("what others wrote comes in, the cursor and what was typed since stay", () => {
  const sent = doc(paragraph("One"), list("Two", "Three"), paragraph("Four "));
  const joined = doc(paragraph("One more"), paragraph("New"), list("Two", "Three", "And a half"), paragraph("Four"));
  let state = EditorState.create({ doc: sent });
  const since = new Mapping();
  const typed = state.tr.insertText("and five", sent.content.size - 1);
  since.appendMapping(typed.mapping);
  state = state.apply(typed);
  const tr = join(state, sent, joined, since);
  state = state.apply(tr!);
  expect(state.doc.textContent).toBe("One moreNewTwoThreeAnd a halfFour and five");
  expect(state.selection.$from.parent.textContent).toBe("Four and five");
});

test("a space that is typed ahead of a word, an empty paragraph and an anchor are nothing to take away", () => {
  const heading = (id?: string): Json => ({ object: "block", type: "heading-1", data: id ? { id } : {}, isVoid: false, nodes: [words("Cloth")] });
  const sent = fromDocument({ object: "document", nodes: [heading(), paragraph("Linen ")] });
  const waiting = EditorState.create({ doc: sent.replace(sent.content.size, sent.content.size, doc(paragraph("")).slice(0, 2)) });
  expect(join(waiting, waiting.doc, doc(heading("cloth"), paragraph("Linen")), new Mapping())).toBeNull();
});

const SET: [string, (data: object) => Json][] = [
  ["an embed", (data) => ({ object: "block", type: "embed", data: { url: "https://example.org/", ...data }, isVoid: true })],
  ["code", (data) => block("code", [block("code-line", [words("one")])], { syntax: "js", ...data })],
  ["a hint", (data) => block("hint", [paragraph("Words")], { style: "info", ...data })],
];

test.each(SET)("settings that others set come in beside those that somebody types: %s", (_, made) => {
  const sent = doc(paragraph("Before"), made({}), paragraph("Behind"));
  let place = 0;
  sent.forEach((node, at) => void (!node.textContent.startsWith("Be") && (place = at)));
  const set = (state: EditorState, more: object) => state.tr.setNodeAttribute(place, "data", { ...(state.doc.nodeAt(place)!.attrs["data"] as object), ...more });
  const state = EditorState.create({ doc: sent });
  const typed = set(state, { title: "Mine" });
  const joined = doc(paragraph("Before"), made({ caption: "Theirs", title: "Theirs" }), paragraph("Behind"));
  const now = state.apply(typed).apply(join(state.apply(typed), sent, joined, new Mapping([...typed.mapping.maps]))!);
  expect(now.doc.childCount).toBe(3);
  expect(now.doc.nodeAt(place)!.attrs["data"]).toMatchObject({ title: "Mine", caption: "Theirs" });
  expect(state.apply(join(state, sent, joined, new Mapping())!).doc.toJSON()).toEqual(joined.toJSON());
  // What they took away is away.
  const emptied = doc(paragraph("Before"), made({}), paragraph("Behind"));
  expect(state.apply(join(state, joined, emptied, new Mapping()) ?? state.tr).doc.nodeAt(place)!.attrs["data"]).not.toHaveProperty("title");
});

/** Two people edit, one of them joins what the other sent: every line that somebody typed is there. */
test("no line that anybody typed is lost, whatever they do", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = random(seed);
    const pick = (most: number) => Math.floor(next() * most);
    const sent = doc(...Array.from({ length: 2 + pick(5) }, (_, at) => (next() < 0.6 ? HELD[pick(HELD.length)]![1](`a${at} text`) : paragraph(`p${at} text`))));
    const typed: string[] = [];
    const edit = (state: EditorState, who: string, times: number, since?: Mapping) => {
      for (let count = 0; count < times; count++) {
        const line = `${who}${seed}x${count}`;
        const tr = edits(state, line, pick);
        since?.appendMapping(tr.mapping);
        state = state.apply(tr);
        typed.push(line);
      }
      return state;
    };
    const joined = edit(EditorState.create({ doc: sent }), "their", 1 + pick(4)).doc;
    const since = new Mapping();
    const state = edit(EditorState.create({ doc: sent }), "mine", pick(4), since);
    const tr = join(state, sent, joined, since);
    const now = (tr ? state.apply(tr) : state).doc;
    now.check();
    const text = JSON.stringify(toDocument(now));
    expect(typed.filter((line) => !text.includes(line)), `seed ${seed}`).toEqual([]);
  }
});

function edits(state: EditorState, line: string, pick: (most: number) => number): Transaction {
  if (pick(4) === 0) {
    const settled: number[] = [];
    state.doc.descendants((node, at) => void (["hint", "tabs_item", "expandable", "list_unordered", "table"].includes(node.type.name) && settled.push(at)));
    const at = settled[pick(settled.length)];
    if (at !== undefined) return state.tr.setNodeAttribute(at, "data", { ...(state.doc.nodeAt(at)!.attrs["data"] as object), [line]: line });
  }
  const places: number[] = [];
  state.doc.descendants((node, at) => {
    if (node.isTextblock) places.push(at);
  });
  const at = places[pick(places.length)]!;
  const node = state.doc.nodeAt(at)!;
  if (pick(2) === 0) return state.tr.insert(state.doc.resolve(at + 1).after(), schema.nodes["paragraph"]!.create(null, schema.text(line)));
  // Between words: whoever types into a word of somebody else parts it.
  const gaps = [...node.textContent].flatMap((one, place) => (one === " " ? [place] : []));
  const place = [0, ...gaps, node.content.size][pick(gaps.length + 2)]!;
  return state.tr.insertText(` ${line} `, at + 1 + place);
}

/** Whatever somebody else did comes in as it is, where nothing was typed meanwhile. */
test("what others did while nobody else wrote is what is there then, no more and no less", () => {
  for (let seed = 1; seed <= 600; seed++) {
    const next = random(seed);
    const pick = (most: number) => Math.floor(next() * most);
    const made = Array.from({ length: 2 + pick(4) }, (_, at) => (next() < 0.8 ? HELD[pick(HELD.length)]![1]([" ", `a${at} text`][pick(2)]!) : paragraph(`p${at} text`)));
    const sent = pick(2) === 0 ? doc(...made) : stored(doc(...made));
    let theirs = EditorState.create({ doc: sent });
    for (let count = 0; count < 1 + pick(4); count++) theirs = theirs.apply(next() < 0.6 ? emptied(theirs, pick) : edits(theirs, `their${seed}x${count}`, pick));
    const joined = stored(theirs.doc);
    const state = EditorState.create({ doc: sent });
    const tr = join(state, sent, joined, new Mapping());
    const now = (tr ? state.apply(tr) : state).doc;
    now.check();
    expect(kept(now), `seed ${seed}`).toEqual(toDocument(joined));
  }
});

/** A paragraph whose words go, or all of what holds it but for a place to write. */
function emptied(state: EditorState, pick: (most: number) => number): Transaction {
  const places: number[] = [];
  state.doc.descendants((node, at) => void (node.isTextblock && places.push(at)));
  const at = places[pick(places.length)]!;
  const node = state.doc.nodeAt(at)!;
  return pick(2) === 0 ? state.tr.delete(at + 1, at + 1 + node.content.size) : state.tr.insertText(" ", at + 1, at + 1 + node.content.size);
}
