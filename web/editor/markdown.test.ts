import { expect, test } from "vitest";
import { markdown } from "./markdown";

const names = (text: string): string[] => {
  const found: string[] = [];
  markdown.parser.parse(text).iterate({ enter: (node) => void found.push(node.name) });
  return found;
};

test("front matter is no heading, and what looks like it further on is none", () => {
  const found = names("---\ndescription: Of wind\n---\n\n# Mills\n\nOne\n---\n");
  expect(found).toContain("FrontMatter");
  expect(found.filter((name) => name.startsWith("SetextHeading"))).toHaveLength(1);
  expect(found).toContain("ATXHeading1");
  expect(names("# Mills\n\n---\n")).not.toContain("FrontMatter");
});
