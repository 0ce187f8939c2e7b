/** The document model as a schema of ProseMirror: one node type for one node type, its data as it came, nothing dropped. */
import { type Attrs, type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from "prosemirror-model";

export type Data = Record<string, unknown>;

/** The marks of the model in the order in which a leaf lists them. */
export const MARKS = ["bold", "italic", "strikethrough", "code", "keyboard", "superscript", "subscript", "color"] as const;

/** Blocks without text of their own, shown by what they name. */
export const VOID_BLOCKS = ["math", "drawing", "content_ref", "reusable_content", "integration", "swagger", "openapi_operation", "openapi_schemas", "openapi_webhook"] as const;
export const VOID_INLINES = ["emoji", "icon", "inline_image", "inline_math", "expression", "mention", "button"] as const;

const data = { data: { default: {} as Data } };
const of = (node: { attrs: Attrs }): Data => node.attrs["data"] as Data;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

const aligned = (node: { attrs: Attrs }): string => {
  const align = of(node)["align"];
  return align === "center" ? "align-center" : align === "end" ? "align-end" : "";
};

/** Blocks that hold blocks. */
function container(tag: string, more: Partial<NodeSpec> & { class?: string } = {}): NodeSpec {
  const { class: name, ...rest } = more;
  return { group: "block", content: "block+", attrs: data, defining: true, toDOM: (): DOMOutputSpec => [tag, name ? { class: name } : {}, 0], parseDOM: name ? [{ tag: `${tag}.${name}` }] : [{ tag }], ...rest };
}

function heading(level: 1 | 2 | 3): NodeSpec {
  const tags = level === 1 ? ["h1", "h2"] : level === 3 ? ["h4", "h5", "h6"] : ["h3"];
  return {
    group: "block",
    content: "inline*",
    attrs: data,
    defining: true,
    parseDOM: tags.map((tag) => ({ tag })),
    toDOM: (node) => [`h${level + 1}`, { class: `heading ${aligned(node)}`.trim() }, 0],
  };
}

function atom(inline: boolean, name: string): NodeSpec {
  const tag = inline ? "span" : "div";
  return {
    inline,
    group: inline ? "inline" : "block",
    attrs: data,
    atom: true,
    selectable: true,
    draggable: !inline,
    parseDOM: [{ tag: `${tag}[data-node="${name}"]`, getAttrs: (dom) => ({ data: read(dom, "data-data") }) }],
    toDOM: (node) => [tag, { "data-node": name, "data-data": JSON.stringify(of(node)) }],
  };
}

/** What was written into an attribute by `toDOM`; what another page put there is not taken. */
function read(dom: HTMLElement, name: string): Data {
  try {
    const found: unknown = JSON.parse(dom.getAttribute(name) ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? (found as Data) : {};
  } catch {
    return {};
  }
}

const safe = (address: string | null): string | null => (address && /^(https?:|mailto:|tel:|\/|#|\.|[^:]*$)/i.test(address.trim()) ? address.trim() : null);
const span = (dom: HTMLElement, name: string): number => Math.min(100, Math.max(1, Number(dom.getAttribute(name)) || 1));

const cell = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null as number[] | null } };
const spans = (attrs: Attrs) => ({
  ...((attrs["colspan"] as number) > 1 ? { colspan: String(attrs["colspan"]) } : {}),
  ...((attrs["rowspan"] as number) > 1 ? { rowspan: String(attrs["rowspan"]) } : {}),
});

const nodes: Record<string, NodeSpec> = {
  doc: { content: "block+" },
  paragraph: {
    group: "block",
    content: "inline*",
    attrs: data,
    parseDOM: [{ tag: "p" }],
    toDOM: (node) => (aligned(node) ? ["p", { class: aligned(node) }, 0] : ["p", 0]),
  },
  heading_1: heading(1),
  heading_2: heading(2),
  heading_3: heading(3),
  list_unordered: container("ul", { content: "list_item+" }),
  list_ordered: container("ol", {
    content: "list_item+",
    parseDOM: [{ tag: "ol", getAttrs: (dom) => ({ data: Number(dom.getAttribute("start")) > 1 ? { start: Number(dom.getAttribute("start")) } : {} }) }],
    toDOM: (node) => ["ol", of(node)["start"] === undefined ? {} : { start: String(of(node)["start"]) }, 0],
  }),
  list_tasks: container("ul", { class: "tasks", content: "list_item+", parseDOM: [{ tag: "ul.tasks", priority: 60 }, { tag: "ul.contains-task-list", priority: 60 }] }),
  list_item: {
    content: "block+",
    attrs: data,
    defining: true,
    parseDOM: [
      {
        tag: "li",
        getAttrs: (dom) => {
          const box = dom.querySelector<HTMLInputElement>(':scope > input[type="checkbox"], :scope > p > input[type="checkbox"], :scope > label > input[type="checkbox"]');
          return { data: box ? { checked: box.hasAttribute("checked") } : {} };
        },
      },
    ],
    toDOM: (node) => {
      const checked = of(node)["checked"];
      if (typeof checked !== "boolean") return ["li", 0];
      return ["li", { class: "task" }, ["input", { type: "checkbox", ...(checked ? { checked: "" } : {}) }], ["div", { class: "task-body" }, 0]];
    },
  },
  divider: { group: "block", attrs: data, parseDOM: [{ tag: "hr" }], toDOM: () => ["hr"] },
  blockquote: container("blockquote"),
  hint: container("div", {
    parseDOM: [{ tag: "div.hint", contentElement: ".hint-body", getAttrs: (dom) => ({ data: { style: /hint-(\w+)/.exec(dom.className)?.[1] ?? "info" } }) }],
    toDOM: (node) => ["div", { class: `hint hint-${text(of(node)["style"]) || "info"}` }, ["div", { class: "hint-body" }, 0]],
  }),
  prompt: container("section", { class: "prompt", content: "code" }),
  code: {
    group: "block",
    content: "text*",
    marks: "highlighted",
    attrs: data,
    code: true,
    defining: true,
    parseDOM: [
      {
        tag: "pre",
        preserveWhitespace: "full",
        getAttrs: (dom) => {
          const named = /(?:language|lang)-([\w+-]+)/.exec(`${dom.className} ${dom.querySelector("code")?.className ?? ""}`)?.[1];
          return { data: named ? { syntax: named } : {} };
        },
      },
    ],
    toDOM: (node) => ["pre", { class: "code", ...(text(of(node)["syntax"]) ? { "data-language": text(of(node)["syntax"]) } : {}) }, ["code", 0]],
  },
  images: container("div", { class: "images", content: "image+", selectable: true, draggable: true }),
  image: { content: "caption?", attrs: data, selectable: true, isolating: true, parseDOM: [{ tag: "figure[data-data]", getAttrs: (dom) => ({ data: read(dom, "data-data") }) }], toDOM: (node) => ["figure", { "data-data": JSON.stringify(of(node)) }, 0] },
  caption: { content: "paragraph+", attrs: data, isolating: true, parseDOM: [{ tag: "figcaption" }], toDOM: () => ["figcaption", 0] },
  embed: { group: "block", content: "caption?", attrs: data, selectable: true, draggable: true, isolating: true, parseDOM: [{ tag: "div.embed", getAttrs: (dom) => ({ data: read(dom, "data-data") }) }], toDOM: (node) => ["div", { class: "embed", "data-data": JSON.stringify(of(node)) }, 0] },
  file: { group: "block", content: "caption?", attrs: data, selectable: true, draggable: true, isolating: true, parseDOM: [{ tag: "div.file", getAttrs: (dom) => ({ data: read(dom, "data-data") }) }], toDOM: (node) => ["div", { class: "file", "data-data": JSON.stringify(of(node)) }, 0] },
  expandable: { group: "block", content: "expandable_title expandable_body", attrs: data, defining: true, draggable: true, parseDOM: [{ tag: "div.expandable" }], toDOM: () => ["div", { class: "expandable" }, 0] },
  expandable_title: { content: "paragraph", attrs: data, isolating: true, parseDOM: [{ tag: "div.expandable-title" }], toDOM: () => ["div", { class: "expandable-title" }, 0] },
  expandable_body: { content: "block+", attrs: data, isolating: true, parseDOM: [{ tag: "div.expandable-body" }], toDOM: () => ["div", { class: "expandable-body" }, 0] },
  tabs: container("div", { class: "tabs", content: "tabs_item+", draggable: true }),
  tabs_item: { content: "block+", attrs: data, isolating: true, parseDOM: [{ tag: "section.tab-panel", getAttrs: (dom) => ({ data: read(dom, "data-data") }) }], toDOM: (node) => ["section", { class: "tab-panel", "data-data": JSON.stringify(of(node)) }, 0] },
  stepper: container("ol", { class: "stepper", content: "stepper_step+", draggable: true, parseDOM: [{ tag: "ol.stepper", priority: 60 }] }),
  stepper_step: { content: "block+", attrs: data, isolating: true, parseDOM: [{ tag: "li.step", priority: 60 }], toDOM: () => ["li", { class: "step" }, ["span", { class: "step-marker", contenteditable: "false" }], ["div", { class: "step-body" }, 0]] },
  columns: container("div", { class: "columns", content: "column+", draggable: true }),
  column: { content: "block+", attrs: data, isolating: true, parseDOM: [{ tag: "div.column", getAttrs: (dom) => ({ data: read(dom, "data-data") }) }], toDOM: (node) => ["div", { class: "column", "data-data": JSON.stringify(of(node)) }, 0] },
  updates: container("div", { class: "updates", content: "update+", draggable: true }),
  update: { content: "block+", attrs: data, isolating: true, parseDOM: [{ tag: "article.update", getAttrs: (dom) => ({ data: read(dom, "data-data") }) }], toDOM: (node) => ["article", { class: "update", "data-data": JSON.stringify(of(node)) }, 0] },
  if: container("div", { class: "condition", draggable: true, parseDOM: [{ tag: "div.condition", getAttrs: (dom) => ({ data: { expression: dom.getAttribute("data-expression") ?? "true" } }) }], toDOM: (node) => ["div", { class: "condition", "data-expression": text(of(node)["expression"]) }, 0] }),
  table: {
    group: "block",
    content: "table_row+",
    tableRole: "table",
    isolating: true,
    attrs: { ...data, view: { default: { type: "grid", hideHeader: false } as Data } },
    parseDOM: [{ tag: "table", getAttrs: (dom) => (dom.hasAttribute("data-table") ? { data: read(dom, "data-data"), view: read(dom, "data-table") } : {}) }],
    toDOM: (node) => ["table", { class: "table", "data-table": JSON.stringify(node.attrs["view"]), "data-data": JSON.stringify(of(node)) }, ["tbody", 0]],
  },
  table_row: { content: "(table_cell | table_header)*", tableRole: "row", parseDOM: [{ tag: "tr" }], toDOM: () => ["tr", 0] },
  table_header: {
    content: "text*",
    marks: "",
    tableRole: "header_cell",
    isolating: true,
    attrs: { ...cell, column: { default: { type: "text", textAlignment: "left" } as Data }, more: { default: {} as Data } },
    parseDOM: [{ tag: "th", getAttrs: (dom) => ({ colspan: span(dom, "colspan"), rowspan: span(dom, "rowspan"), ...(dom.hasAttribute("data-column") ? { column: read(dom, "data-column"), more: read(dom, "data-more") } : {}) }) }],
    toDOM: (node) => ["th", { ...spans(node.attrs), "data-column": JSON.stringify(node.attrs["column"]), "data-more": JSON.stringify(node.attrs["more"]) }, 0],
  },
  table_cell: {
    content: "(block | cell_value)+",
    tableRole: "cell",
    isolating: true,
    attrs: cell,
    parseDOM: [{ tag: "td", getAttrs: (dom) => ({ colspan: span(dom, "colspan"), rowspan: span(dom, "rowspan") }) }],
    toDOM: (node) => ["td", spans(node.attrs), 0],
  },
  /** What a cell holds that is no text: a number, a tick, files, people, an address. */
  cell_value: { attrs: data, atom: true, selectable: true, parseDOM: [{ tag: "div[data-value]", getAttrs: (dom) => ({ data: read(dom, "data-value") }) }], toDOM: (node) => ["div", { "data-value": JSON.stringify(of(node)) }] },
  /** What this editor does not know: moved and deleted, never touched. */
  opaque: { group: "block", attrs: { json: { default: null } }, atom: true, selectable: true, draggable: true, parseDOM: [{ tag: "div[data-opaque]", getAttrs: (dom) => ({ json: read(dom, "data-opaque") }) }], toDOM: (node) => ["div", { "data-opaque": JSON.stringify(node.attrs["json"]) }] },
  hard_break: { inline: true, group: "inline", selectable: false, linebreakReplacement: true, parseDOM: [{ tag: "br" }], toDOM: () => ["br"] },
  text: { group: "inline" },
};
for (const name of VOID_BLOCKS) nodes[name] = atom(false, name);
for (const name of VOID_INLINES) nodes[name] = atom(true, name);
nodes["inline_image"]!.parseDOM = [
  ...nodes["inline_image"]!.parseDOM!,
  {
    tag: "img[src]",
    getAttrs: (dom) => {
      const address = safe(dom.getAttribute("src"));
      return address && /^https?:/.test(address) ? { data: { ref: { kind: "url", url: address }, ...(dom.getAttribute("alt") ? { alt: dom.getAttribute("alt") } : {}) } } : false;
    },
  },
];

const mark = (tag: string, ...others: string[]): MarkSpec => ({ attrs: data, parseDOM: [{ tag }, ...others.map((one) => (one.includes("=") ? { style: one } : { tag: one }))], toDOM: () => [tag, 0] });

const marks: Record<string, MarkSpec> = {
  annotation: { attrs: { body: { default: [] } }, inclusive: false, parseDOM: [{ tag: "span[data-note]", getAttrs: (dom) => ({ body: (read(dom, "data-note")["body"] as unknown[]) ?? [] }) }], toDOM: (one) => ["span", { class: "annotated", "data-note": JSON.stringify({ body: one.attrs["body"] }) }, 0] },
  link: {
    attrs: data,
    inclusive: false,
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (dom) => {
          const held = dom.getAttribute("data-data");
          if (held) return { data: read(dom, "data-data") };
          const address = safe(dom.getAttribute("href"));
          return address ? { data: { ref: { kind: "url", url: address } } } : false;
        },
      },
    ],
    toDOM: (one) => ["a", { "data-data": JSON.stringify(one.attrs["data"]), href: shown((one.attrs["data"] as Data)["ref"]) }, 0],
  },
  bold: mark("strong", "b", "font-weight=bold", "font-weight=700"),
  italic: mark("em", "i", "font-style=italic"),
  strikethrough: mark("s", "del", "strike"),
  // A block has this name already.
  inline_code: mark("code"),
  keyboard: mark("kbd"),
  superscript: mark("sup"),
  subscript: mark("sub"),
  color: {
    attrs: { data: { default: { text: "default", background: "yellow" } } },
    parseDOM: [{ tag: "mark", getAttrs: (dom) => (dom.hasAttribute("data-data") ? { data: read(dom, "data-data") } : {}) }],
    toDOM: (one) => {
      const { text: ink, background } = one.attrs["data"] as { text?: string; background?: string };
      const bare = (name = "default") => name.replace("$", "");
      return ["mark", { class: "colored", "data-color": bare(ink), "data-background": bare(background), "data-data": JSON.stringify(one.attrs["data"]) }, 0];
    },
  },
  highlighted: { attrs: {}, parseDOM: [{ tag: "mark.line" }], toDOM: () => ["mark", { class: "line highlighted" }, 0] },
};

/** An address to show for a reference: that of a URL; others have one only where they are. */
function shown(ref: unknown): string {
  const url = (ref as Data | undefined)?.["url"];
  return (typeof url === "string" && safe(url)) || "#";
}

/** What the model calls a mark, as the schema calls it. */
export const markNamed = (type: string): string => (type === "code" ? "inline_code" : type);

export const schema = new Schema({ nodes, marks });
