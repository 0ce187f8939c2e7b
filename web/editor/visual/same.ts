/** Whether two nodes of a document say the same: keys and what the server notes of a place are left aside. */

const ASIDE = new Set(["key", "meta"]);

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  // Names are counted and not listed: a page has tens of thousands of nodes, and is compared with each saving.
  let more = 0;
  for (const name in left) {
    if (ASIDE.has(name) || left[name] === undefined) continue;
    if (!same(left[name], right[name])) return false;
    more++;
  }
  for (const name in right) if (!ASIDE.has(name) && right[name] !== undefined) more--;
  return more === 0;
}

export function without<T>(value: T): T {
  if (Array.isArray(value)) return value.map(without) as T;
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (ASIDE.has(name) ? [] : [[name, without(one as unknown)]]))) as T;
}
