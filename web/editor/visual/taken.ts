/** Blocks that somebody took hold of: where each is now, whatever was typed, joined or put there since. */
import type { Transaction } from "prosemirror-state";
import { Mapping, type StepMap } from "prosemirror-transform";
import type { EditorView } from "prosemirror-view";
import { blockAt, duplicate, type Handled, handled, moveAt, rectOfBlock, remove, selected, turnInto } from "./blocks";
import type { Kind } from "./kinds";

/** A block as it was found, after so many changes of the page. */
export type Taken = Handled & { changes: number };
export type Deed = "duplicate" | "remove" | "up" | "down";

/** Blocks as wholes, for whoever takes hold of them; what is done with one that is gone meanwhile is not done, which `false` says. */
export type Blocks = {
  at: (y: number) => Taken | null;
  selected: () => Taken | null;
  where: (of: Taken) => Taken | null;
  rect: (of: Taken) => { left: number; top: number; height: number } | null;
  turn: (of: Taken, kind: Kind) => boolean;
  run: (of: Taken, what: Deed) => boolean;
  takeUp: (of: Taken, event: DragEvent) => boolean;
  letGo: () => void;
};

/** So many changes are remembered: a menu, a dialog or a drag that outlasts more of them has lost its block. */
const MOST = 20_000;

type Found = { at: number; type: string };
export type Places = {
  heard: (tr: Transaction) => void;
  take: <T extends Found>(one: T) => T & { changes: number };
  where: (view: EditorView, of: Found & { changes: number }) => number | null;
};

export function places(): Places {
  const maps: StepMap[] = [];
  let forgotten = 0;
  return {
    heard: (tr) => {
      maps.push(...tr.mapping.maps);
      if (maps.length > 2 * MOST) forgotten += maps.splice(0, maps.length - MOST).length;
    },
    take: (one) => ({ ...one, changes: forgotten + maps.length }),
    where: (view, of) => {
      if (of.changes < forgotten) return null;
      const now = new Mapping(maps.slice(of.changes - forgotten)).mapResult(of.at, 1);
      return now.deletedAfter || view.state.doc.nodeAt(now.pos)?.type.name !== of.type ? null : now.pos;
    },
  };
}

export const taken = (held: Places, one: Handled | null): Taken | null => one && held.take(one);

const DEEDS = { duplicate, remove, up: (at: number) => moveAt(at, -1), down: (at: number) => moveAt(at, 1) };

export function blocksOf(view: EditorView, held: Places): Omit<Blocks, "takeUp" | "letGo"> {
  const act = (of: Taken, work: (at: number) => void): boolean => {
    const at = held.where(view, of);
    if (at !== null) work(at);
    view.focus();
    return at !== null;
  };
  return {
    at: (y) => taken(held, blockAt(view, y)),
    selected: () => taken(held, selected(view.state)),
    where: (of) => {
      const at = held.where(view, of);
      return at === null ? null : taken(held, handled(view.state, at));
    },
    rect: (of) => {
      const at = held.where(view, of);
      return at === null ? null : rectOfBlock(view, at);
    },
    turn: (of, kind) => act(of, (at) => void turnInto(at, kind)(view.state, view.dispatch)),
    run: (of, what) => act(of, (at) => void DEEDS[what](at)(view.state, view.dispatch)),
  };
}
