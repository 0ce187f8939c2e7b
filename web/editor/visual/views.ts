/** Blocks that need more than a tag: what they show of themselves, in the clothes of published pages. */
import type { Node } from "prosemirror-model";
import type { EditorView, NodeView, NodeViewConstructor } from "prosemirror-view";
import type { Json } from "./model";
import { type Look, said, text } from "./look";
import { type Data, VOID_BLOCKS, VOID_INLINES } from "./schema";
import { kind as kindOf, plain } from "../plain";
import { diagrams, formulas, previewed } from "./previews";

const data = (node: Node): Data => node.attrs["data"] as Data;

export function element(tag: string, name = "", words = ""): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (words) made.textContent = words;
  return made;
}

/** A frame around blocks, whose own words follow its data. */
function framed(tag: string, name: string, inner: string, head: (node: Node) => string, headTag = "p", headName = ""): NodeViewConstructor {
  return (node) => {
    const dom = element(tag, name);
    const said_ = element(headTag, headName);
    said_.contentEditable = "false";
    const contentDOM = element(inner === "code" ? "pre" : "div", inner === "code" ? "code" : inner);
    const code = inner === "code" ? element("code") : null;
    if (code) contentDOM.append(code);
    dom.append(said_, contentDOM);
    const show = (one: Node) => {
      const words = head(one);
      said_.textContent = words;
      said_.hidden = words === "";
      if (inner === "code") {
        dom.classList.toggle("line-numbered", data(one)["lineNumbers"] === true);
        contentDOM.classList.toggle("wrap", data(one)["overflow"] === "wrap");
      }
    };
    show(node);
    let at = node;
    return {
      dom,
      contentDOM: code ?? contentDOM,
      update: (next) => {
        if (next.type !== at.type) return false;
        at = next;
        show(next);
        return true;
      },
      ignoreMutation: (change) => change.type !== "selection" && !(code ?? contentDOM).contains(change.target),
    };
  };
}

/** Something that is only shown; it is drawn again when its data or what is known of the world changes. */
function shown(tag: string, name: string, draw: (dom: HTMLElement, node: Node) => void, drawn: Set<() => void>): NodeViewConstructor {
  return (node) => {
    const dom = element(tag, name);
    let at = node;
    const again = () => {
      dom.replaceChildren();
      draw(dom, at);
    };
    again();
    drawn.add(again);
    return {
      dom,
      update: (next) => {
        if (next.type !== at.type) return false;
        const same = next.attrs === at.attrs;
        at = next;
        if (!same) again();
        return true;
      },
      ignoreMutation: () => true,
      destroy: () => void drawn.delete(again),
    };
  };
}

function card(dom: HTMLElement, label: string, words: string): void {
  dom.append(element("span", "card-kind", label), element("span", "card-words", words));
}

const LABELS: Record<string, string> = {
  math: "Formula",
  drawing: "Drawing",
  content_ref: "Page",
  reusable_content: "Reusable content",
  integration: "Block of an integration",
  swagger: "API operation",
  openapi_operation: "API operation",
  openapi_schemas: "API models",
  openapi_webhook: "Webhook",
};

/** Blocks that show what readers see of them. */
const PREVIEWED = ["drawing", "reusable_content", "integration", "swagger", "openapi_operation", "openapi_schemas", "openapi_webhook"];

function blockWords(look: Look, node: Node): string {
  if (node.type.name === "opaque") return plain(node.attrs["json"] as Json).slice(0, 200);
  const of = data(node);
  const named = [text(of["method"]).toUpperCase(), text(of["path"]) || text(of["name"]), Array.isArray(of["schemas"]) ? of["schemas"].join(", ") : ""].filter(Boolean).join(" ");
  return text(of["formula"]) || named || [text(of["integration"]), text(of["block"])].filter(Boolean).join(" / ") || said(look, of["ref"]) || (of["ref"] ? "Not chosen yet" : "");
}

function inlineWords(look: Look, node: Node): string {
  const of = data(node);
  switch (node.type.name) {
    case "emoji":
      return characters(text(of["code"]));
    case "mention":
      return said(look, of["ref"]);
    default:
      return text(of["formula"]) || text(of["expression"]) || text(of["label"]) || text(of["icon"]);
  }
}

/** The characters of an emoji, whose code names them in hexadecimal. */
export function characters(code: string): string {
  const points = code.split(/[-_\s]/).map((one) => Number.parseInt(one, 16));
  return points.every((one) => one > 0 && one <= 0x10ffff) ? String.fromCodePoint(...points) : code;
}

function picture(dom: HTMLElement, look: Look, of: Data, inline: boolean): void {
  const address = look.image((of["ref"] ?? {}) as Data);
  if (!address) {
    dom.append(element("span", "image-missing", text(of["alt"]) || said(look, of["ref"]) || "Image"));
    return;
  }
  const image = document.createElement("img");
  image.src = address;
  image.alt = text(of["alt"]);
  image.draggable = false;
  const width = of["width"];
  if (typeof width === "number") image.width = width;
  else if (width && typeof width === "object") image.style.width = `${Number((width as Data)["value"])}${text((width as Data)["unit"]) || "px"}`;
  if (inline && of["size"] !== "original") image.className = "line-image";
  dom.append(image);
}

