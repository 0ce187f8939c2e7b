import { expect, test } from "vitest";
import { dropped, family, moved, placeOf, step, without } from "./arranging";
import type { Page } from "./content";

const page = (id: string, pages: Page[] = [], type = "document") => ({ id, type, title: id, pages }) as unknown as Page;
const names = (list: Page[]): unknown[] => list.map((one) => ("pages" in one && one.pages.length > 0 ? [one.id, names(one.pages)] : one.id));
const TREE = [page("a", [page("b"), page("c", [page("d")])]), page("e"), page("g", [page("h")], "group")];

test("where pages stand", () => {
  expect(placeOf(TREE, "d")).toEqual({ into: "c", at: 0 });
  expect(placeOf(TREE, "g")).toEqual({ into: null, at: 2 });
  expect(placeOf(TREE, "z")).toBeUndefined();
  expect(family(TREE[0]!).map((one) => one.id)).toEqual(["a", "b", "c", "d"]);
  expect(names(without(TREE, "c"))).toEqual([["a", ["b"]], "e", ["g", ["h"]]]);
});

test("a page that is moved comes with everything below it", () => {
  expect(names(moved(TREE, "c", { into: null, at: 0 }))).toEqual([["c", ["d"]], ["a", ["b"]], "e", ["g", ["h"]]]);
  expect(names(moved(TREE, "e", { into: "b", at: 0 }))).toEqual([["a", [["b", ["e"]], ["c", ["d"]]]], ["g", ["h"]]]);
});

test("steps by keyboard", () => {
  expect(step(TREE, "c", "up")).toEqual({ into: "a", at: 0 });
  expect(step(TREE, "a", "up")).toBeNull();
  expect(step(TREE, "e", "in")).toEqual({ into: "a", at: 2 });
  expect(step(TREE, "d", "out")).toEqual({ into: "a", at: 2 });
  expect(step(TREE, "a", "out")).toBeNull();
  expect(step(TREE, "g", "in")).toBeNull();
});

test("what is dropped stands where it was dropped, or nowhere", () => {
  expect(dropped(TREE, "e", "b", "after")).toEqual({ into: "a", at: 1 });
  expect(dropped(TREE, "b", "c", "after")).toEqual({ into: "a", at: 1 });
  expect(dropped(TREE, "e", "g", "on")).toEqual({ into: "g", at: 1 });
  expect(dropped(TREE, "a", "d", "before")).toBeNull();
  expect(dropped(TREE, "g", "e", "on")).toBeNull();
  expect(dropped(TREE, "g", "b", "before")).toBeNull();
  expect(dropped(TREE, "g", "a", "before")).toEqual({ into: null, at: 0 });
});
