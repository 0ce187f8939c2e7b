/** Saving what is typed: kept in the browser at once, sent after a rest, joined with what others wrote, who are heard of while nobody types. */
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Refusal, sentence } from "../../api/client";
import { session, SessionOver } from "../../api/token";
import { head, type Saved } from "../../api/writing";
import { drop, keep } from "../../editor/kept";

/** Which page, of which change request. */
export type Of = { org: string; space: string; number: number; page: string };
export type Mode = "visual" | "source";
export type State = { kind: "saved" | "typed" | "saving" | "waiting" | "over" } | { kind: "refused"; sentence: string; status: number };

/** What an editor of either kind does. */
export type Held<C> = {
  content: () => C;
  /** Where what was typed from now on is counted from. */
  mark: () => void;
  /** Put what the server has into the text: `sent` is what was sent to it, `joined` what became of that. What was typed since stays. */
  join: (sent: C, joined: C) => void;
};

/** How content of one kind gets to the server, and back. */
export type Wire<C> = { read: (revision: string) => Promise<C>; send: (now: C, began: C, revision: string) => Promise<Saved>; same: (a: C, b: C) => boolean };

/** What an editor begins with: `base` is what `revision` has, `stored` what is there now. */
export type Begun<C> = { content: C; revision: string; base: C; stored: C; before?: boolean };

/** Who types without a rest is saved all the same, so that others see it. */
const REST = 700;
const MOST = 1000;
const KEPT_AFTER = 200;
const AGAIN = 4000;
const LISTEN = 1000;

const GONE = { sentence: "Somebody deleted this page meanwhile.", status: 404 };

/** Of a page that is not there any more, changes are refused by words about changes: whether it is there says it better. */
async function why(error: Refusal, read: () => Promise<unknown>): Promise<{ sentence: string; status: number }> {
  const told = { sentence: sentence(error), status: error.status };
  if (error.status !== 400) return told;
  return read().then(() => told, (other: unknown) => (other instanceof Refusal && other.status === GONE.status ? GONE : told));
}

type Saves<C> = { space: string; number: number; id: string; begun: Begun<C>; held: RefObject<Held<C> | null>; wire: Wire<C> };

export function useSaving<C>({ space, number, id, begun, held, wire }: Saves<C>) {
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ kind: begun.before ? "typed" : "saved" });
  const [conflict, setConflict] = useState(false);
  const base = useRef({ content: begun.base, revision: begun.revision });
  const busy = useRef(false);
  const dirty = useRef(false);
  const since = useRef(0);
  const timers = useRef<{ keep?: number; save?: number }>({});

  const store = useCallback(() => {
    const text = held.current?.content();
    // A browser that keeps nothing is no reason not to write; leaving the page is asked about then, as always.
    if (text !== undefined && dirty.current) void keep({ key: id, text, revision: base.current.revision, base: base.current.content, at: Date.now() }).catch(() => undefined);
  }, [held, id]);

  const soon = useCallback((work: () => void) => {
    clearTimeout(timers.current.save);
    timers.current.save = window.setTimeout(work, Math.max(0, Math.min(REST, since.current + MOST - Date.now())));
  }, []);

  const save = useCallback(async (): Promise<boolean> => {
    const one = held.current;
    if (!one || busy.current) return false;
    if (!dirty.current) return true;
    clearTimeout(timers.current.save);
    busy.current = true;
    dirty.current = false;
    const sent = one.content();
    one.mark();
    setState({ kind: "saving" });
    let done = false;
    try {
      const answer = await wire.send(sent, base.current.content, base.current.revision);
      const joined = await wire.read(answer.revision);
      base.current = { content: joined, revision: answer.revision };
      if (!wire.same(joined, sent)) held.current?.join(sent, joined);
      setConflict(answer.conflict);
      if (!dirty.current) await drop(id).catch(() => undefined);
      setState({ kind: dirty.current ? "typed" : "saved" });
      void queries.invalidateQueries({ queryKey: ["change-request", space] });
      void queries.invalidateQueries({ queryKey: ["pages", space] });
      void queries.invalidateQueries({ queryKey: ["html", space] });
      done = true;
    } catch (error) {
      dirty.current = true;
      store();
      if (error instanceof Refusal && error.status < 500) setState({ kind: "refused", ...(await why(error, async () => wire.read(await head(space, number)))) });
      else {
        setState({ kind: error instanceof SessionOver ? "over" : "waiting" });
        timers.current.save = window.setTimeout(() => void save(), AGAIN);
      }
    } finally {
      busy.current = false;
    }
    if (done && dirty.current) soon(() => void save());
    return done && !dirty.current;
  }, [held, id, queries, soon, space, store, wire]);

  const changed = useCallback(() => {
    if (!dirty.current) since.current = Date.now();
    dirty.current = true;
    setState((was) => (was.kind === "refused" || was.kind === "waiting" || was.kind === "over" || was.kind === "typed" ? was : { kind: "typed" }));
    clearTimeout(timers.current.keep);
    timers.current.keep = window.setTimeout(store, KEPT_AFTER);
    soon(() => void save());
  }, [save, soon, store]);

  /** What is typed is kept, and goes nowhere from here any more. */
  const leave = useCallback(async () => {
    const text = held.current?.content();
    if (text !== undefined) await keep({ key: id, text, revision: base.current.revision, base: base.current.content, at: Date.now() });
    dirty.current = false;
    clearTimeout(timers.current.save);
    clearTimeout(timers.current.keep);
  }, [held, id]);

  /** What others saved comes in while nothing of ours is on its way. */
  const listen = useCallback(async () => {
    if (busy.current || dirty.current || !held.current || document.visibilityState === "hidden") return;
    try {
      const now = await head(space, number);
      if (now === base.current.revision || busy.current || dirty.current) return;
      busy.current = true;
      held.current.mark();
      const sent = base.current.content;
      const joined = await wire.read(now);
      base.current = { content: joined, revision: now };
      if (!wire.same(joined, sent)) held.current?.join(sent, joined);
    } catch {
      // Nobody typed: it is asked again in a moment.
    } finally {
      busy.current = false;
    }
    if (dirty.current) soon(() => void save());
  }, [held, number, save, soon, space, wire]);

  useEffect(() => {
    const again = window.setInterval(() => void listen(), LISTEN);
    return () => clearInterval(again);
  }, [listen]);

  // Whoever is signed in again, or has a connection again, does not wait for the next try.
  useEffect(() => {
    const back = () => void save();
    const heard = session.watch(() => !session.isOver() && back());
    addEventListener("online", back);
    return () => {
      heard();
      removeEventListener("online", back);
    };
  }, [save]);

  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent) => {
      if (!dirty.current && !busy.current) return;
      store();
      event.preventDefault();
    };
    const running = timers.current;
    addEventListener("beforeunload", leaving);
    return () => {
      removeEventListener("beforeunload", leaving);
      clearTimeout(running.keep);
      clearTimeout(running.save);
      // Another place of the application: what was typed last goes along, and is kept until it is there.
      store();
      void save();
    };
  }, [save, store]);

  return { state, conflict, changed, flush: save, leave, content: () => held.current?.content(), save: useCallback(() => void save(), [save]), revision: () => base.current.revision };
}
