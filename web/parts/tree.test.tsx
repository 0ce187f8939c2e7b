/** A tree by keyboard, by mouse and in order; of many rows only some are there. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import user from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Branch, Tree } from "./tree";
import { lines, places, pointed, typed } from "./tree-lines";
import { type Steps, useOrder } from "./tree-order";

afterEach(cleanup);

const leaf = (words: string, below: Branch[] = []): Branch => ({ id: words.toLowerCase(), words, below });
const MILLS = [leaf("Mills", [leaf("Sails", [leaf("Cloth")]), leaf("Stones")]), leaf("Rivers"), leaf("Roads")];
const names = () => screen.getAllByRole("row").map((row) => row.textContent);
const focused = () => document.activeElement?.closest("[role=row]")?.getAttribute("aria-label");
const anywhere = () => true;

type Told = { branches?: Branch[]; begun?: string[]; go?: (id: string) => void; near?: (id: string) => void; steps?: Steps };

function Held({ branches = MILLS, begun = ["mills"], go = () => undefined, near, steps }: Told) {
  const [open, setOpen] = useState<Set<string>>(new Set(begun));
  const order = useOrder(steps);
  return <Tree label="Pages" branches={branches} open={open} onOpen={setOpen} onGo={go} onNear={near} order={order} menu={steps && (() => [{ id: "x", words: "Delete", act: () => undefined }])} />;
}

test("arrows lead through the rows, open and close them, and Enter goes there", async () => {
  const go = vi.fn();
  render(<Held go={go} />);
  await user.tab();
  expect(focused()).toBe("Mills");
  await user.keyboard("{ArrowDown}{ArrowRight}{ArrowRight}");
  expect(focused()).toBe("Cloth");
  expect(screen.getByRole("row", { name: "Cloth" }).getAttribute("aria-level")).toBe("3");
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(screen.getByRole("row", { name: "Sails" }).getAttribute("aria-expanded")).toBe("false");
  expect(names()).toEqual(["Mills", "Sails", "Stones", "Rivers", "Roads"]);
  await user.keyboard("{End}{Enter}{Home} ");
  expect(go.mock.calls).toEqual([["roads"], ["mills"]]);
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});

test("letters lead to the next row that begins with them", async () => {
  render(<Held />);
  await user.tab();
  await user.keyboard("r");
  expect(focused()).toBe("Rivers");
  await user.keyboard("o");
  expect(focused()).toBe("Roads");
});

test("the mouse opens, closes and goes, and tells where it is", async () => {
  const go = vi.fn();
  const near = vi.fn();
  render(<Held go={go} near={near} />);
  await user.click(screen.getByRole("button", { name: "Open or close Mills" }));
  expect(names()).toEqual(["Mills", "Rivers", "Roads"]);
  expect(go).not.toHaveBeenCalled();
  await user.hover(screen.getByText("Rivers"));
  await user.click(screen.getByText("Rivers"));
  expect(go.mock.calls).toEqual([["rivers"]]);
  expect(near.mock.calls).toEqual([["mills"], ["rivers"]]);
});

test("a row that goes away leaves the focus to what it stood below", async () => {
  const { rerender } = render(<Held begun={["mills", "sails"]} />);
  screen.getByRole("row", { name: "Cloth" }).focus();
  rerender(<Held branches={[leaf("Mills", [leaf("Sails"), leaf("Stones")]), leaf("Rivers")]} />);
  expect(focused()).toBe("Sails");
});

test("a row that is put elsewhere keeps the focus", () => {
  const { rerender } = render(<Held />);
  screen.getByRole("row", { name: "Rivers" }).focus();
  rerender(<Held branches={[...MILLS].reverse()} />);
  expect(focused()).toBe("Rivers");
});

test("of ten thousand rows those that are seen are there, and the one that has the focus", () => {
  vi.useFakeTimers();
  render(<Held branches={Array.from({ length: 10_000 }, (_, at) => leaf(`Page ${at}`))} />);
  const tree = screen.getByRole("treegrid");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);
  const first = screen.getByRole("row", { name: "Page 0" });
  first.focus();
  tree.scrollTop = 5000 * 34;
  fireEvent.scroll(tree);
  expect(screen.getByRole("row", { name: "Page 5000" })).toBeTruthy();
  expect(document.activeElement).toBe(first);
  expect(first.getAttribute("aria-label")).toBe("Page 0");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);
  // Elements are used again, and stand in the order of their rows once nothing moves.
  tree.scrollTop = 4990 * 34;
  fireEvent.scroll(tree);
  for (let times = 0; times < 2; times++) act(() => vi.runAllTimers());
  const shown = names().map((words) => Number(words?.slice(5)));
  expect(shown).toEqual([...shown].sort((one, other) => one - other));
  vi.useRealTimers();
});

test("rows that are rushed past come after a rest, and those of one step at once", () => {
  vi.useFakeTimers();
  render(<Held branches={Array.from({ length: 10_000 }, (_, at) => leaf(`Page ${at}`))} />);
  const tree = screen.getByRole("treegrid");
  const to = (row: number, after: number) => {
    vi.advanceTimersByTime(after);
    tree.scrollTop = row * 34;
    fireEvent.scroll(tree);
    return screen.queryByRole("row", { name: `Page ${row}` }) !== null;
  };
  expect([to(1000, 500), to(1008, 16), to(1100, 16), to(1200, 16), to(1300, 500)]).toEqual([true, true, false, false, true]);
  expect(to(1400, 16)).toBe(false);
  expect(tree.dataset["rushed"]).toBe("");
  act(() => void vi.advanceTimersByTime(100));
  expect(screen.getByRole("row", { name: "Page 1400" })).toBeTruthy();
  expect(tree.dataset["rushed"]).toBeUndefined();
  vi.useRealTimers();
});

test("Alt with an arrow moves a row, and its handle lets one choose where it goes", async () => {
  const steps = { may: vi.fn(anywhere), drop: vi.fn(), step: vi.fn() };
  render(<Held steps={steps} />);
  await user.tab();
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  expect(steps.step.mock.calls).toEqual([["mills", "down"]]);
  await user.keyboard("{End}{ArrowRight}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move Roads");
  await user.keyboard("{Enter}{ArrowUp}{ArrowUp}");
  expect(screen.getByText("before Roads")).toBeTruthy();
  await user.keyboard("{ArrowUp}{Enter}");
  expect(steps.drop.mock.calls).toEqual([["roads", "rivers", "on"]]);
  expect(screen.getByText("Roads is put below Rivers.")).toBeTruthy();
  await user.keyboard("{Enter}{Escape}");
  expect(screen.getByText("Roads stays where it is.")).toBeTruthy();
  expect(steps.drop).toHaveBeenCalledOnce();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move Roads");
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("More about Roads");
});

test("a row is dragged onto another, where it may stand", () => {
  const steps = { may: vi.fn((_: string, target: string) => target !== "stones"), drop: vi.fn(), step: vi.fn() };
  render(<Held steps={steps} />);
  const dataTransfer = { setData: () => undefined };
  const over = (words: string) => fireEvent.dragOver(screen.getByRole("row", { name: words }), { dataTransfer });
  fireEvent.dragStart(screen.getByRole("row", { name: "Roads" }), { dataTransfer });
  // True = nobody took it.
  expect(over("Stones")).toBe(true);
  expect(over("Rivers")).toBe(false);
  fireEvent.drop(screen.getByRole("row", { name: "Rivers" }), { dataTransfer });
  expect(steps.drop.mock.calls).toEqual([["roads", "rivers", "on"]]);
});

test("places between rows, from the top to the bottom", () => {
  const rows = lines(MILLS, new Set(["mills", "sails"]));
  expect(places(rows, anywhere).map(({ id, where }) => `${where} ${id}`)).toEqual([
    "before mills", "on mills", "before sails", "on sails", "before cloth", "on cloth", "after cloth",
    "before stones", "on stones", "after stones", "before rivers", "on rivers", "before roads", "on roads", "after roads",
  ]);
  expect(pointed(rows, 2, 100, 0.9, anywhere)).toEqual({ id: "cloth", where: "after" });
  expect(pointed(rows, 2, 2, 0.9, anywhere)).toEqual({ id: "sails", where: "after" });
  expect(pointed(rows, 0, 2, 0.9, anywhere)).toEqual({ id: "sails", where: "before" });
  expect(typed(rows, 0, "s")).toBe(1);
  expect(typed(rows, 1, "s")).toBe(3);
  expect(typed(rows, 4, "zz")).toBe(-1);
});
