import { expect, test } from "vitest";
import { read } from "./addresses";
import { Refusal } from "./client";
import { growth, rows, total } from "./insights";
import { only, wrongs } from "./refused";
import { said } from "./why";

test("a refusal stands beside the field that it names", () => {
  const told = wrongs(new Refusal(400, "Title: expected at least 2 characters."), ["title", "url"]);
  expect(told.at("title")).toBe("Expected at least 2 characters.");
  expect([told.at("url"), told.rest]).toEqual([undefined, undefined]);
});

test("a path into a field is that field, and what names none stands below the form", () => {
  expect(wrongs(new Refusal(400, "Styling.primaryColor.light: expected a colour."), ["styling"]).at("styling")).toBe("Expected a colour.");
  expect(wrongs(new Refusal(400, "Titles: no."), ["title"]).rest).toBe("Titles: no.");
  expect(wrongs(new Refusal(409, "The name is taken."), ["title"]).rest).toBe("The name is taken.");
  expect(wrongs(null, ["title"]).rest).toBeUndefined();
});

test("the only field of a form has the sentence, whatever the API calls it", () => {
  expect(only(new Refusal(400, "Label: expected at most 50 characters."), "label")).toBe("Expected at most 50 characters.");
  expect(only(new Refusal(409, "The name is taken."), "label")).toBe("The name is taken.");
  expect(only(null, "label")).toBeUndefined();
});

test("what is said of a field is a whole sentence beside it", () => {
  expect(wrongs(new Refusal(403, "Current: is not your password."), ["current"]).at("current")).toBe("It is not your password.");
  expect(wrongs(new Refusal(400, "Url: must name a host."), ["url"]).at("url")).toBe("It must name a host.");
});

test("a part of an address that was mangled on the way says nothing, and breaks nothing", () => {
  expect([read("caf%C3%A9"), read("%E0%A4%A")]).toEqual(["café", null]);
});

test("the rule that decides is said with its place", () => {
  const space = { object: "space", id: "s", title: "Handbook" } as const;
  const collection = { object: "collection", id: "c", title: "Products" } as const;
  const writers = [{ id: "t", title: "Writers" }];
  expect(said({ rule: "user", on: space, teams: [] }, "s")).toBe("It was given to them on this space.");
  expect(said({ rule: "team", on: collection, teams: writers }, "s")).toBe("Through the team Writers, on the collection Products. It is inherited from there.");
  expect(said({ rule: "level", on: { object: "site", id: "x" }, teams: [] }, "s")).toContain("a site that you do not see");
  expect(said({ rule: "user", on: collection, teams: [], limitedBy: space }, "s")).toContain("no more than this space leaves");
  expect(said({ rule: "organization-role", on: { object: "organization", id: "o" }, teams: [] }, "s")).toBe("Their role in the organization.");
});

test("columns of a report become rows, sums and growth", () => {
  const table = { from: "", to: "", events: 5, columns: [{ column: "urlPath", values: ["/a", "/b"] }, { column: "eventsCount", values: [3, 2] }] } as never;
  expect(rows(table)).toEqual([{ urlPath: "/a", eventsCount: 3 }, { urlPath: "/b", eventsCount: 2 }]);
  expect([total(table, "eventsCount"), total(table, "visitorsCount"), total(undefined, "x")]).toEqual([5, 0, 0]);
  expect([growth(6, 4), growth(1, 0), growth(0, 4)]).toEqual([50, null, -100]);
});
