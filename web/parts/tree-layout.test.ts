/** Rows wait while somebody rushes through them, and come when that slows down. */
import { ListLayout, Rect } from "react-aria-components";
import { afterEach, expect, test, vi } from "vitest";
import { remembered, Rows } from "./tree-layout";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("rows that are rushed past are drawn after a rest, and those of one step at once", () => {
  vi.useFakeTimers();
  const drawn: number[] = [];
  vi.spyOn(ListLayout.prototype, "getVisibleLayoutInfos").mockImplementation((rect) => (drawn.push(rect.y), []));
  const rushed: boolean[] = [];
  const rows = new Rows((now) => rushed.push(now));
  const invalidate = vi.fn();
  rows.virtualizer = { invalidate } as never;
  const at = (y: number, after: number) => {
    vi.advanceTimersByTime(after);
    rows.getVisibleLayoutInfos(new Rect(0, y, 300, 900));
  };
  at(0, 0);
  at(100, 16);
  at(900, 500);
  at(1300, 16);
  at(1700, 16);
  expect(drawn).toEqual([0, 100, 900, 900, 900]);
  expect(rushed.at(-1)).toBe(true);
  expect(invalidate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(invalidate).toHaveBeenCalledOnce();
  at(1700, 0);
  expect(drawn.at(-1)).toBe(1700);
  expect(rushed.at(-1)).toBe(false);
});

test("a collection is walked through once for all rows that stand in it, and each says the same of it", () => {
  class Walked {
    walks = 0;
    *getChildren(key: string) {
      this.walks++;
      yield { key: `${key}/1` };
      yield { key: `${key}/2` };
    }
  }
  const walked = new Walked();
  remembered(walked as never);
  remembered(walked as never);
  for (let row = 0; row < 3; row++) expect([...walked.getChildren("a")]).toEqual([{ key: "a/1" }, { key: "a/2" }]);
  expect([...walked.getChildren("b")]).toEqual([{ key: "b/1" }, { key: "b/2" }]);
  expect(walked.walks).toBe(2);
});
