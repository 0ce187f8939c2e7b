/** Which row of a tree has the focus, and what keys do there. */
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { find, heir, type Line, typed } from "./tree-lines";
import type { Order, Way } from "./tree-order";
import { reveal } from "./tree-seen";

const WAYS: Record<string, Way> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };
/** Milliseconds within which letters make one word. */
const WORD = 800;

/** The row that has the focus, or had it last; `give` brings it to another one. It is not lost with its row. */
export function useFocus(box: RefObject<HTMLElement | null>, rows: Line[]) {
  const [focused, setFocused] = useState<string>();
  const was = useRef(rows);
  // Asked before rows are made anew: once they are, the focus of one that went away is nowhere.
  const inside = box.current?.contains(document.activeElement) ?? false;
  const give = useCallback(
    (at: number) => {
      const id = rows[at]?.one.id;
      if (!id) return;
      reveal(box.current, at);
      flushSync(() => setFocused(id));
      rowOf(box.current, id)?.focus({ preventScroll: true });
    },
    [box, rows],
  );
  useLayoutEffect(() => {
    const before = was.current;
    was.current = rows;
    if (!focused || !inside || before === rows || find(rows, focused) >= 0) return;
    const next = rows[heir(before, rows, focused)]?.one.id;
    setFocused(next);
    if (next) rowOf(box.current, next)?.focus({ preventScroll: true });
  }, [rows]);
  return { focused, setFocused, give };
}

function rowOf(box: HTMLElement | null, id: string): HTMLElement | undefined {
  return [...(box?.querySelectorAll<HTMLElement>("[data-key]") ?? [])].find((row) => row.dataset["key"] === id);
}

export type Keyed = {
  rows: Line[];
  open: ReadonlySet<string>;
  toggle: (id: string) => void;
  onGo: (id: string) => void;
  give: (at: number) => void;
  page: number;
  order?: Order;
};

export function useKeys(keyed: Keyed) {
  const word = useRef({ letters: "", at: 0 });
  return (event: KeyboardEvent) => {
    const row = (event.target as Element).closest<HTMLElement>("[data-key]");
    const at = find(keyed.rows, row?.dataset["key"]);
    if (!row || at < 0 || event.ctrlKey || event.metaKey) return;
    const done = (keyed.order?.key(event, keyed.rows) || stepped(event, keyed, at) || walked(event, keyed, row, at) || (event.target === row && (acted(event, keyed, at) || said(event, keyed, at, word.current))));
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function stepped(event: KeyboardEvent, { rows, order }: Keyed, at: number): boolean {
  const way = event.altKey ? WAYS[event.key] : undefined;
  const id = rows[at]?.one.id;
  if (!order || !way || !id) return false;
  order.step(id, way);
  return true;
}

/** To other rows, and into the buttons of one and out again. */
function walked(event: KeyboardEvent, { rows, open, toggle, give, page }: Keyed, row: HTMLElement, at: number): boolean {
  const { one, above } = rows[at] as Line;
  if (event.altKey) return false;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + page, PageUp: at - page }[event.key];
  if (to !== undefined) {
    give(Math.max(0, Math.min(to, rows.length - 1)));
    return true;
  }
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return false;
  const stops = [row, ...row.querySelectorAll<HTMLElement>("button:not(.tree-chevron)")];
  const stop = stops.indexOf(event.target as HTMLElement);
  const within = one.below.length > 0;
  if (event.key === "ArrowRight") {
    if (stop === 0 && within && !open.has(one.id)) toggle(one.id);
    else if (stops[stop + 1]) stops[stop + 1]?.focus();
    else if (stop === 0 && within) give(at + 1);
  } else if (stop > 0) stops[stop - 1]?.focus();
  else if (within && open.has(one.id)) toggle(one.id);
  else if (above >= 0) give(above);
  return true;
}

function acted(event: KeyboardEvent, { rows, onGo }: Keyed, at: number): boolean {
  const id = rows[at]?.one.id;
  if (event.key !== "Enter" || event.altKey || event.shiftKey || !id) return false;
  onGo(id);
  return true;
}

/** Letters lead to the next row that begins with them. */
function said(event: KeyboardEvent, { rows, give, onGo }: Keyed, at: number, word: { letters: string; at: number }): boolean {
  if (event.key.length !== 1 || event.altKey) return false;
  const goes = event.timeStamp - word.at < WORD && word.letters !== "";
  if (event.key === " " && !goes) {
    const id = rows[at]?.one.id;
    if (id) onGo(id);
    return true;
  }
  word.letters = goes ? word.letters + event.key : event.key;
  word.at = event.timeStamp;
  const found = typed(rows, at, word.letters);
  if (found >= 0) give(found);
  return true;
}
