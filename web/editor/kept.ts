/** What was typed and is not saved yet, kept in the browser: it outlives a reload, a lost connection, a lost session. */

/** `text` is what the editor has: the source of a page, or its document with what stands above it. */
export type Kept<C = unknown> = { key: string; text: C; revision: string; base: C; at: number };

const NAME = "octavo-typed";
const STORE = "texts";
let opening: Promise<IDBDatabase> | null = null;

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

export const keep = (one: Kept): Promise<unknown> => run("readwrite", (store) => store.put(one));
export const kept = (key: string): Promise<Kept | undefined> => run<Kept | undefined>("readonly", (store) => store.get(key));
export const drop = (key: string): Promise<unknown> => run("readwrite", (store) => store.delete(key));
