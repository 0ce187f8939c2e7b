import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Remark } from "./remark";

const text = (words: string, ...marks: string[]) => ({ object: "text", leaves: [{ text: words, marks: marks.map((type) => ({ type })) }] });

test("a remark has marks, lists and names; addresses that are none of the web lead nowhere", () => {
  const link = (url: string) => ({ type: "link", data: { ref: { kind: "url", url } }, nodes: [text("here")] });
  const document = {
    nodes: [
      { type: "paragraph", nodes: [text("Say "), text("which", "bold"), { type: "mention", data: { ref: { kind: "user", user: "u1" } } }, link("https://example.org"), link("javascript:alert(1)")] },
      { type: "list-unordered", nodes: [{ type: "list-item", nodes: [{ type: "paragraph", nodes: [text("<b>one</b>")] }] }] },
    ],
  };
  const { container } = render(<Remark document={document} names={(ref) => (ref["user"] === "u1" ? "Ada" : undefined)} />);
  expect(container.querySelector("strong")?.textContent).toBe("which");
  expect(container.querySelector(".named")?.textContent).toBe("@Ada");
  expect([...container.querySelectorAll("a")].map((one) => one.getAttribute("href"))).toEqual(["https://example.org"]);
  expect(container.querySelector("li")?.textContent).toBe("<b>one</b>");
});
