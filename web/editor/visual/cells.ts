/** Cells of columns that hold no text: what a cell has, and another value in its place. */
import type { Node } from "prosemirror-model";
import { type Command, type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { TableMap } from "prosemirror-tables";
import { optionsOf, optionsWith, valueIn, valueOf, wordsOf } from "./grid";
import type { Field } from "./fields";
import { type Data, schema } from "./schema";

const n = schema.nodes;

export type Celled = { label: string; field: Field; value: unknown };

type Head = { at: number; column: Data };

/** The column of the cell at a place, as the row of titles has it. */
function headOf(state: EditorState, at: number): Head | null {
  const place = state.doc.resolve(at);
  const table = place.node(place.depth - 1);
  if (table?.type !== n["table"]) return null;
  const map = TableMap.get(table);
  const start = place.start(place.depth - 1);
  const found = map.map[map.findCell(at - start).left]!;
  const head = table.nodeAt(found);
  return head && head.type === n["table_header"] ? { at: start + found, column: head.attrs["column"] as Data } : null;
}

export function cellField(state: EditorState, at: number): Celled | null {
  const column = headOf(state, at)?.column;
  const cell = state.doc.nodeAt(at);
  if (!cell || !column || column["type"] === "text") return null;
  const value = valueOf(cell, column);
  const field = (kind: Field["kind"], more: Partial<Field> = {}): Field => ({ name: "value", label: "Value", kind, of: "value", ...more });
  const first = Array.isArray(value) ? (value as unknown[])[0] : value;
  switch (column["type"]) {
    case "number":
    case "rating":
      return { label: "Cell", field: field("number"), value };
    case "checkbox":
      return { label: "Cell", field: field("check", { label: "Ticked" }), value: value === true };
    case "select": {
      const options = optionsOf(column);
      const chosen = ([] as unknown[]).concat(value ?? []).map((one) => options.find((option) => option.value === one)?.label ?? String(one));
      return { label: "Cell", field: field("list", { label: `Of ${options.map((one) => one.label).join(", ") || "its choices"}` }), value: chosen };
    }
    case "users":
      return { label: "Cell", field: field("ref", { label: "Person", find: "person" }), value: typeof first === "string" ? { kind: "user", user: first } : first };
    case "files":
    case "image":
      return { label: "Cell", field: field("ref", { label: "File", find: "file" }), value: first };
    default:
      return { label: "Cell", field: field("ref", { label: "Leads to" }), value: first };
  }
}

/** Another value for the cell at a place; nothing empties it. */
export const setCell = (at: number, value: unknown): Command => (state, dispatch) => {
  const cell = state.doc.nodeAt(at);
  const head = headOf(state, at);
  if (!cell || !head) return false;
  const { column } = head;
  const made = valued(value, column);
  const empty = made === undefined || made === "" || made === null;
  const tr = state.tr.replaceWith(at + 1, at + cell.nodeSize - 1, empty ? n["paragraph"]!.create() : n["cell_value"]!.create({ data: { value: made } }));
  if (column["type"] === "select" && !empty) tr.setNodeAttribute(head.at, "column", { ...column, options: optionsWith(column, String(value ?? "")) });
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))));
  return true;
};

function valued(value: unknown, column: Data): unknown {
  const ref = value && typeof value === "object" ? (value as Data) : null;
  switch (column["type"]) {
    case "users":
      return ref?.["kind"] === "user" ? [ref["user"]] : typeof value === "string" ? valueIn(value, column) : undefined;
    case "files":
      return ref ? [ref] : undefined;
    case "select":
      return valueIn(String(value ?? ""), column);
    default:
      return value;
  }
}

/** What a column has besides what it holds, which another kind of column knows nothing of. */
const OWN: Record<string, Data> = { text: { textAlignment: "left" }, select: { multiple: false, options: [] }, rating: { max: 5 }, users: { multiple: true } };

/** Let the column of a title hold something else: what its cells say stays as far as that can say it, and is what is seen. */
export function retype(tr: Transaction, at: number, was: Data, type: string): void {
  const rest = Object.fromEntries(Object.entries(was).filter(([name]) => !Object.values(OWN).some((one) => name in one)));
  const cells = below(tr.doc, at).map((one) => ({ ...one, words: one.node.textContent.trim() || wordsOf(valueOf(one.node, was), was) }));
  const column: Data = { ...rest, ...OWN[type], type };
  if (type === "select") column["options"] = cells.reduce((options, { words }) => optionsWith({ options }, words), optionsOf(column));
  tr.setNodeAttribute(at, "column", column);
  // From the end on, so that places before stay what they are.
  for (const { node, place, words } of cells.reverse()) {
    const value = node.firstChild?.type === n["cell_value"];
    if (!words || (type === "text" && !value)) continue;
    tr.replaceWith(place + 1, place + node.nodeSize - 1, type === "text" ? n["paragraph"]!.create(null, node.type.schema.text(words)) : n["cell_value"]!.create({ data: { value: valueIn(words, column) } }));
  }
}

function below(doc: Node, at: number): { node: Node; place: number }[] {
  const title = doc.resolve(at);
  const table = title.node(title.depth - 1);
  const start = title.start(title.depth - 1);
  const map = TableMap.get(table);
  const { left } = map.findCell(at - start);
  const found = new Set(Array.from({ length: map.height - 1 }, (_, row) => map.map[(row + 1) * map.width + left]!));
  return [...found].filter((one) => map.findCell(one).left === left && map.findCell(one).top > 0).map((one) => ({ node: table.nodeAt(one)!, place: start + one }));
}
