/** The editor as the screen has it: what is done with a block is done with that block, whatever others write meanwhile. */
import { EditorState, TextSelection } from "prosemirror-state";
import { afterEach, expect, test } from "vitest";
import { fromDocument } from "./document";
import type { Json } from "./model";
import { propertiesOf } from "./properties";
import { type Named, openVisual, type Options, type Visual } from "./view";

const words = (text: string): Json => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] });
const paragraph = (text: string): Json => ({ object: "block", type: "paragraph", data: {}, isVoid: false, nodes: [words(text)] });
const page = (...lines: string[]): Json => ({ object: "document", data: {}, nodes: lines.map(paragraph) });
const nothing = () => undefined;
const never = () => new Promise<never>(nothing);

const opened: Visual[] = [];
afterEach(() => {
  opened.splice(0).forEach((one) => one.close());
  document.body.replaceChildren();
});

function open(content: Json, more: Partial<Options> = {}): Visual {
  const host = document.body.appendChild(document.createElement("div"));
  const look: Options["look"] = { image: nothing, name: nothing, find: () => [], variables: () => [], formula: never, diagram: never, preview: () => ({ dom: host, again: nothing, close: nothing }) };
  const made = openVisual(host, { document: content, label: "Text", styles: "", look, changed: nothing, save: nothing, show: nothing, link: nothing, block: nothing, settings: nothing, reading: nothing, upload: never, parse: never, choose: nothing, failed: nothing, ...more });
  opened.push(made);
  return made;
}

const lines = (editor: Visual): string[] => editor.document().nodes!.map((one) => one.nodes!.map((text) => text.leaves!.map((leaf) => leaf.text).join("")).join(""));

test("a block that somebody has hold of is the same one after others wrote above it", () => {
  const editor = open(page("One", "Two"));
  const of = editor.blocks.selected()!;
  editor.join(page("Zero", "One", "Two"));
  editor.mark();
  editor.join(page("Zero", "One and a half", "Two"));
  expect(editor.blocks.where(of)).toMatchObject({ at: 6, index: 1, type: "paragraph" });
  expect(editor.blocks.run(of, "remove")).toBe(true);
  expect(lines(editor)).toEqual(["Zero", "Two"]);
});

test("with a block that others took away nothing is done, which is said", () => {
  const editor = open(page("One", "Two", "Three"));
  const of = editor.blocks.selected()!;
  editor.join(page("Two", "Three"));
  expect([editor.blocks.where(of), editor.blocks.rect(of), editor.blocks.run(of, "remove"), editor.blocks.turn(of, "quote")]).toEqual([null, null, false, false]);
  expect(lines(editor)).toEqual(["Two", "Three"]);
});

test("a paragraph that holds a space alone is none that the server counts", () => {
  const editor = open(page("One", " "));
  editor.run("down");
  expect(editor.blocks.selected()).toMatchObject({ at: 3, index: 0 });
});

const code = (text: string): Json => ({ object: "block", type: "code", data: {}, isVoid: false, nodes: [{ object: "block", type: "code-line", data: {}, isVoid: false, nodes: [words(text)] }] });

test("settings are those of one block as long as that is the same one", () => {
  const shown: Named[] = [];
  const pages = (...nodes: Json[]): Json => ({ object: "document", data: {}, nodes: [...nodes, paragraph("End")] });
  const editor = open(pages(code("one"), code("two")), { show: ({ properties }) => void (properties[0] && shown.push(properties[0])) });
  editor.focus();
  const of = editor.blocks.selected()!;
  editor.join(pages(paragraph("New"), code("one"), code("two")));
  editor.blocks.run(of, "remove");
  expect(shown.map((one) => one.at)).toEqual([0, 5, 5]);
  expect(shown[1]!.id).toBe(shown[0]!.id);
  expect(shown[2]!.id).not.toBe(shown[0]!.id);
});

test("a part is added behind what was typed since its settings were drawn, and taken away with that", () => {
  const state = EditorState.create({ doc: fromDocument({ object: "document", data: {}, nodes: [{ object: "block", type: "tabs", data: {}, isVoid: false, nodes: ["One", "Two"].map((one) => ({ object: "block", type: "tabs-item", data: { title: one }, isVoid: false, nodes: [paragraph(one)] })) }] }) });
  const at = TextSelection.create(state.doc, 3);
  const [tab] = propertiesOf(state.apply(state.tr.setSelection(at)));
  const longer = state.apply(state.tr.insertText("more ", 3));
  const run = (id: string) => {
    let now = longer;
    tab!.actions.find((one) => one.id === id)!.run(longer, (tr) => (now = longer.apply(tr)));
    now.doc.check();
    return now.doc.firstChild!.children.map((one) => one.textContent);
  };
  expect([run("add"), run("part-gone"), run("remove")]).toEqual([["more One", "", "Two"], ["Two"], ["Two"]]);
});

test("a link changes as a whole, whatever words in it are bold", () => {
  const leaf = (text: string, ...marks: string[]) => ({ object: "leaf", text, marks: marks.map((type) => ({ object: "mark", type, data: {} })) });
  const link = (address: string): Json => ({ object: "inline", type: "link", data: { ref: { kind: "url", url: address } }, isVoid: false, nodes: [{ object: "text", leaves: [leaf("The "), leaf("install", "bold"), leaf(" guide")] }] });
  const held = (nodes: Json[]): Json => ({ object: "document", data: {}, nodes: [{ object: "block", type: "paragraph", data: {}, isVoid: false, nodes }] });
  const editor = open(held([link("/old"), words(" tells.")]));
  editor.link({ kind: "url", url: "/new" });
  expect(editor.document().nodes![0]!.nodes).toEqual([link("/new"), words(" tells.")]);
});
