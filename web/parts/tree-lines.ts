/** The rows of a tree as they stand below one another, and where in them something is. */
import type { ReactNode } from "react";

export type Branch = { id: string; words: string; icon?: ReactNode; heading?: boolean; faint?: boolean; below: Branch[] };
export type Where = "before" | "after" | "on";
export type Target = { id: string; where: Where };
/** The how manyth it is of those beside it, and the index of the row above it; -1 = it stands at the top. */
export type Line = { one: Branch; level: number; at: number; of: number; above: number };

export const ROW = 34;
/** Pixels by which each level stands further in, as far as there are such steps. */
const STEP = 16;
export const MOST_DEEP = 8;

/** What is closed has no rows below it: of 10,000 pages only those on the way to what is open are there. */
export function lines(branches: Branch[], open: ReadonlySet<string>, level = 1, above = -1, all: Line[] = []): Line[] {
  branches.forEach((one, at) => {
    const own = all.push({ one, level, at: at + 1, of: branches.length, above }) - 1;
    if (open.has(one.id)) lines(one.below, open, level + 1, own, all);
  });
  return all;
}

export const inset = (level: number) => (Math.min(level, MOST_DEEP) - 1) * STEP;

export const find = (rows: Line[], id: string | undefined) => (id === undefined ? -1 : rows.findIndex((row) => row.one.id === id));

/** The index behind everything that stands below a row. */
export function behind(rows: Line[], at: number): number {
  const level = rows[at]?.level ?? 0;
  const next = rows.findIndex((row, index) => index > at && row.level <= level);
  return next < 0 ? rows.length : next;
}

/** The next row after `at` whose words begin with what is typed, from the top again where there is none. */
export function typed(rows: Line[], at: number, words: string): number {
  const wanted = words.toLocaleLowerCase();
  const fits = (row: Line | undefined) => row?.one.words.toLocaleLowerCase().startsWith(wanted);
  // More than one letter may still mean the row that the first one led to.
  const from = words.length > 1 ? at : at + 1;
  for (let step = 0; step < rows.length; step++) if (fits(rows[(from + step) % rows.length])) return (from + step) % rows.length;
  return -1;
}

/** Which row has the focus once the one that had it is gone: the nearest above it that is still there, or what stands in its place. */
export function heir(was: Line[], now: Line[], id: string): number {
  const at = find(was, id);
  for (let up = was[at]?.above ?? -1; up >= 0; up = was[up]?.above ?? -1) {
    const found = find(now, was[up]?.one.id);
    if (found >= 0) return found;
  }
  return Math.min(Math.max(at, 0), now.length - 1);
}

/** Where in a row the mouse is: its edges are between rows. At the end of a branch, further to the left is behind the rows above. */
export function pointed(rows: Line[], at: number, x: number, y: number, may: (target: Target) => boolean): Target | null {
  const row = rows[at];
  if (!row) return null;
  const next = rows[at + 1];
  const beneath = next && next.level > row.level ? { id: next.one.id, where: "before" as const } : after(rows, at, x);
  const above: Target = { id: row.one.id, where: "before" };
  const on: Target = { id: row.one.id, where: "on" };
  const tries = y < 0.25 ? [above, on] : y > 0.75 ? [beneath, on] : [on, y < 0.5 ? above : beneath];
  return tries.find(may) ?? null;
}

function after(rows: Line[], at: number, x: number): Target {
  let row = rows[at] as Line;
  const least = rows[at + 1]?.level ?? 1;
  while (row.level > least && x < inset(row.level)) row = rows[row.above] as Line;
  return { id: row.one.id, where: "after" };
}

/** Every place where a row may be put, from the top to the bottom. */
export function places(rows: Line[], may: (target: Target) => boolean): Target[] {
  const all: Target[] = [];
  rows.forEach((row, at) => {
    all.push({ id: row.one.id, where: "before" }, { id: row.one.id, where: "on" });
    const next = rows[at + 1]?.level ?? 0;
    for (let end: Line | undefined = row; end && end.level > next; end = rows[end.above]) all.push({ id: end.one.id, where: "after" });
  });
  return all.filter(may);
}
