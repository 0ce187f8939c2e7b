import { EditorState, type Transaction } from "prosemirror-state";
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
const doc = (...nodes: Json[]) => fromDocument({ object: "document", data: {}, nodes });

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

/** Two people edit, one of them joins what the other sent: every line that somebody typed is there. */
test("no line that anybody typed is lost, whatever they do", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = random(seed);
    const pick = (most: number) => Math.floor(next() * most);
    const sent = doc(...Array.from({ length: 2 + pick(5) }, (_, at) => (next() < 0.3 ? list(`a${at}`, `b${at}`) : paragraph(`p${at} text`))));
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
