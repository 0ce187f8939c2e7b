/** Mentions of people in Markdown: as they are typed, and as they are written. */

export type Person = { id: string; name: string };
const TYPED = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u;

/** What follows the `@` before the caret; null where nobody is being named. */
export function naming(text: string, caret: number): string | null {
  return TYPED.exec(text.slice(0, caret))?.[1] ?? null;
}

/** People whose name has a word that begins with it. */
export function fitting(people: Person[], typed: string, most = 6): Person[] {
  const word = typed.toLowerCase();
  return people.filter((one) => one.name.toLowerCase().split(/\s+/).some((part) => part.startsWith(word))).slice(0, most);
}

/** The text with the person instead of what was typed, and where the caret goes. */
export function named(text: string, caret: number, typed: string, person: Person): { text: string; caret: number } {
  const from = caret - typed.length - 1;
  const put = `[@${person.name.replace(/[[\]]/g, "")}](/users/${person.id} "mention") `;
  return { text: text.slice(0, from) + put + text.slice(caret), caret: from + put.length };
}
