import { expect, test } from "vitest";
import { fitting, named, naming } from "./mentions";

const PEOPLE = [{ id: "u1", name: "Ada Byron" }, { id: "u2", name: "Grace Hopper" }];

test("somebody is named while an @ stands before the caret", () => {
  expect(naming("Ask @gr", 7)).toBe("gr");
  expect(naming("@", 1)).toBe("");
  expect(naming("a@b", 3)).toBeNull();
  expect(fitting(PEOPLE, "ho").map((one) => one.id)).toEqual(["u2"]);
  expect(fitting(PEOPLE, "").length).toBe(2);
});

test("a mention is a link to its person", () => {
  const made = named("Ask @gr, please", 7, "gr", PEOPLE[1]!);
  expect(made.text).toBe('Ask [@Grace Hopper](/users/u2 "mention") , please');
  expect(made.text.slice(0, made.caret)).toBe('Ask [@Grace Hopper](/users/u2 "mention") ');
});
