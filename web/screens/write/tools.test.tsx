/** Settings of a block while others write: what is typed there stays, and is of the block that it was typed for. */
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Look } from "../../editor/visual/look";
import type { Named, Shown, Visual } from "../../editor/visual/view";
import { Settings } from "./tools";

afterEach(cleanup);

const look = { variables: () => [] } as unknown as Look;
const TITLE = { name: "title", label: "Title", kind: "text" } as const;
const code = (more: Partial<Named>): Named => ({ id: 1, at: 10, type: "code", label: "Code", data: { title: "" }, fields: [TITLE], actions: [], ...more });
const shown = (...properties: Named[]) => ({ properties }) as unknown as Shown;

function opened(first: Named) {
  const set = vi.fn();
  const editor = { current: { set, focus: () => undefined } as unknown as Visual };
  const drawn = (one: Named) => <Settings shown={shown(one)} editor={editor} look={look} />;
  const screen = render(drawn(first));
  const field = screen.getByLabelText("Title") as HTMLInputElement;
  field.focus();
  return { set, field, screen, again: (one: Named) => screen.rerender(drawn(one)) };
}

test("what is typed stays under the cursor when others move the block, and is set where that is then", () => {
  const { set, field, screen, again } = opened(code({}));
  fireEvent.change(field, { target: { value: "Sails" } });
  again(code({ at: 25 }));
  expect(screen.getByLabelText("Title")).toBe(field);
  expect([document.activeElement, field.value]).toEqual([field, "Sails"]);
  again(code({ at: 30, data: { title: "Theirs" } }));
  expect(field.value).toBe("Sails");
  fireEvent.blur(field);
  expect(set.mock.calls).toEqual([[30, TITLE, "Sails"]]);
});

test("what others set is shown, and stays when a field is left in which nobody typed", () => {
  const { set, field, again } = opened(code({}));
  again(code({ data: { title: "Theirs" } }));
  expect(field.value).toBe("Theirs");
  fireEvent.blur(field);
  expect(set).not.toHaveBeenCalled();
});

test("the settings of another block are other ones", () => {
  const { set, field, screen, again } = opened(code({}));
  fireEvent.change(field, { target: { value: "Sails" } });
  again(code({ id: 2 }));
  expect((screen.getByLabelText("Title") as HTMLInputElement).value).toBe("");
  expect(set).not.toHaveBeenCalled();
});
