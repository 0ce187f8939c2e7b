/** What was typed and is not saved yet, kept in the browser: it outlives a reload, a lost connection, a lost session. Each tab keeps
 * its own, and takes over what tabs left that are not there any more. */

/** `text` is what the editor has: the source of a page, or its document with what stands above it; `sent` what was sent of it last, and
 * may have arrived. */
export type Kept<C = unknown> = { key: string; text: C; revision: string; base: C; sent?: C; at: number };

const NAME = "octavo-typed";
const STORE = "texts";
const LOCK = "octavo-tab ";
let opening: Promise<IDBDatabase> | null = null;

/** This tab, until it is loaded again; a lock says to others that it is there. */
const tab = crypto.randomUUID();
void navigator.locks?.request(LOCK + tab, () => new Promise(() => undefined)).catch(() => undefined);

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "key" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the browser keeps nothing"));
  });
  return opening;
}

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await database()).transaction(STORE, mode);
  const asked = work(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onerror = () => reject(transaction.error ?? new Error("the browser kept nothing"));
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser kept nothing"));
  });
}

const own = (key: string): string => `${key}@${tab}`;

export const keep = (one: Kept): Promise<unknown> => run("readwrite", (store) => store.put({ ...one, key: own(one.key) }));
export const drop = (key: string): Promise<unknown> => run("readwrite", (store) => store.delete(own(key)));

/** What this tab kept, or the newest of what others left; that is this tab's from now on. */
export async function kept(key: string): Promise<Kept | undefined> {
  const all = await run<Kept[]>("readonly", (store) => store.getAll(IDBKeyRange.bound(key, `${key}@\uffff`)));
  const there = await tabs();
  const found = all
    .filter((one) => one.key === key || one.key.startsWith(`${key}@`))
    .filter((one) => one.key === own(key) || !there.has(one.key.slice(key.length + 1)))
    .sort((one, other) => Number(other.key === own(key)) - Number(one.key === own(key)) || other.at - one.at)[0];
  if (!found || found.key === own(key)) return found && { ...found, key };
  await run("readwrite", (store) => {
    store.delete(found.key);
    return store.put({ ...found, key: own(key) });
  });
  return { ...found, key };
}

/** Tabs that are there. */
async function tabs(): Promise<Set<string>> {
  const held = (await navigator.locks?.query().catch(() => undefined))?.held ?? [];
  return new Set(held.flatMap((one) => (one.name?.startsWith(LOCK) ? [one.name.slice(LOCK.length)] : [])));
}
