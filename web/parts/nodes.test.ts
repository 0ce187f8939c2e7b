import { expect, test } from "vitest";
import { blockAt, nodesOf } from "./nodes";

function page(html: string): HTMLElement {
  const made = document.createElement("div");
  made.innerHTML = html;
  return made;
}

test("blocks know their keys, and the marks are gone", () => {
  const made = page("<!--node a--><h2>Sails</h2>\n<!--node b--><ul><li><!--node c--><p>Linen <b>lasts</b>.</p></li></ul><!--node d--><!--node e--><p>Last</p>");
  expect(nodesOf(made).map((one) => [one.key, one.words])).toEqual([["a", "Sails"], ["b", "Linen lasts."], ["c", "Linen lasts."], ["e", "Last"]]);
  expect(made.innerHTML).not.toContain("<!--");
  expect(blockAt(made, made.querySelector("b"))).toBe("b");
  expect(blockAt(made, made.querySelector("h2"))).toBe("a");
  expect(blockAt(made, made)).toBeUndefined();
});
