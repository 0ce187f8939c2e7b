import { expect, test } from "vitest";
import { differing, sheet, words } from "./look";

const BLUE = { light: "#3457d5", dark: "#3457d5" };

test("the style sheet's address says colours and typefaces as pages do", () => {
  expect(sheet({ styling: { primaryColor: BLUE } })).toBe("/~octavo/theme.css?c=3457d5");
  expect(sheet({ styling: { primaryColor: { light: "#0a0", dark: "#00FF00" }, tint: { color: BLUE }, font: "Lato" } })).toBe("/~octavo/theme.css?c=00aa00-00ff00.tint-3457d5-3457d5&sans=Lato");
  expect(sheet({ styling: { primaryColor: BLUE }, header: { preset: "custom", backgroundColor: BLUE } })).toBe("/~octavo/theme.css?c=3457d5.bar-3457d5-3457d5");
});

test("a colour that is still being typed is as if there were none", () => {
  expect(sheet({ styling: { primaryColor: { light: "#34", dark: "#3457d5" }, tint: { color: { light: "", dark: "" } } } })).toBe("/~octavo/theme.css?c=3457d5");
});

test("what is as usual needs no word", () => {
  expect(words({ styling: { theme: "clean", corners: "rounded" } })).toEqual({});
  expect(words({ styling: { theme: "bold" }, header: { preset: "default" } })).toEqual({ look: "bold", header: "bold" });
  expect(words({ header: { preset: "custom" } })).toEqual({});
});

test("a variant is sent what differs, group by group", () => {
  const before = { styling: { theme: "clean", corners: "rounded" }, header: { links: [] }, title: "A" };
  expect(differing(before, { ...before, styling: { theme: "bold", corners: "rounded" } })).toEqual({ styling: { theme: "bold" } });
  expect(differing(before, { ...before, header: { links: [1] }, title: "B" })).toEqual({ header: { links: [1] }, title: "B" });
  expect(differing(before, structuredClone(before))).toEqual({});
});
