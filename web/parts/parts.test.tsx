import { cleanup, render, screen } from "@testing-library/react";
import user from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ago } from "./ago";
import { initials } from "./avatar";
import { Button } from "./button";
import { Comments } from "./comments";
import { Words } from "./diff";
import { emoji } from "./emoji";
import { Field } from "./field";
import { fill } from "./trusted";

afterEach(cleanup);

test("a button does what it says, once", async () => {
  const act = vi.fn();
  render(<Button onPress={act}>Merge</Button>);
  await user.click(screen.getByRole("button", { name: "Merge" }));
  expect(act).toHaveBeenCalledTimes(1);
});

test("a field says what is wrong with it", () => {
  render(<Field label="Title" wrong="It is empty." />);
  expect(screen.getByLabelText("Title").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("It is empty.")).toBeTruthy();
});

test("a comment that was refused stays where it was typed", async () => {
  const write = vi.fn(() => Promise.reject(new Error("no")));
  render(<Comments threads={[]} mayWrite write={write} resolve={() => Promise.resolve()} thread={() => null} say={() => "You may not comment here."} />);
  await user.type(screen.getByLabelText("Comment"), "Is that so?");
  await user.click(screen.getByRole("button", { name: "Comment" }));
  expect(await screen.findByText("You may not comment here.")).toBeTruthy();
  expect((screen.getByRole("textbox", { name: "Comment" }) as HTMLTextAreaElement).value).toBe("Is that so?");
});

test("words that came and went are marked as such", () => {
  const { container } = render(<Words runs={[{ status: "equal", text: "port " }, { status: "deleted", text: "80" }, { status: "added", text: "8000" }]} />);
  expect(container.querySelector("del")?.textContent).toBe("80");
  expect(container.querySelector("ins")?.textContent).toBe("8000");
});

test("HTML is put into nothing but a frame without scripts", () => {
  const frame = document.createElement("iframe");
  expect(() => fill(frame, "<p>x</p>")).toThrow();
  frame.setAttribute("sandbox", "allow-same-origin allow-scripts");
  expect(() => fill(frame, "<p>x</p>")).toThrow();
});

test("small words", () => {
  expect(emoji("1f680")).toBe("🚀");
  expect(emoji("🚀")).toBe("🚀");
  expect(emoji(undefined)).toBe("");
  expect(initials("Ada Lovelace")).toBe("AL");
  expect(initials("")).toBe("?");
  expect(ago("2026-01-01T00:00:00Z", Date.parse("2026-01-03T01:00:00Z"))).toBe("2 days ago");
});
