/** What the buttons over the source do: given a text and what is chosen in it, what to change and what to choose then. */

export type Formatted = { from: number; to: number; insert: string; select: [number, number] };

/** Marks around what is chosen, or taken away where they stand around it already. */
export function wrap(text: string, from: number, to: number, mark: string): Formatted {
  const size = mark.length;
  if (text.slice(from - size, from) === mark && text.slice(to, to + size) === mark) {
    return { from: from - size, to: to + size, insert: text.slice(from, to), select: [from - size, to - size] };
  }
  const chosen = text.slice(from, to);
  return { from, to, insert: `${mark}${chosen}${mark}`, select: [from + size, to + size] };
}

export function link(text: string, from: number, to: number): Formatted {
  const chosen = text.slice(from, to);
  const insert = `[${chosen || "text"}](address)`;
  const at = from + 1 + (chosen || "text").length + 2;
  return { from, to, insert, select: [at, at + "address".length] };
}

/** A prefix before each line that is touched, or taken away where all of them have it. */
export function prefix(text: string, from: number, to: number, mark: string): Formatted {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const ended = text.indexOf("\n", to);
  const end = ended < 0 ? text.length : ended;
  const lines = text.slice(start, end).split("\n");
  const has = lines.every((line) => line.startsWith(mark));
  const insert = lines.map((line) => (has ? line.slice(mark.length) : mark + line)).join("\n");
  return { from: start, to: end, insert, select: [start, start + insert.length] };
}

/** A block of the content format around what is chosen. */
export function hint(text: string, from: number, to: number): Formatted {
  const chosen = text.slice(from, to) || "What readers should know.";
  const open = `{% hint style="info" %}\n`;
  const before = from > 0 && text[from - 1] !== "\n" ? "\n\n" : "";
  const insert = `${before}${open}${chosen}\n{% endhint %}\n`;
  const at = from + before.length + open.length;
  return { from, to, insert, select: [at, at + chosen.length] };
}
