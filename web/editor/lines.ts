/** What differs between two texts, line by line, as changes that an editor applies without losing its place. */

export type Change = { from: number; to: number; insert: string };

/** Lines compared one with another; what is larger is replaced as a whole. */
const MOST = 4_000_000;

export function differences(before: string, after: string): Change[] {
  const old = lines(before);
  const now = lines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const a = old.slice(head, old.length - tail);
  const b = now.slice(head, now.length - tail);
  const from = length(old.slice(0, head));
  if (a.length === 0 && b.length === 0) return [];
  const found = a.length * b.length > MOST ? [{ from, to: from + length(a), insert: b.join("") }] : hunks(a, b, from);
  return found.map((one) => tight(before, one));
}

/** Without what begins and ends alike, so that who has a cursor or a history there keeps it. */
function tight(text: string, { from, to, insert }: Change): Change {
  const old = text.slice(from, to);
  const most = Math.min(old.length, insert.length);
  let head = 0;
  while (head < most && old[head] === insert[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === insert[insert.length - 1 - tail]) tail++;
  // Halves of one character stay together.
  if (head && isHigh(old[head - 1]!)) head--;
  if (tail && isLow(old[old.length - tail]!)) tail--;
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) };
}

const isHigh = (unit: string): boolean => unit >= "\ud800" && unit <= "\udbff";
const isLow = (unit: string): boolean => unit >= "\udc00" && unit <= "\udfff";

/** With their line feeds, so that joining them gives back the text. */
function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function length(of: string[]): number {
  return of.reduce((sum, line) => sum + line.length, 0);
}

/** The longest common run of lines stays, all else is changed. */
function hunks(a: string[], b: string[], from: number): Change[] {
  const wide = b.length + 1;
  const common = new Uint32Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * wide + j] = a[i] === b[j] ? (common[(i + 1) * wide + j + 1] ?? 0) + 1 : Math.max(common[(i + 1) * wide + j] ?? 0, common[i * wide + j + 1] ?? 0);
  const made: Change[] = [];
  let at = from;
  let open: Change | null = null;
  let i = 0;
  let j = 0;
  const change = (): Change => {
    if (!open) {
      open = { from: at, to: at, insert: "" };
      made.push(open);
    }
    return open;
  };
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      at += a[i]!.length;
      open = null;
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && (common[(i + 1) * wide + j] ?? 0) >= (common[i * wide + j + 1] ?? 0))) {
      const one = change();
      at += a[i]!.length;
      one.to = at;
      i++;
    } else {
      change().insert += b[j]!;
      j++;
    }
  }
  return made;
}

export function applied(text: string, changes: Change[]): string {
  let made = "";
  let at = 0;
  for (const one of changes) {
    made += text.slice(at, one.from) + one.insert;
    at = one.to;
  }
  return made + text.slice(at);
}
