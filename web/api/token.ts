/** The token of this page: bought with the browser's session, kept in memory alone, bought again when it is about to end. */

const PLACE = "/app/~/token";
const EARLY = 30_000;

let held: { value: string; until: number } | null = null;
let buying: Promise<string> | null = null;
let over = false;
const watching = new Set<() => void>();

/** Nobody is signed in with this browser any more; what was typed is still there. */
export class SessionOver extends Error {
  constructor() {
    super("Your session is over. Sign in again, and go on where you were.");
  }
}

export function token(): Promise<string> {
  if (held && Date.now() < held.until) return Promise.resolve(held.value);
  buying ??= buy().finally(() => {
    buying = null;
  });
  return buying;
}

/** The API did not take it: the next one is bought anew. */
export function forget(): void {
  held = null;
}

async function buy(): Promise<string> {
  const answer = await fetch(PLACE, { method: "POST", credentials: "same-origin" });
  if (answer.status === 401) {
    tell(true);
    throw new SessionOver();
  }
  if (!answer.ok) throw new Error(`The server answered ${answer.status}. Try again in a moment.`);
  const bought: { token: string; expiresIn: number } = await answer.json();
  held = { value: bought.token, until: Date.now() + bought.expiresIn * 1000 - EARLY };
  tell(false);
  return bought.token;
}

function tell(is: boolean): void {
  if (over === is) return;
  over = is;
  for (const one of watching) one();
}

/** For `useSyncExternalStore`: whether the session is over. */
export const session = {
  watch(listener: () => void): () => void {
    watching.add(listener);
    return () => watching.delete(listener);
  },
  isOver: (): boolean => over,
};
