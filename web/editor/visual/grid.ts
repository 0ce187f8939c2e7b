/** Tables: records and columns of the document as rows and cells of the editor, and back. A row of titles comes first. */
import type { Node } from "prosemirror-model";
import { TableMap } from "prosemirror-tables";
import type { Json } from "./model";
import { type Data, schema } from "./schema";

type Column = Data & { id: string; title: string; type: string };
type Record_ = { orderIndex: string; values: Record<string, unknown> };
type Merge = { anchor: { record: string; column: string }; rowSpan: number; colSpan: number };
type Table = { view: Data & { columns: string[]; columnWidths?: Record<string, unknown> }; records: Record<string, Record_>; definition: Record<string, Column>; cellMerges?: Merge[] };

const n = schema.nodes;
/** What of a view names a column, and is kept with that. */
const ROLES = ["targetDefinition", "coverDefinition", "coverDefinitionDark"] as const;
const LARGEST = 20_000;

export function gridOf(json: Json, block: (json: Json) => Node): Node {
  const { view, records, definition, cellMerges, ...data } = json.data as unknown as Table & Data;
  const { columns, columnWidths, ...rest } = view;
  const look: Data = { ...rest };
  for (const role of ROLES) delete look[role];
  const names = Object.keys(definition);
  const rows = Object.keys(records).sort((a, b) => order(records[a]!) - order(records[b]!));
  if (names.length === 0 || names.length * rows.length > LARGEST) throw new RangeError("no table for an editor");
  const cells = new Map((json.fragments ?? []).map((one) => [one.fragment, one.nodes ?? []]));
  const spans = new Map((cellMerges ?? []).map((one) => [`${one.anchor.record} ${one.anchor.column}`, one]));
  const head = names.map((column) => header(definition[column]!, view, !columns.includes(column), columnWidths?.[column]));
  const covered = new Set<string>();
  const body = rows.map((row, at) => {
    const held: Node[] = [];
    names.forEach((column, place) => {
      if (covered.has(`${at} ${place}`)) return;
      const span = spans.get(`${row} ${column}`);
      const attrs = { rowspan: span?.rowSpan ?? 1, colspan: span?.colSpan ?? 1 };
      for (let down = 0; down < attrs.rowspan; down++) for (let across = 0; across < attrs.colspan; across++) if (down || across) covered.add(`${at + down} ${place + across}`);
      const value = records[row]!.values[column];
      const shown = definition[column]!.type === "text" ? (cells.get(value as string) ?? []).map(block) : value === undefined ? [] : [n["cell_value"]!.create({ data: { value } })];
      held.push(n["table_cell"]!.create(attrs, shown.length > 0 ? shown : n["paragraph"]!.create()));
    });
    return n["table_row"]!.create(null, held);
  });
  const made = n["table"]!.create({ data, view: look }, [n["table_row"]!.create(null, head), ...body]);
  if (TableMap.get(made).problems?.length) throw new RangeError("no regular table");
  return made;
}

const order = (record: Record_): number => Number(record.orderIndex) || 0;

function header(column: Column, view: Data, hidden: boolean, width: unknown): Node {
  const { id, title, ...rest } = column;
  const roles = ROLES.filter((role) => view[role] === id);
  const more = { ...(hidden ? { hidden } : {}), ...(width === undefined ? {} : { width }), ...(roles.length > 0 ? { roles } : {}) };
  return n["table_header"]!.create({ column: rest, more }, title ? schema.text(title) : null);
}

type Slot = { column: Column; more: { hidden?: boolean; width?: unknown; roles?: string[] } };

export function tableOf(table: Node, blocks: (cell: Node) => Json[]): Json {
  const map = TableMap.get(table);
  const slots = columnsOf(table, map);
  const records: Record<string, Record_> = {};
  const fragments: Json[] = [];
  const merges: Merge[] = [];
  for (let row = 1; row < map.height; row++) {
    const record = `r${row}`;
    const values: Record<string, unknown> = {};
    records[record] = { orderIndex: String(row - 1).padStart(6, "0"), values };
    slots.forEach(({ column }, place) => {
      const at = map.map[row * map.width + place];
      if (at === undefined || (place > 0 && map.map[row * map.width + place - 1] === at) || map.map[(row - 1) * map.width + place] === at) return;
      const cell = table.nodeAt(at);
      if (!cell) return;
      const { rowspan, colspan } = cell.attrs as { rowspan: number; colspan: number };
      if (rowspan > 1 || colspan > 1) merges.push({ anchor: { record, column: column.id }, rowSpan: rowspan, colSpan: colspan });
      if (column.type === "select" && cell.textContent.trim()) column["options"] = optionsWith(column, cell.textContent);
      const value = column.type === "text" ? put(fragments, `${record}-${column.id}`, textual(cell, blocks)) : valueOf(cell, column);
      if (value !== undefined) values[column.id] = value;
    });
  }
  const data: Data = { ...(table.attrs["data"] as Data), view: viewOf(table, slots), records, definition: Object.fromEntries(slots.map(({ column }) => [column.id, column])) };
  if (merges.length > 0) data["cellMerges"] = merges;
  return { object: "block", type: "table", data, isVoid: true, fragments };
}

