/** Whether two nodes of a document say the same: keys and what the server notes of a place are left aside. */

const ASIDE = new Set(["key", "meta"]);

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]));
  }
  const left = named(a);
  const right = named(b);
  return left.length === right.length && left.every((name) => name in b && same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]));
}

/** Names that say something: fragments are named where there are some. */
function named(value: object): string[] {
  return Object.entries(value).flatMap(([name, one]) => (ASIDE.has(name) || one === undefined ? [] : [name]));
}

export function without<T>(value: T): T {
  if (Array.isArray(value)) return value.map(without) as T;
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (ASIDE.has(name) ? [] : [[name, without(one as unknown)]]))) as T;
}
