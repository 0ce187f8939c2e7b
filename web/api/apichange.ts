/** What changed between two versions of a description of an API: operations that are new, gone, or another, and in what. */

export type Kind = "added" | "removed" | "changed";
export type Change = { kind: Kind; what: string; in: string[]; breaks: boolean };
type Json = Record<string, unknown>;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
const PARTS: [field: string, words: string][] = [
  ["summary", "words"],
  ["description", "words"],
  ["parameters", "parameters"],
  ["requestBody", "body"],
  ["responses", "answers"],
  ["security", "security"],
  ["servers", "servers"],
  ["deprecated", "deprecated"],
];
/** The deepest that references are followed. */
const DEEP = 12;

const object = (value: unknown): Json => (value && typeof value === "object" && !Array.isArray(value) ? (value as Json) : {});

/** Each operation as `METHOD /path`, with what its path says for all of them. */
function operations(document: unknown): Map<string, Json> {
  const found = new Map<string, Json>();
  const root = object(document);
  for (const [group, name] of [["paths", ""], ["webhooks", "webhook "]] as const)
    for (const [path, item] of Object.entries(object(root[group])))
      for (const method of METHODS) {
        const one = object(item)[method];
        if (!one || typeof one !== "object") continue;
        const shared = object(item).parameters;
        found.set(`${name}${method.toUpperCase()} ${path}`, { ...(one as Json), parameters: [...(Array.isArray(shared) ? (shared as unknown[]) : []), ...listed((one as Json).parameters)] });
      }
  return found;
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The same with what is referred to in its place, so that a schema that changed changes who uses it. */
function whole(value: unknown, root: Json, deep = 0, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => whole(one, root, deep + 1, within));
  if (!value || typeof value !== "object") return value;
  const ref = (value as Json).$ref;
  if (typeof ref === "string") {
    if (deep > DEEP || within.includes(ref)) return { $ref: ref };
    return whole(at(root, ref), root, deep + 1, [...within, ref]);
  }
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, whole((value as Json)[name], root, deep + 1, within)]));
}

function at(root: Json, ref: string): unknown {
  if (!ref.startsWith("#/")) return { $ref: ref };
  return ref.slice(2).split("/").reduce<unknown>((found, word) => object(found)[decodeURIComponent(word).replace(/~1/g, "/").replace(/~0/g, "~")], root);
}

/** By name, in the order of the newer one; who calls the API may break where something is gone or asks for more. */
export function changes(before: unknown, after: unknown): Change[] {
  const [old, now] = [operations(before), operations(after)];
  const found: Change[] = [];
  for (const [what, one] of now) {
    const was = old.get(what);
    if (!was) {
      found.push({ kind: "added", what, in: [], breaks: false });
      continue;
    }
    const differs = PARTS.filter(([field]) => JSON.stringify(whole(was[field], object(before))) !== JSON.stringify(whole(one[field], object(after))));
    if (differs.length) found.push({ kind: "changed", what, in: [...new Set(differs.map(([, words]) => words))], breaks: asksMore(whole(was, object(before)) as Json, whole(one, object(after)) as Json) });
  }
  for (const what of old.keys()) if (!now.has(what)) found.push({ kind: "removed", what, in: [], breaks: true });
  return found;
}

/** Whether something is required that was not, or an answer is gone. */
function asksMore(was: Json, now: Json): boolean {
  const name = (one: unknown) => `${String(object(one).in)} ${String(object(one).name)}`;
  const required = (one: Json) => new Set(listed(one.parameters).filter((it) => object(it).required === true).map(name));
  const before = required(was);
  if ([...required(now)].some((one) => !before.has(one))) return true;
  const body = (one: Json) => Object.values(object(object(one.requestBody).content)).flatMap((it) => listed(object(object(it).schema).required).map(String));
  const had = new Set(body(was));
  if (body(now).some((one) => !had.has(one)) || (object(now.requestBody).required === true && object(was.requestBody).required !== true)) return true;
  return Object.keys(object(was.responses)).some((code) => code.startsWith("2") && !(code in object(now.responses)));
}
