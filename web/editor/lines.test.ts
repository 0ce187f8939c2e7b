import { expect, test } from "vitest";
import { applied, differences } from "./lines";

/** A small generator of its own, so that a failure can be repeated by its seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => ((state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32);
}

test("what differs leads from one text to the other, whatever they are", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const next = random(seed);
    const text = () => Array.from({ length: Math.floor(next() * 9) }, () => "abc"[Math.floor(next() * 3)] + (next() < 0.8 ? "\n" : "")).join("");
    const [before, after] = [text(), text()];
    expect(applied(before, differences(before, after)), `seed ${seed}`).toBe(after);
  }
});

test("lines that stay are left alone", () => {
  expect(differences("a\nb\nc\nd\n", "a\nB\nc\nD\n")).toEqual([
    { from: 2, to: 3, insert: "B" },
    { from: 6, to: 7, insert: "D" },
  ]);
  expect(differences("a\nb\n", "a\nb\n")).toEqual([]);
  expect(differences("a\nb", "a\nb\n")).toEqual([{ from: 3, to: 3, insert: "\n" }]);
});

test("halves of one character stay together", () => {
  expect(differences("a😀b\n", "a😁b\n")).toEqual([{ from: 1, to: 3, insert: "😁" }]);
  expect(differences("\u{1f600}\n", "\u{1f200}\n")).toEqual([{ from: 0, to: 2, insert: "\u{1f200}" }]);
});
