/** Putting rows of a tree elsewhere: by mouse, and by the handle of a row with Enter and arrows; loaded where that can be done. */
import { type DragEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { find, type Line, places, pointed, ROW, type Target, type Where } from "./tree-lines";

export type Way = "up" | "down" | "in" | "out";

export type Steps = {
  may: (id: string, target: string, where: Where) => boolean;
  drop: (id: string, target: string, where: Where) => void;
  step: (id: string, way: Way) => void;
};

/** What is held, above which place, and what a screen reader is told of it. */
type Held = { id: string; target: Target | null; by: "mouse" | "keys" };
export type Order = Steps & {
  held: Held | null;
  said: string;
  carry: (id: string, rows: Line[]) => void;
  /** Whether a key was one of carrying. */
  key: (event: KeyboardEvent, rows: Line[]) => boolean;
  leave: () => void;
  drags: (rows: Line[], onOpen: (id: string) => void) => Drags;
};
type Drags = Record<"onDragStart" | "onDragOver" | "onDragLeave" | "onDrop" | "onDragEnd", (event: DragEvent) => void>;

const KIND = "application/x-octavo-page";
const HOW = "The arrow keys choose a place, Enter puts it there, Escape leaves it where it is.";
/** Milliseconds above a closed row until it opens. */
const DWELL = 800;

export function useOrder(steps: Steps | undefined): Order | undefined {
  const [held, hold] = useState<Held | null>(null);
  const [said, say] = useState("");
  const waits = useRef({ id: "", timer: 0 });
  return useMemo(() => {
    if (!steps) return undefined;
    const may = (id: string) => (target: Target) => steps.may(id, target.id, target.where);
    const leave = () => {
      clearTimeout(waits.current.timer);
      waits.current.id = "";
      hold(null);
    };
    const put = () => {
      if (held?.target) steps.drop(held.id, held.target.id, held.target.where);
      leave();
    };
    const carry = (id: string, rows: Line[]) => {
      const all = places(rows, may(id));
      const own = find(rows, id);
      // It begins at the place behind its own.
      const target = all.find((one) => find(rows, one.id) > own) ?? all.at(-1) ?? null;
      say(target ? `${wordsOf(rows, id)} is held, ${spoken(rows, target)}. ${HOW}` : `There is no other place for ${wordsOf(rows, id)}.`);
      hold(target && { id, target, by: "keys" });
    };
    const key = (event: KeyboardEvent, rows: Line[]) => {
      if (held?.by !== "keys" || !held.target || event.key === "Tab") return false;
      if (event.key === "Escape") say(`${wordsOf(rows, held.id)} stays where it is.`);
      else if (event.key === "Enter" || event.key === " ") say(`${wordsOf(rows, held.id)} is put ${spoken(rows, held.target)}.`);
      if (event.key === "Escape") leave();
      else if (event.key === "Enter" || event.key === " ") put();
      else {
        const target = further(places(rows, may(held.id)), held.target, event.key);
        if (target) hold({ ...held, target });
        if (target) say(spoken(rows, target));
      }
      return true;
    };
    return { ...steps, held, said, carry, key, leave, drags: (rows, onOpen) => dragging({ held, hold, leave, put, may, rows, onOpen, waits: waits.current }) };
  }, [steps, held, said]);
}

function further(all: Target[], from: Target, key: string): Target | undefined {
  const at = all.findIndex((one) => one.id === from.id && one.where === from.where);
  if (key === "ArrowDown") return all[at + 1];
  if (key === "ArrowUp") return all[at - 1];
  return key === "Home" ? all[0] : key === "End" ? all.at(-1) : undefined;
}

const wordsOf = (rows: Line[], id: string) => rows[find(rows, id)]?.one.words ?? "";

const spoken = (rows: Line[], { id, where }: Target) => `${where === "on" ? "below" : where} ${wordsOf(rows, id)}`;

type Hand = {
  held: Held | null;
  hold: (held: Held | null) => void;
  leave: () => void;
  put: () => void;
  may: (id: string) => (target: Target) => boolean;
  rows: Line[];
  onOpen: (id: string) => void;
  waits: { id: string; timer: number };
};

function dragging({ held, hold, leave, put, may, rows, onOpen, waits }: Hand): Drags {
  const over = (event: DragEvent) => {
    if (held?.by !== "mouse") return;
    const row = rowOf(event);
    const box = row?.getBoundingClientRect();
    const at = find(rows, row?.dataset["key"]);
    const target = box ? pointed(rows, at, event.clientX - box.left - 8, (event.clientY - box.top) / ROW, may(held.id)) : null;
    if (target) event.preventDefault();
    event.dataTransfer.dropEffect = target ? "move" : "none";
    if (target?.id !== held.target?.id || target?.where !== held.target?.where) hold({ ...held, target });
    dwell(rows[at], at);
  };
  const dwell = (row: Line | undefined, at: number) => {
    const closed = row && row.one.below.length > 0 && (rows[at + 1]?.level ?? 0) <= row.level && row.one.id !== held?.id ? row.one.id : "";
    if (closed === waits.id) return;
    clearTimeout(waits.timer);
    waits.id = closed;
    if (closed) waits.timer = window.setTimeout(() => onOpen(closed), DWELL);
  };
  return {
    onDragStart: (event) => {
      const id = rowOf(event)?.dataset["key"];
      if (!id) return;
      event.dataTransfer.setData(KIND, id);
      event.dataTransfer.setData("text/plain", id);
      event.dataTransfer.effectAllowed = "move";
      hold({ id, target: null, by: "mouse" });
    },
    onDragOver: over,
    onDragLeave: (event) => {
      const to = event.relatedTarget as Node | null;
      if (held && !(to && event.currentTarget.contains(to))) hold({ ...held, target: null });
    },
    onDrop: (event) => {
      event.preventDefault();
      put();
    },
    onDragEnd: leave,
  };
}

const rowOf = (event: DragEvent) => (event.target as Element).closest?.<HTMLElement>("[data-key]");
