/** Blocks as wholes: whatever is done with one, the page stays a page, and words stay. */
import { EditorState, type Transaction } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { blockAround, duplicate, moveAt, remove, turnInto } from "./blocks";
import { KINDS } from "./kinds";
import { fromBlock, fromDocument, toBlock, toDocument } from "./document";
import { INSERTS } from "./inserts";
import type { Json } from "./model";
import { same } from "./same";
import { schema } from "./schema";

const text = (words: string): Json => ({ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] });
const p = (words: string, type = "paragraph"): Json => ({ object: "block", type, data: {}, isVoid: false, nodes: [text(words)] });
const block = (type: string, nodes: Json[], data = {}): Json => ({ object: "block", type, data, isVoid: false, nodes });
const page = (): Json => ({
  object: "document",
  data: {},
  nodes: [p("Alpha"), p("Beta", "heading-1"), block("list-ordered", [block("list-item", [p("Gamma"), p("more")]), block("list-item", [p("Delta")]), block("list-item", [p("Epsilon")])]), block("blockquote", [p("Zeta"), p("Eta")]), block("hint", [p("Theta")], { style: "info" }), block("code", [block("code-line", [text("iota")]), block("code-line", [text("kappa")])])],
});
const WORDS = ["Alpha", "Beta", "Gamma", "more", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "iota", "kappa"];

/** Places of all blocks that can be taken hold of. */
function places(state: EditorState): number[] {
  const found = new Set<number>();
  for (let at = 0; at <= state.doc.content.size; at++) {
    const one = blockAround(state, at);
    if (one) found.add(one.at);
  }
  return [...found];
}

function after(state: EditorState, run: (state: EditorState, dispatch: (tr: Transaction) => void) => boolean): EditorState {
  let now = state;
  run(state, (tr) => (now = state.apply(tr)));
  now.doc.check();
  return now;
}

describe("a block", () => {
  const state = EditorState.create({ doc: fromDocument(page()) });

  it("is found at every place, items of lists for themselves", () => {
    expect(places(state).map((at) => state.doc.nodeAt(at)!.type.name).filter((one) => one === "list_item")).toHaveLength(3);
    expect(blockAround(state, 3)).toEqual({ at: 0, type: "paragraph", index: 0, turns: true });
  });

  it("becomes any other kind, and no word is lost", () => {
    let turned = 0;
    for (const at of places(state))
      for (const { id } of KINDS) {
        const now = after(state, turnInto(at, id));
        if (now.doc.eq(state.doc)) continue;
        turned++;
        for (const word of WORDS) expect(now.doc.textContent, `${id} at ${at}`).toContain(word);
        expect(same(toDocument(fromDocument(toDocument(now.doc))), toDocument(now.doc))).toBe(true);
      }
    expect(turned).toBeGreaterThan(100);
  });

  it("of a list leaves it alone, and those around it stay a list", () => {
    const at = places(state).find((one) => state.doc.nodeAt(one)!.textContent === "Delta")!;
    expect(toDocument(after(state, turnInto(at, "heading-1")).doc).nodes!.map((one) => one.type)).toEqual(["paragraph", "heading-1", "list-ordered", "heading-1", "list-ordered", "blockquote", "hint", "code"]);
  });

  it("moves down and up again, is there twice, and goes", () => {
    for (const at of places(state)) {
      const node = state.doc.nodeAt(at)!;
      const moved = after(state, moveAt(at, 1));
      const neighbour = state.doc.resolve(at).parent.maybeChild(state.doc.resolve(at).index() + 1);
      if (neighbour) expect(after(moved, moveAt(at + neighbour.nodeSize, -1)).doc.eq(state.doc)).toBe(true);
      expect(after(state, duplicate(at)).doc.content.size).toBe(state.doc.content.size + node.nodeSize);
      expect(after(state, remove(at)).doc.textContent).not.toContain(node.textContent);
    }
    // The last item takes its list along.
    let now = state;
    for (const word of ["Gammamore", "Delta", "Epsilon"]) now = after(now, remove(places(now).find((one) => now.doc.nodeAt(one)!.textContent === word && now.doc.nodeAt(one)!.type.name === "list_item")!));
    expect(toDocument(now.doc).nodes!.map((one) => one.type)).not.toContain("list-ordered");
  });
});

it("everything that can be inserted is a block of the document, and is read as it was written", () => {
  for (const one of INSERTS) {
    if (!one.make) continue;
    const made = one.make();
    made.check();
    const held = made.isInline ? schema.nodes["paragraph"]!.create(null, made) : made;
    const json = toBlock(held);
    const again = fromBlock(json);
    expect(again.type.name, one.id).toBe(held.type.name);
    expect(same(toBlock(again), json), one.id).toBe(true);
  }
});