/** A picture, an embed or a file, with a caption below. */
function captioned(name: string, draw: (dom: HTMLElement, node: Node) => void, drawn: Set<() => void>): NodeViewConstructor {
  return (node) => {
    const dom = element("figure", name);
    const media = element("div", "media");
    media.contentEditable = "false";
    const contentDOM = element("div", "captioned");
    dom.append(media, contentDOM);
    let at = node;
    const again = () => {
      media.replaceChildren();
      draw(media, at);
    };
    again();
    drawn.add(again);
    return {
      dom,
      contentDOM,
      update: (next) => {
        if (next.type !== at.type) return false;
        const same = next.attrs === at.attrs;
        at = next;
        if (!same) again();
        return true;
      },
      ignoreMutation: (change) => change.type !== "selection" && !contentDOM.contains(change.target),
      destroy: () => void drawn.delete(again),
    };
  };
}

function table(node: Node): NodeView {
  const dom = element("div", "table-box");
  const contentDOM = element("tbody");
  const inner = element("table", "table");
  inner.append(contentDOM);
  dom.append(inner);
  const show = (one: Node) => {
    const view = one.attrs["view"] as Data;
    dom.classList.toggle("is-cards", view["type"] === "cards");
    dom.classList.toggle("is-bare", view["hideHeader"] === true);
  };
  show(node);
  return {
    dom,
    contentDOM,
    update: (next) => {
      if (next.type !== node.type) return false;
      show(next);
      return true;
    },
    ignoreMutation: (change) => change.type !== "selection" && !contentDOM.contains(change.target),
  };
}

function task(node: Node, view: EditorView, at: () => number | undefined): NodeView {
  const dom = element("li");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.setAttribute("aria-label", "Done");
  const contentDOM = element("div", "task-body");
  let item = node;
  const show = () => {
    const checked = data(item)["checked"];
    const tasks = typeof checked === "boolean";
    dom.className = tasks ? "task" : "";
    contentDOM.className = tasks ? "task-body" : "item-body";
    if (tasks && !box.isConnected) dom.prepend(box);
    if (!tasks) box.remove();
    box.checked = checked === true;
  };
  box.contentEditable = "false";
  box.addEventListener("change", () => {
    const place = at();
    if (place !== undefined) view.dispatch(view.state.tr.setNodeAttribute(place, "data", { ...data(item), checked: box.checked }));
  });
  dom.append(contentDOM);
  show();
  return {
    dom,
    contentDOM,
    update: (next) => {
      if (next.type !== item.type) return false;
      item = next;
      show();
      return true;
    },
    stopEvent: (event) => event.target === box,
    ignoreMutation: (change) => change.type !== "selection" && !contentDOM.contains(change.target),
  };
}

function valueWords(look: Look, value: unknown): string {
  if (typeof value === "boolean") return value ? "☑" : "☐";
  if (Array.isArray(value)) return value.map((one) => valueWords(look, one)).join(", ");
  return value && typeof value === "object" ? said(look, value) : String(value ?? "");
}

/** Constructors of all of them; `drawn` is called when something is known that was not. */
export function views(look: Look, drawn: Set<() => void>): Record<string, NodeViewConstructor> {
  const listing = framed("figure", "code-block", "code", (node) => [text(data(node)["title"]), text(data(node)["syntax"])].filter(Boolean).join(" · "), "figcaption", "code-title");
  const head = (node: Node) => (dom: HTMLElement) => card(dom, LABELS[node.type.name] ?? (node.type.name === "opaque" ? kindOf(node.attrs["json"] as Json) : node.type.name), blockWords(look, node));
  const made: Record<string, NodeViewConstructor> = {
    code: diagrams(look, listing, drawn),
    math: formulas(look, true),
    inline_math: formulas(look, false),
    tabs_item: framed("section", "tab-panel", "tab-body", (node) => text(data(node)["title"]) || "Tab", "p", "tab-title"),
    update: framed("article", "update", "update-body", (node) => text(data(node)["date"]).slice(0, 10), "p", "update-date"),
    if: framed("div", "condition", "condition-body", (node) => `Shown if ${text(data(node)["expression"])}`, "p", "condition-said"),
    prompt: framed("section", "prompt", "prompt-body", (node) => text(data(node)["description"]) || "Prompt", "p", "prompt-description"),
    table: (node) => table(node),
    list_item: (node, view, at) => task(node, view, at),
    image: captioned("image", (dom, node) => picture(dom, look, data(node), false), drawn),
    embed: captioned("embed-block", (dom, node) => card(dom, "Embed", text(data(node)["url"])), drawn),
    file: captioned("file-block", (dom, node) => card(dom, "File", said(look, data(node)["ref"])), drawn),
    inline_image: shown("span", "inline-image", (dom, node) => picture(dom, look, data(node), true), drawn),
    cell_value: shown("div", "cell-value", (dom, node) => dom.append(valueWords(look, data(node)["value"])), drawn),
    opaque: previewed(look, "block-card opaque", head, drawn),
  };
  for (const name of PREVIEWED) made[name] = previewed(look, `block-card is-${name}`, head, drawn);
  for (const name of VOID_BLOCKS) made[name] ??= shown("div", `block-card is-${name}`, (dom, node) => card(dom, LABELS[name] ?? name, blockWords(look, node)), drawn);
  for (const name of VOID_INLINES) made[name] ??= shown("span", `inline-node is-${name}`, (dom, node) => dom.append(inlineWords(look, node)), drawn);
  return made;
}
