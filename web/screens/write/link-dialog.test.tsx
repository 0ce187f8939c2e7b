/** Where a link leads that is asked for by words: a page that is listed, or an address. */
import { cleanup, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Look } from "../../editor/visual/look";
import { LinkDialog } from "./link-dialog";

afterEach(cleanup);

const PAGES = ["Install guide", "Input/output", "Version 2.0"].map((title, at) => ({ title, ref: { kind: "page", page: `p${at}` } }));
const look = {
  name: (ref: { page?: string }) => PAGES.find((one) => one.ref.page === ref.page)?.title,
  find: (_: string, words: string) => PAGES.filter((one) => one.title.toLowerCase().includes(words.trim().toLowerCase())),
} as unknown as Look;

async function entered(words: string, link?: Record<string, unknown>) {
  const [chosen, closed] = [vi.fn(), vi.fn()];
  const screen = render(<LinkDialog look={look} link={link} onClose={closed} onChoose={chosen} />);
  await userEvent.type(screen.getByRole("textbox"), `${words}{Enter}`);
  screen.unmount();
  return { chosen: chosen.mock.calls[0], closed: closed.mock.calls.length };
}

test("a link that is left as it is stays one to its page", async () => {
  for (const link of [PAGES[0]!.ref, { kind: "url", url: "https://example.org" }]) expect(await entered("", link)).toEqual({ chosen: undefined, closed: 1 });
});

test("words of a title lead to the page that is listed first", async () => {
  expect((await entered("guide")).chosen).toEqual([PAGES[0]!.ref, "Install guide"]);
  expect((await entered("input/Output")).chosen).toEqual([PAGES[1]!.ref, "Input/output"]);
  expect((await entered("version 2.0")).chosen).toEqual([PAGES[2]!.ref, "Version 2.0"]);
});

test("what looks like an address, or is in no title, is one", async () => {
  expect((await entered("https://example.org/guide")).chosen).toEqual([{ kind: "url", url: "https://example.org/guide" }]);
  expect((await entered("/")).chosen).toEqual([{ kind: "url", url: "/" }]);
  expect((await entered("ada@example.org")).chosen).toEqual([{ kind: "url", url: "mailto:ada@example.org" }]);
  expect((await entered("example.org")).chosen).toEqual([{ kind: "url", url: "https://example.org" }]);
  expect((await entered("nowhere")).chosen).toEqual([{ kind: "url", url: "nowhere" }]);
});
