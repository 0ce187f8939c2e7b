/** What differs between two sequences, in runs: what both have, what went, what came. */

export type Kind = "equal" | "deleted" | "added";
/** A run of either sequence: [from, to) of the old one where it is equal or deleted, of the new one where it was added. */
export type Step = { kind: Kind; from: number; to: number; at: number };

/** More cells than this are not compared: everything in between went, and everything came. */
const MOST = 4_000_000;

export function differ(old: readonly string[], now: readonly string[]): Step[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const made: Step[] = [];
  const put = (kind: Kind, from: number, to: number, at: number) => {
    if (from === to) return;
    const last = made.at(-1);
    if (last?.kind === kind && last.to === from) last.to = to;
    else made.push({ kind, from, to, at });
  };
  put("equal", 0, head, 0);
  middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail), (kind, i, j) =>
    kind === "added" ? put(kind, head + j, head + j + 1, head + j) : put(kind, head + i, head + i + 1, head + j),
  );
  put("equal", old.length - tail, old.length, now.length - tail);
  return made;
}

function middle(old: readonly string[], now: readonly string[], put: (kind: Kind, i: number, j: number) => void): void {
  const wide = now.length + 1;
  let i = 0;
  let j = 0;
  if (old.length * now.length <= MOST) {
    // Longest common subsequences of what is left of both, from every place on.
    const long = new Uint32Array((old.length + 1) * wide);
    for (let a = old.length - 1; a >= 0; a--)
      for (let b = now.length - 1; b >= 0; b--)
        long[a * wide + b] = old[a] === now[b] ? long[(a + 1) * wide + b + 1]! + 1 : Math.max(long[(a + 1) * wide + b]!, long[a * wide + b + 1]!);
    while (i < old.length && j < now.length) {
      if (old[i] === now[j]) put("equal", i++, j++);
      else if (long[(i + 1) * wide + j]! >= long[i * wide + j + 1]!) put("deleted", i++, j);
      else put("added", i, j++);
    }
  }
  while (i < old.length) put("deleted", i++, j);
  while (j < now.length) put("added", i, j++);
}
