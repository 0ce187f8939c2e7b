import { expect, test } from "vitest";
import { nearest } from "./chart";
import { contrast } from "./contrast";
import { csv } from "./download";

test("contrast is what WCAG counts", () => {
  expect(contrast("#ffffff", "#000000")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#77", "#ffffff")).toBeNull();
});

test("a cell is quoted where it has to be, and is never a formula", () => {
  expect(csv(["a", "b"], [['say "x", y', 3], ["=1+1", null]])).toBe('a,b\r\n"say ""x"", y",3\r\n\'=1+1,\r\n');
});

test("the nearest point is held", () => {
  expect([nearest([0, 10, 20], 14), nearest([0, 10, 20], 99), nearest([], 1)]).toEqual([1, 2, null]);
});
