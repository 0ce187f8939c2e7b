import { expect, test } from "vitest";
import { kind, type Node, plain } from "./plain";

const text = (words: string): Node => ({ object: "text", leaves: [{ text: words }] });
const block = (type: string, nodes: Node[]): Node => ({ object: "block", type, nodes });

test("blocks within blocks are lines of their own", () => {
  const list = block("list-unordered", [block("list-item", [block("paragraph", [text("One")])]), block("list-item", [block("paragraph", [text("Two")])])]);
  expect(plain(list)).toBe("One\nTwo");
  expect(kind(list)).toBe("list");
});

test("what has no words is told by what it shows", () => {
  expect(plain({ object: "block", type: "images", nodes: [{ object: "block", type: "image", data: { alt: "A mill" } }] })).toBe("A mill");
  expect(plain(undefined)).toBe("");
});
