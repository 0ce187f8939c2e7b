/** Which rows of a tree are drawn: those that are seen, and some around them, as all are equally high. Who rushes through thousands of
 * them reads none: they come as soon as that slows down, so that scrolling keeps up with the hand, and lines stand for them. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type Line, ROW } from "./tree-lines";

/** Rows above and below those that are seen, and rows that are taken for seen where nothing says how high the tree is. */
const AROUND = 6;
const SOME = 30;
/** Scrolling by less than so many rows draws nothing anew. */
const STEP = 4;
/** Pixels from one event of scrolling to the next, and milliseconds between them: a wheel and a key that is pressed once stay below, or
 * take longer. Who is faster reads nothing. */
const RUSH = 300;
const BRIEF = 150;
const SLOWS = 90;

type Seen = { first: number; room: number };

export function useSeen(box: RefObject<HTMLElement | null>): Seen {
  const [seen, see] = useState<Seen>({ first: 0, room: SOME });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const room = Math.ceil(element.clientHeight / ROW) || SOME;
      const first = Math.floor(element.scrollTop / ROW / STEP) * STEP;
      see((was) => (was.first === first && was.room === room ? was : { first, room }));
    };
    let last = { y: element.scrollTop, at: -BRIEF };
    let timer = 0;
    const rest = () => {
      delete element.dataset["rushed"];
      look();
    };
    const scrolled = () => {
      const now = performance.now();
      const rushes = Math.abs(element.scrollTop - last.y) > RUSH && now - last.at < BRIEF;
      last = { y: element.scrollTop, at: now };
      clearTimeout(timer);
      // In the same frame: rows that come one frame later are a gap that is seen.
      if (!rushes) return flushSync(rest);
      element.dataset["rushed"] = "";
      timer = window.setTimeout(rest, SLOWS);
    };
    const watcher = new ResizeObserver(look);
    element.addEventListener("scroll", scrolled, { passive: true });
    watcher.observe(element);
    look();
    return () => {
      clearTimeout(timer);
      element.removeEventListener("scroll", scrolled);
      watcher.disconnect();
    };
  }, [box]);
  return seen;
}

/** Indexes of the rows that are drawn, in their order; those of `kept` are there however far away they are. */
export function drawn({ first, room }: Seen, count: number, kept: number[]): number[] {
  const from = Math.max(0, Math.min(first, count - room) - AROUND);
  const to = Math.min(count, from + room + STEP + 2 * AROUND);
  const all = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const far = kept.filter((at, index) => at >= 0 && (at < from || at >= to) && kept.indexOf(at) === index);
  return far.length > 0 ? [...all, ...far].sort((one, other) => one - other) : all;
}

/** Scroll a tree as little as it takes until a row is seen. */
export function reveal(box: HTMLElement | null, at: number): void {
  if (!box || at < 0) return;
  const top = at * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW + 8 > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + 8 - box.clientHeight;
}

/** Milliseconds without scrolling until elements stand in the order of their rows again. */
const REST = 200;

type Element = { key: number; at: number };

/** The element of each row that is drawn. Those of rows that went out of sight show rows that came: making and removing elements is
 * most of what scrolling costs. A row keeps its element while it is drawn, and with it the focus. */
export function useElements(rows: Line[], indexes: number[]): Element[] {
  const used = useRef<{ key: number; id: string }[]>([]);
  const [, sort] = useState(0);
  const idOf = (at: number) => rows[at]?.one.id ?? "";
  const coming = new Map(indexes.map((at) => [idOf(at), at]));
  const kept = used.current.map(({ key, id }) => {
    const at = coming.get(id);
    coming.delete(id);
    return { key, at };
  });
  const left = [...coming.values()];
  const now: Element[] = [];
  for (const { key, at = left.shift() } of kept) if (at !== undefined) now.push({ key, at });
  for (const at of left) now.push({ key: Math.max(0, ...now.map((one) => one.key + 1)), at });
  used.current = now.map(({ key, at }) => ({ key, id: idOf(at) }));
  const sorted = now.every((one, index) => index === 0 || (now[index - 1]?.at ?? 0) < one.at);
  // Who goes through the rows one by one finds them in their order, as soon as nothing moves.
  useEffect(() => {
    if (sorted) return;
    const order = new Map(now.map((one) => [one.key, one.at]));
    const timer = setTimeout(() => {
      used.current.sort((one, other) => (order.get(one.key) ?? 0) - (order.get(other.key) ?? 0));
      sort((times) => times + 1);
    }, REST);
    return () => clearTimeout(timer);
  });
  return now;
}
