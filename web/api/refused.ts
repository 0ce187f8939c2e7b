/** Which field of a form a refusal is about: the API names it before its sentence, as in `title: expected at least 2 characters`. */
import { Refusal, sentence } from "./client";

export type Wrongs = {
  at: (field: string) => string | undefined;
  /** The same of whatever stands below a path, as `header.links[2]`: its group has to be known. */
  below: (path: string) => string | undefined;
  rest: string | undefined;
};

/** The sentence of each field in `known`, by its name or the beginning of its path, and what concerns none of them. */
export function wrongs(error: unknown, known: readonly string[] = []): Wrongs {
  if (!error) return { at: () => undefined, below: () => undefined, rest: undefined };
  const said = sentence(error);
  const found = error instanceof Refusal ? /^([A-Za-z][\w.[\]-]*): (.+)$/s.exec(said) : null;
  const path = found?.[1] ?? "";
  const field = known.find((one) => begins(path, one));
  if (!field) return { at: () => undefined, below: () => undefined, rest: said };
  const words = found![2]!;
  const own = /^(is|has|must) /.test(words) ? `It ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
  return { at: (asked) => (asked === field ? own : undefined), below: (start) => (begins(path, start) ? own : undefined), rest: undefined };
}

/** The sentence for the only field of a form, whatever the API calls that. */
export function only(error: unknown, field: string): string | undefined {
  const found = wrongs(error, [field]);
  return found.at(field) ?? found.rest;
}

/** Sentences begin with a capital letter, the names of fields with a small one. */
function begins(path: string, field: string): boolean {
  const own = path.charAt(0).toLowerCase() + path.slice(1);
  return own === field || own.startsWith(`${field}.`) || own.startsWith(`${field}[`);
}
