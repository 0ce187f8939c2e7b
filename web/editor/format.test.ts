import { expect, test } from "vitest";
import { hint, link, prefix, wrap } from "./format";

const done = (text: string, one: { from: number; to: number; insert: string }) => text.slice(0, one.from) + one.insert + text.slice(one.to);

test("marks come and go", () => {
  const bold = wrap("one two", 4, 7, "**");
  expect(done("one two", bold)).toBe("one **two**");
  expect(bold.select).toEqual([6, 9]);
  expect(done("one **two**", wrap("one **two**", 6, 9, "**"))).toBe("one two");
});

test("a link asks for its address", () => {
  const made = link("see here", 4, 8);
  const text = done("see here", made);
  expect(text).toBe("see [here](address)");
  expect(text.slice(...made.select)).toBe("address");
});

test("lines get their prefix, and lose it where all have it", () => {
  const text = "a\nb\nc";
  expect(done(text, prefix(text, 0, 3, "* "))).toBe("* a\n* b\nc");
  expect(done("* a\n* b", prefix("* a\n* b", 0, 7, "* "))).toBe("a\nb");
});

test("a hint stands around what is chosen", () => {
  expect(done("Mind the gap", hint("Mind the gap", 0, 12))).toBe('{% hint style="info" %}\nMind the gap\n{% endhint %}\n');
});
