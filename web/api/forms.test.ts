import { expect, test } from "vitest";
import { why } from "./access";
import { Refusal } from "./client";
import { growth, rows, total } from "./insights";
import { wrongs } from "./refused";

test("a refusal stands beside the field that it names", () => {
  const said = wrongs(new Refusal(400, "Title: expected at least 2 characters."), ["title", "url"]);
  expect(said.at("title")).toBe("Expected at least 2 characters.");
  expect([said.at("url"), said.rest]).toEqual([undefined, undefined]);
});

test("a path into a field is that field, and what names none stands below the form", () => {
  expect(wrongs(new Refusal(400, "Styling.primaryColor.light: expected a colour."), ["styling"]).at("styling")).toBe("Expected a colour.");
  expect(wrongs(new Refusal(400, "Titles: no."), ["title"]).rest).toBe("Titles: no.");
  expect(wrongs(new Refusal(409, "The name is taken."), ["title"]).rest).toBe("The name is taken.");
  expect(wrongs(null, ["title"]).rest).toBeUndefined();
});

const ADA = { user: { id: "ada" }, permission: "edit" } as never;
const WRITERS = { team: { id: "t", title: "Writers" }, permission: "edit", members: ["ada", "kurt"] } as never;

test("the first rule that says something decides", () => {
  const granted = { everybody: [], users: [ADA], teams: [WRITERS] };
  expect(why("ada", granted, "read")).toEqual({ kind: "granted" });
  expect(why("kurt", granted, "read")).toEqual({ kind: "team", titles: ["Writers"] });
  expect(why("emmy", granted, "read")).toEqual({ kind: "level" });
  expect(why("emmy", granted, null)).toEqual({ kind: "level" });
  expect(why("emmy", granted, "inherit")).toEqual({ kind: "further" });
});

test("columns of a report become rows, sums and growth", () => {
  const table = { from: "", to: "", events: 5, columns: [{ column: "urlPath", values: ["/a", "/b"] }, { column: "eventsCount", values: [3, 2] }] } as never;
  expect(rows(table)).toEqual([{ urlPath: "/a", eventsCount: 3 }, { urlPath: "/b", eventsCount: 2 }]);
  expect([total(table, "eventsCount"), total(table, "visitorsCount"), total(undefined, "x")]).toEqual([5, 0, 0]);
  expect([growth(6, 4), growth(1, 0), growth(0, 4)]).toEqual([50, null, -100]);
});
