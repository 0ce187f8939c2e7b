/** Saving what is typed: kept in the browser at once, sent after a rest, joined with what others wrote, who are heard of while nobody types. */
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useState } from "react";
import { Refusal, sentence } from "../../api/client";
import { session, SessionOver } from "../../api/token";
import { drop, keep } from "../../editor/kept";
import { type Begun, type Held, Saver, type State, type Wire } from "./saver";

/** Which page, of which change request. */
export type Of = { org: string; space: string; number: number; page: string };
export type Mode = "visual" | "source";

const LISTEN = 1000;
const GONE = { sentence: "Somebody deleted this page meanwhile.", status: 404 };
/** Refused for now: nothing is wrong with what was sent. */
const LATER = [408, 425, 429];
/** Who answers so does not know what became of it. */
const UNHEARD = [408, 502, 503, 504];

async function failed(error: unknown, read: () => Promise<unknown>): Promise<{ state: State; unheard: boolean }> {
  if (error instanceof SessionOver) return { state: { kind: "over" }, unheard: false };
  if (!(error instanceof Refusal)) return { state: { kind: "waiting" }, unheard: true };
  const unheard = UNHEARD.includes(error.status);
  if (error.status >= 500 || LATER.includes(error.status)) return { state: { kind: "waiting" }, unheard };
  return { state: { kind: "refused", ...(await why(error, read)) }, unheard };
}

/** Of a page that is not there any more, changes are refused by words about changes: whether it is there says it better. */
async function why(error: Refusal, read: () => Promise<unknown>): Promise<{ sentence: string; status: number }> {
  const told = { sentence: sentence(error), status: error.status };
  if (error.status !== 400) return told;
  return read().then(() => told, (other: unknown) => (other instanceof Refusal && other.status === GONE.status ? GONE : told));
}

type Saves<C> = { space: string; id: string; begun: Begun<C>; held: RefObject<Held<C> | null>; wire: Wire<C> };

export function useSaving<C>({ space, id, begun, held, wire }: Saves<C>) {
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ kind: begun.before ? "typed" : "saved" });
  const [conflict, setConflict] = useState(false);
  const [saver] = useState(
    () =>
      new Saver<C>(begun, held, {
        wire,
        keep: (text, base, revision, sent) => keep({ key: id, text, revision, base, sent, at: Date.now() }),
        drop: () => drop(id),
        failed: (error) => failed(error, async () => wire.read(await wire.head())),
        told: setState,
        arrived: (differed) => {
          setConflict(differed);
          for (const name of ["change-request", "pages", "html"]) void queries.invalidateQueries({ queryKey: [name, space] });
        },
      }),
  );

  useEffect(() => {
    const again = window.setInterval(() => document.visibilityState !== "hidden" && void saver.listen(), LISTEN);
    return () => clearInterval(again);
  }, [saver]);

  // Whoever is signed in again, or has a connection again, does not wait for the next try.
  useEffect(() => {
    const back = () => void saver.save();
    const heard = session.watch(() => !session.isOver() && back());
    addEventListener("online", back);
    return () => {
      heard();
      removeEventListener("online", back);
    };
  }, [saver]);

  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent) => {
      if (!saver.isOpen() && !saver.arriving()) return;
      saver.store();
      event.preventDefault();
    };
    addEventListener("beforeunload", leaving);
    return () => removeEventListener("beforeunload", leaving);
  }, [saver]);

  /** The editor is taken off the screen; `close` when its last words have gone. Who opens the page again meanwhile waits for that. */
  const left = useCallback(
    (close: () => void) => {
      const going = saver.left().finally(() => {
        close();
        if (leaving.get(id) === going) leaving.delete(id);
      });
      leaving.set(id, going);
    },
    [id, saver],
  );

  return { state, conflict, saver, left };
}

const leaving = new Map<string, Promise<void>>();
const LONGEST = 5000;

/** When what is still on its way from an editor of this page has arrived, or takes too long. */
export const settled = (id: string): Promise<unknown> => Promise.race([leaving.get(id), new Promise((go) => setTimeout(go, LONGEST))]);
