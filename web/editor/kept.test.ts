import "fake-indexeddb/auto";
import { expect, test } from "vitest";
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
