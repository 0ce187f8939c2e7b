/** What takes a merged change request back. */
import { expect, test } from "vitest";
import { reverting } from "./review";

test("every page goes back once, and of what was added that below goes first", () => {
  const page = (id: string, path: string) => ({ id, type: "document", title: id, path, urls: { location: "" } });
  const changes = [
    { type: "page_created", page: page("above", "guide") },
    { type: "page_edited", page: page("other", "a/b/c"), attributes: {} },
    { type: "page_moved", page: page("other", "a/b/c") },
    { type: "page_created", page: page("below", "guide/more") },
    { type: "variables_edited" },
  ];
  const steps = reverting(changes as never, "before");
  expect(steps.map((one) => one.page)).toEqual(["below", "above", "other"]);
  expect(steps.every((one) => one.revision === "before" && one.operation === "revert_page")).toBe(true);
});
