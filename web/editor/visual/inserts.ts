/** What `/` inserts: blocks as they begin, each with the place where to write first. */
import type { Node, NodeType } from "prosemirror-model";
import { NodeSelection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type Data, schema } from "./schema";

const n = schema.nodes as Record<string, NodeType>;

export type Insert = { id: string; title: string; words: string; inline?: boolean; ask?: "image" | "file"; make?: () => Node };

const p = (words = "") => n["paragraph"]!.create(null, words ? schema.text(words) : null);
const block = (name: string, data: Data, ...content: Node[]) => n[name]!.create({ data }, content);
const item = (data: Data = {}) => block("list_item", data, p());

function grid(look: Data, columns: { title: string; column?: Data; more?: Data }[], rows: number): Node {
  const head = columns.map(({ title, column, more }) => n["table_header"]!.create({ column: column ?? { type: "text", textAlignment: "left" }, more: more ?? {} }, title ? schema.text(title) : null));
  const row = () => n["table_row"]!.create(null, columns.map(() => n["table_cell"]!.create(null, p())));
  return n["table"]!.create({ view: look }, [n["table_row"]!.create(null, head), ...Array.from({ length: rows }, row)]);
}

const text = { type: "text", textAlignment: "left" };

export const INSERTS: Insert[] = [
  { id: "text", title: "Text", words: "paragraph", make: () => p() },
  { id: "heading-1", title: "Heading 1", words: "title h2 section", make: () => block("heading_1", {}) },
  { id: "heading-2", title: "Heading 2", words: "title h3", make: () => block("heading_2", {}) },
  { id: "heading-3", title: "Heading 3", words: "title h4", make: () => block("heading_3", {}) },
  { id: "list", title: "List", words: "bullets unordered points", make: () => block("list_unordered", {}, item()) },
  { id: "numbers", title: "Numbered list", words: "ordered", make: () => block("list_ordered", {}, item()) },
  { id: "tasks", title: "Task list", words: "todo checkbox", make: () => block("list_tasks", {}, item({ checked: false })) },
  { id: "quote", title: "Quote", words: "blockquote citation", make: () => block("blockquote", {}, p()) },
  { id: "code", title: "Code", words: "pre source fence", make: () => block("code", {}) },
  { id: "success", title: "Success", words: "hint callout tip done", make: () => block("hint", { style: "success" }, p()) },
  { id: "danger", title: "Danger", words: "hint callout error", make: () => block("hint", { style: "danger" }, p()) },
  { id: "hint", title: "Hint", words: "info note callout admonition", make: () => block("hint", { style: "info" }, p()) },
  { id: "warning", title: "Warning", words: "hint callout caution", make: () => block("hint", { style: "warning" }, p()) },
  { id: "image", title: "Image", words: "picture photo upload", ask: "image" },
  { id: "table", title: "Table", words: "grid rows columns", make: () => grid({ type: "grid", hideHeader: false }, [{ title: "Name" }, { title: "Meaning" }], 2) },
  {
    id: "cards",
    title: "Cards",
    words: "tiles grid links",
    make: () =>
      grid(
        { type: "cards", cardSize: "medium" },
        [{ title: "" , column: text }, { title: "", column: text }, { title: "Target", column: { type: "content-ref" }, more: { hidden: true, roles: ["targetDefinition"] } }],
        3,
      ),
  },
  { id: "tabs", title: "Tabs", words: "panels", make: () => block("tabs", {}, block("tabs_item", { title: "First" }, p()), block("tabs_item", { title: "Second" }, p())) },
  { id: "stepper", title: "Steps", words: "stepper guide tutorial", make: () => block("stepper", {}, block("stepper_step", {}, block("heading_2", {}), p()), block("stepper_step", {}, block("heading_2", {}), p())) },
  { id: "expandable", title: "Expandable", words: "details accordion fold", make: () => block("expandable", {}, n["expandable_title"]!.create(null, p()), n["expandable_body"]!.create(null, p())) },
  { id: "columns", title: "Columns", words: "side by side layout", make: () => block("columns", {}, block("column", {}, p()), block("column", {}, p())) },
  { id: "divider", title: "Divider", words: "rule line hr separator", make: () => block("divider", {}) },
  { id: "math", title: "Formula", words: "math tex latex equation", make: () => block("math", { formula: "a^2 + b^2 = c^2" }) },
  { id: "mermaid", title: "Diagram", words: "mermaid chart graph flow", make: () => n["code"]!.create({ data: { syntax: "mermaid" } }, schema.text("graph LR\n  A --> B")) },
  { id: "embed", title: "Embed", words: "video url link youtube", make: () => block("embed", { url: "https://" }) },
  { id: "file", title: "File", words: "download attachment upload", ask: "file" },
  { id: "page", title: "Link to a page", words: "content ref reference", make: () => block("content_ref", { ref: { kind: "url", url: "" } }) },
  { id: "updates", title: "Updates", words: "changelog news dates", make: () => block("updates", { format: "full" }, block("update", { date: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z` }, p())) },
  { id: "condition", title: "Condition", words: "if visitor claims adaptive", make: () => block("if", { expression: "visitor.claims.unsigned.beta" }, p()) },
  { id: "prompt", title: "Prompt", words: "assistant ai", make: () => block("prompt", { description: "" }, block("code", {})) },
  { id: "reusable", title: "Reusable content", words: "include snippet", make: () => block("reusable_content", { ref: { kind: "url", url: "" } }) },
  { id: "models", title: "API models", words: "openapi schemas swagger", make: () => block("openapi_schemas", { ref: { kind: "openapi", spec: "" }, schemas: [] }) },
  { id: "webhook", title: "API webhook", words: "openapi", make: () => block("openapi_webhook", { ref: { kind: "openapi", spec: "" }, name: "", method: "post" }) },
  { id: "operation", title: "API operation", words: "openapi swagger", make: () => block("openapi_operation", { ref: { kind: "openapi", spec: "" }, path: "/", method: "get" }) },
  { id: "variable", title: "Variable", words: "expression value", inline: true, make: () => n["expression"]!.create({ data: { expression: "space.vars.name" } }) },
  { id: "inline-math", title: "Formula in text", words: "math inline tex", inline: true, make: () => n["inline_math"]!.create({ data: { formula: "x" } }) },
  { id: "icon", title: "Icon", words: "symbol", inline: true, make: () => n["icon"]!.create({ data: { icon: "star" } }) },
  { id: "button", title: "Button", words: "link action", inline: true, make: () => n["button"]!.create({ data: { label: "Read on", kind: "primary", ref: { kind: "url", url: "https://" } } }) },
];

export function matching(query: string): Insert[] {
  const words = query.toLowerCase().trim();
  const starts = INSERTS.filter((one) => one.title.toLowerCase().startsWith(words));
  return [...starts, ...INSERTS.filter((one) => !starts.includes(one) && `${one.title} ${one.words}`.toLowerCase().includes(words))];
}

/** Put it where the selection is, in place of [from, to) and of a paragraph that has nothing else. */
export function insert(view: EditorView, node: Node, from = view.state.selection.from, to = view.state.selection.to): void {
  let tr = view.state.tr.delete(from, to);
  const place = tr.doc.resolve(from);
  if (node.isInline) {
    tr = tr.replaceWith(from, from, node);
    if (node.isAtom) tr.setSelection(NodeSelection.create(tr.doc, from)).setMeta("placed", true);
    view.focus();
    view.dispatch(tr.scrollIntoView());
    return;
  }
  const depth = place.depth;
  const instead = depth > 0 && place.parent.isTextblock && place.parent.content.size === 0 && place.node(depth - 1).canReplaceWith(place.index(depth - 1), place.index(depth - 1) + 1, node.type);
  let at: number;
  if (instead) {
    at = place.before(depth);
    tr.replaceWith(at, place.after(depth), node);
  } else {
    let level = depth;
    while (level > 0 && !place.node(level - 1).canReplaceWith(place.indexAfter(level - 1), place.indexAfter(level - 1), node.type)) level--;
    at = level > 0 ? place.after(level) : tr.doc.content.size;
    tr.insert(at, node);
  }
  if (node.isAtom || node.type === n["embed"]) tr.setSelection(NodeSelection.create(tr.doc, at)).setMeta("placed", true);
  else tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
  view.focus();
  view.dispatch(tr.scrollIntoView());
}
