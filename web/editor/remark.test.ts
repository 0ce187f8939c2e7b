import { expect, test } from "vitest";
import { remark } from "./remark";

const text = (words: string, ...marks: string[]) => ({ object: "text", leaves: [{ text: words, marks: marks.map((type) => ({ type })) }] });
const paragraph = (...nodes: object[]) => ({ type: "paragraph", nodes });

test("what descriptions have is written as Markdown", () => {
  const list = { type: "list-unordered", nodes: [{ type: "list-item", nodes: [paragraph(text("one")), { type: "list-ordered", nodes: [{ type: "list-item", nodes: [paragraph(text("two"))] }] }] }] };
  const code = { type: "code", data: { syntax: "py" }, nodes: [{ type: "code-line", nodes: [text("a = *b")] }, { type: "code-line", nodes: [text("```")] }] };
  const words = paragraph(text("Say "), text("which ", "bold"), text("x", "code"), { type: "link", data: { ref: { kind: "url", url: "https://e.org" } }, nodes: [text("here")] }, text(" a*b"));
  expect(remark({ nodes: [words, list, code, paragraph(text("- no list"))] })).toBe("Say **which** `x`[here](https://e.org) a\\*b\n\n* one\n  1. two\n\n````py\na = *b\n```\n````\n\n\\- no list");
});

test("what it cannot write is not written otherwise", () => {
  expect(remark({ nodes: [{ type: "table" }] })).toBeNull();
  expect(remark({ nodes: [paragraph(text("x", "keyboard"))] })).toBeNull();
});
