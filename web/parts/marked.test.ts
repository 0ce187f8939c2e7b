import { expect, test } from "vitest";
import { differ } from "./differ";
import { marked } from "./marked";

const box = (html: string) => {
  const made = document.createElement("div");
  made.innerHTML = html;
  return made;
};
const both = (before: string, now: string) => marked(box(before), box(now)).innerHTML;

test("runs of what differs", () => {
  const steps = differ(["a", "b", "c"], ["a", "x", "c", "d"]).map(({ kind, from, to }) => [kind, from, to]);
  expect(steps).toEqual([["equal", 0, 1], ["deleted", 1, 2], ["added", 1, 2], ["equal", 2, 3], ["added", 3, 4]]);
  expect(differ([], [])).toEqual([]);
});

test("words that came and went are marked where they stand, and what holds them stays", () => {
  expect(both("<p>On port <b>80</b>.</p>", "<p>On port <b>8000</b>.</p>")).toBe("<p>On port <b><del>80</del><ins>8000</ins></b>.</p>");
  expect(both("<p>One two.</p>", "<p>One.</p>")).toBe("<p>One<del> two</del>.</p>");
  expect(both("<p>One</p>", "<p>One more word</p>")).toBe("<p>One<ins> more word</ins></p>");
  expect(both("<p>Same</p>", "<p><b>Same</b></p>")).toBe("<p><b>Same</b></p>");
});

test("cells of tables and pictures", () => {
  expect(both("<table><tr><td>a</td><td>1</td></tr></table>", "<table><tr><td>a</td><td>2</td></tr></table>")).toContain("<td><del>1</del><ins>2</ins></td>");
  const shown = both('<figure><img src="/f/a.png?sig=1" alt=""></figure>', '<figure><img src="/f/b.png?sig=2" alt=""></figure>');
  expect(shown).toContain('<del><img src="/f/a.png?sig=1" alt=""></del><ins><img src="/f/b.png?sig=2" alt=""></ins>');
  expect(both('<img src="/f/a.png?sig=1" alt="">', '<img src="/f/a.png?sig=2" alt="">')).not.toContain("<ins>");
});

test("what went at the end is struck there", () => {
  expect(both("<p>One</p><p>Two</p>", "<p>One</p>")).toBe("<p>One<del>Two</del></p>");
});
