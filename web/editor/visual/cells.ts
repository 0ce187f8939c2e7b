/** Cells of columns that hold no text: what a cell has, and another value in its place. */
import { type Command, type EditorState, TextSelection } from "prosemirror-state";
import { TableMap } from "prosemirror-tables";
import { valueIn } from "./grid";
import type { Field } from "./fields";
import { type Data, schema } from "./schema";

const n = schema.nodes;

export type Celled = { label: string; field: Field; value: unknown };

/** The column of the cell at a place, as the row of titles has it. */
function columnOf(state: EditorState, at: number): Data | null {
  const place = state.doc.resolve(at);
  const table = place.node(place.depth - 1);
  if (table?.type !== n["table"]) return null;
  const map = TableMap.get(table);
  const found = map.findCell(at - place.start(place.depth - 1));
  const head = table.nodeAt(map.map[found.left]!);
  return head && head.type === n["table_header"] ? (head.attrs["column"] as Data) : null;
}

export function cellField(state: EditorState, at: number): Celled | null {
  const column = columnOf(state, at);
  if (!column || column["type"] === "text") return null;
  let value: unknown;
  state.doc.nodeAt(at)?.forEach((one) => {
    if (one.type === n["cell_value"]) value ??= (one.attrs["data"] as Data)["value"];
  });
  const field = (kind: Field["kind"], more: Partial<Field> = {}): Field => ({ name: "value", label: "Value", kind, of: "value", ...more });
  const first = Array.isArray(value) ? (value as unknown[])[0] : value;
  switch (column["type"]) {
    case "number":
    case "rating":
      return { label: "Cell", field: field("number"), value };
    case "checkbox":
      return { label: "Cell", field: field("check", { label: "Ticked" }), value: value === true };
    case "select": {
      const options = (column["options"] as { value: string; label: string }[] | undefined) ?? [];
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
  const column = columnOf(state, at);
  if (!cell || !column) return false;
  const made = valued(value, column);
  const empty = made === undefined || made === "" || made === null;
  const tr = state.tr.replaceWith(at + 1, at + cell.nodeSize - 1, empty ? n["paragraph"]!.create() : n["cell_value"]!.create({ data: { value: made } }));
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