function columnsOf(table: Node, map: TableMap): Slot[] {
  return Array.from({ length: map.width }, (_, place) => {
    const at = map.map[place]!;
    const head = table.nodeAt(at);
    const spanned = place > 0 && map.map[place - 1] === at;
    const own = head?.type === n["table_header"] && !spanned;
    const column = { ...(head && own ? (head.attrs["column"] as Data) : { type: "text", textAlignment: "left" }), id: `c${place + 1}`, title: spanned ? "" : (head?.textContent ?? "") } as Column;
    return { column, more: head && own ? (head.attrs["more"] as Slot["more"]) : {} };
  });
}

function viewOf(table: Node, slots: Slot[]): Data {
  const view: Data = { ...(table.attrs["view"] as Data), columns: slots.filter((one) => !one.more.hidden).map((one) => one.column.id) };
  const widths = slots.filter((one) => one.more.width !== undefined).map((one) => [one.column.id, one.more.width]);
  if (widths.length > 0) view["columnWidths"] = Object.fromEntries(widths);
  for (const { column, more } of slots) for (const role of more.roles ?? []) view[role] = column.id;
  if (view["hideHeader"] === true && slots.some((one) => one.column.title.trim())) view["hideHeader"] = (table.attrs["view"] as Data)["titled"] === true;
  delete view["titled"];
  return view;
}

function put(fragments: Json[], name: string, nodes: Json[]): string | undefined {
  if (nodes.length === 0) return undefined;
  fragments.push({ object: "fragment", fragment: name, type: "table-cell", nodes });
  return name;
}

/** A value that came into a column of text is that text. */
function textual(cell: Node, blocks: (cell: Node) => Json[]): Json[] {
  return blocks(cell).filter((one) => one.type !== "cell-value");
}

/** The value of a cell; words that were typed into a column of values are read as one, in place of what was there. */
export function valueOf(cell: Node, column: Data): unknown {
  const words = cell.textContent.trim();
  const held = cell.children.find((one) => one.type === n["cell_value"]);
  return words || !held ? valueIn(words, column) : (held.attrs["data"] as Data)["value"];
}

type Option = { value: string; label: string; color?: string };
export const optionsOf = (column: Data): Option[] => (column["options"] as Option[] | undefined) ?? [];
const listed = (words: string): string[] => words.split(",").map((one) => one.trim()).filter(Boolean);

/** What can be chosen in a column, and these words: as in Markdown, a label that was none of the choices becomes one. */
export function optionsWith(column: Data, words: string): Option[] {
  const found = [...optionsOf(column)];
  for (const one of listed(words)) if (!found.some(({ label, value }) => label === one || value === one)) found.push({ value: one, label: one, color: "default" });
  return found;
}

/** A value in words that say the same of another column; a reference has none but its address. */
export function wordsOf(value: unknown, column: Data): string {
  if (Array.isArray(value)) return value.map((one) => wordsOf(one, column)).filter(Boolean).join(", ");
  if (value && typeof value === "object") return String((value as Data)["url"] ?? "");
  return (column["type"] === "select" && optionsOf(column).find((one) => one.value === value)?.label) || String(value ?? "");
}

const TRUE = new Set(["true", "x", "yes", "1", "on", "✓", "✅", "☑"]);

export function valueIn(words: string, column: Data): unknown {
  if (!words) return undefined;
  switch (column["type"]) {
    case "number":
    case "rating":
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(words) ? Number(words) : words;
    case "checkbox":
      return TRUE.has(words.toLowerCase());
    case "select":
      return listed(words).map((one) => optionsOf(column).find(({ label, value }) => label === one || value === one)?.value ?? one);
    case "users":
      return listed(words);
    case "files":
      return [{ kind: "url", url: words }];
    default:
      return { kind: "url", url: words };
  }
}
