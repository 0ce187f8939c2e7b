/** What can be said of a block besides its words, and done with its parts: fields and buttons for wherever the cursor is. */
import type { Node } from "prosemirror-model";
import { type Command, type EditorState, NodeSelection } from "prosemirror-state";
import { addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, mergeCells, splitCell } from "prosemirror-tables";
import { cellField, retype, setCell } from "./cells";
import type { Field } from "./fields";
import { type Data, schema } from "./schema";

export type Action = { id: string; label: string; run: Command };
export type Properties = { at: number; type: string; label: string; data: Data; fields: Field[]; actions: Action[] };

const f = (name: string, label: string, kind: Field["kind"] = "text", more: Partial<Field> = {}): Field => ({ name, label, kind, ...more });
const LANGUAGES = ["bash", "c", "cpp", "csharp", "css", "diff", "dockerfile", "go", "graphql", "html", "http", "java", "javascript", "json", "kotlin", "markdown", "mermaid", "php", "powershell", "python", "ruby", "rust", "shell", "sql", "swift", "toml", "typescript", "xml", "yaml"];

const SPEC = f("ref", "Specification", "ref", { find: "spec" });
const METHOD = f("method", "Method", "text", { choices: ["get", "post", "put", "patch", "delete", "options", "head", "trace"] });

const SPECS: Record<string, { label: string; fields: Field[] }> = {
  code: { label: "Code", fields: [f("syntax", "Language", "text", { choices: LANGUAGES }), f("title", "Title"), f("lineNumbers", "Line numbers", "check"), f("expandable", "Folded", "check")] },
  hint: { label: "Hint", fields: [f("style", "Style", "text", { choices: ["info", "success", "warning", "danger"] }), f("icon", "Icon")] },
  image: { label: "Image", fields: [f("alt", "Says to those who do not see it"), f("width", "Width", "number")] },
  images: { label: "Images", fields: [f("align", "Align", "text", { choices: ["left", "center", "right"] }), f("withFrame", "Frame", "check"), f("fullWidth", "Full width", "check")] },
  inline_image: { label: "Image in text", fields: [f("alt", "Says to those who do not see it"), f("size", "Size", "text", { choices: ["line", "original"] })] },
  embed: { label: "Embed", fields: [f("url", "Address")] },
  math: { label: "Formula", fields: [f("formula", "TeX", "long", { live: true })] },
  inline_math: { label: "Formula", fields: [f("formula", "TeX", "text", { live: true })] },
  content_ref: { label: "Link to a page", fields: [f("ref", "Page", "ref")] },
  reusable_content: { label: "Reusable content", fields: [f("ref", "Content", "ref", { find: "reusable" })] },
  file: { label: "File", fields: [] },
  drawing: { label: "Drawing", fields: [] },
  divider: { label: "Divider", fields: [] },
  integration: { label: "Block of an integration", fields: [] },
  columns: { label: "Columns", fields: [] },
  updates: { label: "Updates", fields: [f("format", "Shown", "text", { choices: ["full", "short", "numeric"] })] },
  expandable: { label: "Expandable", fields: [f("defaultExpanded", "Open at first", "check")] },
  tabs_item: { label: "Tab", fields: [f("title", "Title"), f("icon", "Icon")] },
  stepper_step: { label: "Step", fields: [f("icon", "Icon")] },
  column: { label: "Column", fields: [f("width", "Width in percent", "percent")] },
  update: { label: "Update", fields: [f("date", "Day", "date"), f("tags", "Tags", "tags")] },
  if: { label: "Condition", fields: [f("expression", "Shown if", "text", { suggest: "variables" })] },
  prompt: { label: "Prompt", fields: [f("description", "Description"), f("icon", "Icon")] },
  openapi_operation: { label: "API operation", fields: [SPEC, f("path", "Path"), METHOD] },
  openapi_schemas: { label: "API models", fields: [SPEC, f("schemas", "Models", "list"), f("grouped", "Together", "check")] },
  openapi_webhook: { label: "Webhook", fields: [SPEC, f("name", "Name"), METHOD] },
  swagger: { label: "API operation", fields: [f("path", "Path"), METHOD] },
  expression: { label: "Variable", fields: [f("expression", "Expression", "text", { suggest: "variables" })] },
  mention: { label: "Mention", fields: [] },
  icon: { label: "Icon", fields: [f("icon", "Name")] },
  button: { label: "Button", fields: [f("label", "Label"), f("kind", "Kind", "text", { choices: ["primary", "secondary"] }), f("ref", "Leads to", "ref")] },
  list_ordered: { label: "Numbered list", fields: [f("start", "Begins with", "number")] },
  table_header: { label: "Column", fields: [f("type", "Holds", "text", { of: "column", choices: ["text", "number", "checkbox", "select", "users", "rating", "files", "content-ref", "image"] }), f("textAlignment", "Align", "text", { of: "column", choices: ["left", "center", "right"] })] },
  table: { label: "Table", fields: [f("type", "Shown as", "text", { of: "view", choices: ["grid", "cards"] }), f("search", "Search", "check"), f("fullWidth", "Full width", "check")] },
  opaque: { label: "Block", fields: [] },
};

/** Parts that come and go within their group. */
const PARTS: Record<string, string> = { tabs_item: "tab", stepper_step: "step", column: "column", update: "update", image: "image" };

