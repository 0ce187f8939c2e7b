/** What can be done on the screen that is shown, for the palette: a screen says it while it stands. */
import { useEffect, useSyncExternalStore } from "react";

export type Action = { id: string; words: string; act: () => void };

let said: { owner: symbol; actions: Action[] }[] = [];
let all: Action[] = [];
const heard = new Set<() => void>();

function tell(): void {
  all = said.flatMap((one) => one.actions);
  for (const one of heard) one();
}

/** The actions of a screen; `undefined` ones do not hold now. */
export function useActions(actions: (Action | false | undefined)[]): void {
  useEffect(() => {
    const owner = symbolOf();
    said = [...said, { owner, actions: actions.filter((one): one is Action => Boolean(one)) }];
    tell();
    return () => {
      said = said.filter((one) => one.owner !== owner);
      tell();
    };
    // They are made anew with each drawing: what they are called tells whether they changed.
  }, [actions.map((one) => (one ? `${one.id} ${one.words}` : "")).join("\n")]);
}

const symbolOf = () => Symbol("screen");

export function useSaid(): Action[] {
  return useSyncExternalStore(
    (hear) => {
      heard.add(hear);
      return () => heard.delete(hear);
    },
    () => all,
  );
}
