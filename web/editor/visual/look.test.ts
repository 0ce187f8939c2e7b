import { expect, test } from "vitest";
import { INSERTS } from "./inserts";
import { type Look, said } from "./look";

const look = { name: () => undefined } as unknown as Look;

test("a reference that nobody has chosen yet has no words, and none of the format", () => {
  for (const id of ["page", "reusable"]) {
    const made = INSERTS.find((one) => one.id === id)!.make!();
    expect(said(look, (made.attrs["data"] as Record<string, unknown>)["ref"])).toBe("");
  }
  expect(said(look, { kind: "url", url: "https://example.org" })).toBe("https://example.org");
  expect(said(look, { kind: "anchor", anchor: "top" })).toBe("top");
});