function around(state: EditorState): { node: Node; at: number }[] {
  const { selection } = state;
  const found: { node: Node; at: number }[] = [];
  if (selection instanceof NodeSelection) found.push({ node: selection.node, at: selection.from });
  for (let depth = selection.$from.depth; depth > 0; depth--) found.push({ node: selection.$from.node(depth), at: selection.$from.before(depth) });
  return found;
}

/** Of the innermost blocks that have some; of a table both the cell's column and the whole. */
export function propertiesOf(state: EditorState): Properties[] {
  const made: Properties[] = [];
  for (const { node, at } of around(state)) {
    const cell = node.type === schema.nodes["table_cell"] ? cellField(state, at) : null;
    if (cell) made.push({ at, type: "table_cell", label: cell.label, data: { value: cell.value }, fields: [cell.field], actions: [] });
    const known = SPECS[node.type.name];
    const part = PARTS[node.type.name];
    if (!known && !part) continue;
    const data = { ...(node.attrs["view"] as Data), ...(node.attrs["column"] as Data), ...(node.attrs["data"] as Data) };
    made.push({ at, type: node.type.name, label: known?.label ?? part ?? "", data, fields: known?.fields ?? [], actions: [...(part ? parts(node, at, part) : []), ...(node.type.name === "table" ? TABLE : []), remove(node, at)] });
    if (made.length === 2) break;
  }
  return made;
}

const TABLE: Action[] = [
  { id: "row-above", label: "Row above", run: (state, dispatch) => !inHead(state) && addRowBefore(state, dispatch) },
  { id: "row-below", label: "Row below", run: addRowAfter },
  { id: "column-before", label: "Column before", run: addColumnBefore },
  { id: "column-after", label: "Column behind", run: addColumnAfter },
  { id: "row-gone", label: "Remove row", run: (state, dispatch) => !inHead(state) && deleteRow(state, dispatch) },
  { id: "column-gone", label: "Remove column", run: deleteColumn },
  { id: "merge", label: "Merge cells", run: (state, dispatch) => !inHead(state) && mergeCells(state, dispatch) },
  { id: "split", label: "Split cell", run: splitCell },
];

/** The row of titles is the first one, and stays there. */
function inHead(state: EditorState): boolean {
  return around(state).some(({ node }) => node.type === schema.nodes["table_header"]);
}

function parts(node: Node, at: number, part: string): Action[] {
  const label = (words: string) => `${words} ${part}`;
  return [
    {
      id: "add",
      label: label("Add"),
      run: (state, dispatch) => {
        // As it is by now: what was typed into it since has made it longer.
        const size = state.doc.nodeAt(at)?.nodeSize ?? 0;
        const made = node.type.createAndFill(node.type.name === "tabs_item" ? { data: { title: "Tab" } } : node.type.name === "update" ? { data: node.attrs["data"] as Data } : null);
        if (made) dispatch?.(state.tr.insert(at + size, made));
        return made !== null;
      },
    },
    {
      id: "part-gone",
      label: label("Remove"),
      run: (state, dispatch) => {
        const place = state.doc.resolve(at);
        if (!place.nodeAfter || place.parent.childCount < 2) return false;
        dispatch?.(state.tr.delete(at, at + place.nodeAfter!.nodeSize));
        return true;
      },
    },
  ];
}

function remove(node: Node, at: number): Action {
  return {
    id: "remove",
    label: "Remove",
    run: (state, dispatch) => {
      const place = state.doc.resolve(at);
      if (!place.nodeAfter || (!node.isInline && !place.parent.canReplace(place.index(), place.index() + 1) && place.depth > 0)) return false;
      dispatch?.(state.tr.delete(at, at + place.nodeAfter!.nodeSize).scrollIntoView());
      return true;
    },
  };
}

/** Another value of one field; nothing, or what is off, is left out. */
export function change(at: number, field: Field, value: unknown): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    if (!node) return false;
    if (field.of === "value") return setCell(at, value)(state, dispatch);
    if (field.of === "column" && field.name === "type") {
      const tr = state.tr;
      retype(tr, at, node.attrs["column"] as Data, String(value));
      dispatch?.(tr);
      return true;
    }
    const attr = field.of ?? "data";
    const data: Data = { ...(node.attrs[attr] as Data) };
    if (value === "" || value === false || value === null) {
      if (REQUIRED.has(`${node.type.name} ${field.name}`)) data[field.name] = "";
      else delete data[field.name];
    } else data[field.name] = stored(field, value);
    if (attr === "view" && field.name === "type") Object.assign(data, value === "cards" ? { cardSize: "medium" } : { hideHeader: false });
    if (attr === "view" && field.name === "type") delete data[value === "cards" ? "hideHeader" : "cardSize"];
    dispatch?.(state.tr.setNodeAttribute(at, attr, data));
    return true;
  };
}

/** A value as the document has it, of what a field holds. */
function stored(field: Field, value: unknown): unknown {
  const list = () => String(value).split(",").map((one) => one.trim()).filter(Boolean);
  switch (field.kind) {
    case "date":
      return `${String(value)}T00:00:00.000Z`;
    case "percent":
      return { value: Number(value), unit: "%" };
    case "list":
      return list();
    case "tags":
      return list().map((tag) => ({ kind: "tag", tag }));
    default:
      return value;
  }
}

const REQUIRED = new Set(["tabs_item title", "embed url", "math formula", "inline_math formula", "expression expression", "if expression", "prompt description", "openapi_operation path", "openapi_operation method", "openapi_webhook name", "openapi_webhook method", "swagger path", "swagger method", "icon icon", "button label"]);
