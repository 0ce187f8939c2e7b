/** Saving what is typed: kept in the browser at once, sent after a rest, joined with what others wrote. */
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Refusal, sentence } from "../../api/client";
import { save as send, source } from "../../api/writing";
import { drop, keep } from "../../editor/kept";
import type { Source } from "../../editor/source";

export type State = { kind: "saved" | "typed" | "saving" | "waiting" } | { kind: "refused"; sentence: string };

const REST = 1500;
const KEPT_AFTER = 200;
const AGAIN = 4000;

type Of = { space: string; number: number; page: string; id: string; begun: { text: string; revision: string; before?: unknown }; editor: RefObject<Source | null> };

export function useSaving({ space, number, page, id, begun, editor }: Of) {
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ kind: begun.before ? "typed" : "saved" });
  const [conflict, setConflict] = useState(false);
  const base = useRef({ text: begun.text, revision: begun.revision });
  const busy = useRef(false);
  const dirty = useRef(false);
  const timers = useRef<{ keep?: number; save?: number }>({});

  const store = useCallback(() => {
    const text = editor.current?.text();
    // A browser that keeps nothing is no reason not to write; leaving the page is asked about then, as always.
    if (text !== undefined && dirty.current) void keep({ key: id, text, revision: base.current.revision, base: base.current.text, at: Date.now() }).catch(() => undefined);
  }, [editor, id]);

  const save = useCallback(async () => {
    const one = editor.current;
    if (!one || busy.current || !dirty.current) return;
    clearTimeout(timers.current.save);
    busy.current = true;
    dirty.current = false;
    const sent = one.text();
    one.mark();
    setState({ kind: "saving" });
    try {
      const done = await send(space, number, page, sent, base.current.revision);
      const joined = await source(space, done.revision, page);
      base.current = { text: joined, revision: done.revision };
      if (joined !== sent) editor.current?.join(sent, joined);
      setConflict(done.conflict);
      if (!dirty.current) await drop(id).catch(() => undefined);
      setState({ kind: dirty.current ? "typed" : "saved" });
      void queries.invalidateQueries({ queryKey: ["change-request", space] });
      void queries.invalidateQueries({ queryKey: ["pages", space] });
      void queries.invalidateQueries({ queryKey: ["html", space] });
    } catch (error) {
      dirty.current = true;
      store();
      if (error instanceof Refusal && error.status < 500) setState({ kind: "refused", sentence: sentence(error) });
      else {
        setState({ kind: "waiting" });
        timers.current.save = window.setTimeout(() => void save(), AGAIN);
      }
    } finally {
      busy.current = false;
    }
    if (dirty.current && !timers.current.save) timers.current.save = window.setTimeout(() => void save(), REST);
  }, [editor, id, number, page, queries, space, store]);

  const changed = useCallback(() => {
    dirty.current = true;
    setState((was) => (was.kind === "refused" || was.kind === "waiting" || was.kind === "typed" ? was : { kind: "typed" }));
    clearTimeout(timers.current.keep);
    timers.current.keep = window.setTimeout(store, KEPT_AFTER);
    clearTimeout(timers.current.save);
    timers.current.save = window.setTimeout(() => void save(), REST);
  }, [save, store]);

  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent) => {
      if (!dirty.current && !busy.current) return;
      store();
      event.preventDefault();
    };
    const held = timers.current;
    addEventListener("beforeunload", leaving);
    return () => {
      removeEventListener("beforeunload", leaving);
      clearTimeout(held.keep);
      clearTimeout(held.save);
    };
  }, [store]);

  return { state, conflict, changed, save: useCallback(() => void save(), [save]), flush: save, store };
}
