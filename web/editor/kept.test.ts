import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import { drop, keep, kept } from "./kept";

test("what was typed is there again, until it is dropped", async () => {
  expect(await kept("a")).toBeUndefined();
  const one = { key: "a", text: "# Mills\n", revision: "r1", base: "", at: 1 };
  await keep(one);
  await keep({ ...one, text: "# Mills and more\n" });
  await keep({ ...one, key: "b" });
  expect((await kept("a"))?.text).toBe("# Mills and more\n");
  await drop("a");
  expect(await kept("a")).toBeUndefined();
  expect((await kept("b"))?.text).toBe("# Mills\n");
});

test("what another tab left is taken over, and what it still has is not", async () => {
  const there = new Set<string>();
  vi.stubGlobal("navigator", { locks: { request: async () => undefined, query: async () => ({ held: [...there].map((name) => ({ name })) }) } });
  vi.resetModules();
  const other = await import("./kept");
  await other.keep({ key: "c", text: "of the other tab", revision: "r1", base: "", at: 1 });
  const all = await new Promise<{ key: string }[]>((resolve) => {
    const asked = indexedDB.open("octavo-typed", 1);
    asked.onsuccess = () => {
      const list = asked.result.transaction("texts").objectStore("texts").getAll();
      list.onsuccess = () => resolve(list.result as { key: string }[]);
    };
  });
  const name = all.find((one) => one.key.startsWith("c@"))!.key.slice(2);
  there.add(`octavo-tab ${name}`);
  expect(await kept("c")).toBeUndefined();
  // Saving here takes nothing of theirs away.
  await keep({ key: "c", text: "of this tab", revision: "r1", base: "", at: 2 });
  await drop("c");
  there.clear();
  expect((await kept("c"))?.text).toBe("of the other tab");
  await drop("c");
  expect(await kept("c")).toBeUndefined();
});
