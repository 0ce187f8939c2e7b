/** Cells of columns that hold no text: what is seen in one is what is saved. */
import { EditorState, NodeSelection } from "prosemirror-state";
import { Mapping } from "prosemirror-transform";
import type { EditorView } from "prosemirror-view";
import { expect, test } from "vitest";
import { cellField, setCell } from "./cells";
import { fromDocument, type Json, toDocument } from "./document";
import { join } from "./joining";
import { change } from "./properties";
import type { Data } from "./schema";
import { beside } from "./typing";

type Column = Data & { type: string };

/** A table of one column, whose cells have these values; words where it holds text. */
function table(column: Column, values: unknown[]): EditorState {
  const text = column.type === "text";
  const content: Json = {
    object: "block",
    type: "table",
    data: {
      view: { type: "grid", hideHeader: false, columns: ["c1"] },
      records: Object.fromEntries(values.map((value, at) => [`r${at + 1}`, { orderIndex: String(at).padStart(6, "0"), values: { c1: text ? `r${at + 1}-c1` : value } }])),
      definition: { c1: { ...column, id: "c1", title: "Much" } },
    },
    isVoid: true,
    fragments: text ? values.map((value, at) => ({ object: "fragment", fragment: `r${at + 1}-c1`, type: "table-cell", nodes: [{ object: "block", type: "paragraph", data: {}, isVoid: false, nodes: [{ object: "text", leaves: [{ object: "leaf", text: String(value), marks: [] }] }] }] })) : [],
  };
  return EditorState.create({ doc: fromDocument({ object: "document", data: {}, nodes: [content] }) });
}

/** What is saved: the column, and the values of its cells. */
function saved(state: EditorState): { column: Data; values: unknown[]; words: string } {
  state.doc.check();
  const json = toDocument(fromDocument(toDocument(state.doc)));
  const data = json.nodes![0]!.data as { definition: { c1: Data }; records: Record<string, { values: Data }> };
  const { id: _, title: __, ...column } = data.definition.c1;
  return { column, values: Object.values(data.records).map((one) => one.values["c1"]), words: JSON.stringify(json.nodes![0]!.fragments) };
}

function placed(state: EditorState, name: string): number {
  let found = -1;
  state.doc.descendants((node, at) => void (found < 0 && node.type.name === name && (found = at)));
  return found;
}

function typed(state: EditorState, text: string): EditorState {
  let now = state.apply(state.tr.setSelection(NodeSelection.create(state.doc, placed(state, "cell_value"))));
  for (const letter of text) {
    const view = { state: now, dispatch: (tr: EditorState["tr"]) => (now = now.apply(tr)) } as unknown as EditorView;
    if (!beside(view, letter)) now = now.apply(now.tr.insertText(letter));
  }
  return now;
}

const holds = (state: EditorState, type: string): EditorState => {
  let now = state;
  change(placed(state, "table_header"), { name: "type", label: "Holds", kind: "text", of: "column" }, type)(state, (tr) => (now = state.apply(tr)));
  return now;
};

test("what is typed where a value is chosen is the value, seen and saved", () => {
  const now = typed(table({ type: "number" }, [3, 4]), "57");
  expect(saved(now).values).toEqual([57, 4]);
  expect(now.doc.textContent).toBe("Much57");
  expect(cellField(now, placed(now, "table_cell"))?.value).toBe(57);
  // What the server made of it changes nothing under the cursor.
  expect(join(now, now.doc, fromDocument(toDocument(now.doc)), new Mapping())).toBeNull();
});

test("words behind a value are the value", () => {
  const state = table({ type: "number" }, [3, 4]);
  const at = placed(state, "cell_value") + 1;
  expect(saved(state.apply(state.tr.insert(at, state.schema.nodes["paragraph"]!.create(null, state.schema.text("5"))))).values).toEqual([5, 4]);
});

const LINEN = { value: "l", label: "Linen", color: "red" };
const HEMP = { value: "Hemp", label: "Hemp", color: "default" };

test("a word that is no choice of a column becomes one", () => {
  const state = table({ type: "select", multiple: false, options: [LINEN] }, [["l"], ["l"]]);
  expect(saved(typed(state, "Hemp"))).toMatchObject({ column: { options: [LINEN, HEMP] }, values: [["Hemp"], ["l"]] });
  let set = state;
  setCell(placed(state, "table_cell"), "Hemp, Linen")(state, (tr) => (set = state.apply(tr)));
  expect(saved(set)).toMatchObject({ column: { options: [LINEN, HEMP] }, values: [["Hemp", "l"], ["l"]] });
});

test("a column that holds something else keeps what its cells say", () => {
  const text = table({ type: "text", textAlignment: "left" }, ["Linen", "Hemp", "Linen"]);
  const chosen = holds(text, "select");
  expect(saved(chosen)).toMatchObject({ column: { type: "select", multiple: false, options: [{ value: "Linen", label: "Linen" }, HEMP] }, values: [["Linen"], ["Hemp"], ["Linen"]] });
  const back = saved(holds(chosen, "text"));
  expect(back.column).toEqual({ type: "text", textAlignment: "left" });
  expect(back.words).toBe(saved(text).words);
  expect(saved(holds(table({ type: "number" }, [3, 5]), "text")).words).toMatch(/"text":"3".*"text":"5"/);
  expect(saved(holds(table({ type: "text", textAlignment: "left" }, ["3", "many"]), "number")).values).toEqual([3, "many"]);
});

test.each([
  [{ type: "select", multiple: true, options: [LINEN] }, [["l"], ["Wool"]], "Linen,", [["l"], ["Hemp"]]],
  [{ type: "number" }, [3, 4], "10.0", [10, 7]],
  [{ type: "number" }, [3, 4], "007", [7, 9]],
] as [Column, unknown[], string, unknown[]][])("a cell that is being typed stays as it is when others fill another one: %j", (column, before, words, after) => {
  const state = typed(table(column, before), words);
  const joined = table(column, after).doc;
  const at = placed(state, "paragraph");
  const tr = join(state, state.doc, joined, new Mapping())!;
  expect(tr.doc.nodeAt(at)?.textContent).toBe(words);
  expect(saved(state.apply(tr)).values).toEqual(after);
});
