/** What opens while somebody types: blocks on `/`, pages and people on `@`, emoji on `:`. */
import { type EditorState, Plugin, PluginKey } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { EMOJI } from "./emoji";
import { type Insert, insert, matching } from "./inserts";
import type { Found, Look } from "./look";
import { schema } from "./schema";
import { characters } from "./views";

export type Item = { id: string; title: string; note?: string; run: (view: EditorView, from: number, to: number) => void };
export type Menu = { kind: "/" | "@" | ":"; from: number; to: number; query: string; items: Item[]; index: number };

const MOST = 40;
const key = new PluginKey<Menu | null>("menu");
const BEGINS = /(?:^|[\s(])([/@])([\p{L}\p{N} _-]{0,30})$|(?:^|[\s(])(:)([a-z0-9_+-]{2,20})$/u;

export const menuOf = (state: EditorState): Menu | null => key.getState(state) ?? null;

type Ask = (one: Insert, view: EditorView) => void;

export function menus(look: Look, ask: Ask): Plugin {
  return new Plugin<Menu | null>({
    key,
    state: {
      init: () => null,
      apply: (tr, before, _, state) => {
        const said = tr.getMeta(key) as { close?: true; index?: number } | undefined;
        if (said?.close) return null;
        if (said?.index !== undefined) return before && { ...before, index: said.index };
        if (tr.getMeta("foreign")) return before && { ...before, from: tr.mapping.map(before.from), to: tr.mapping.map(before.to) };
        // It opens by typing, and stays as long as what was typed still asks for it.
        if (!tr.docChanged && !before) return null;
        if (!tr.docChanged && !tr.selectionSet) return before;
        return found(state, look, ask, before);
      },
    },
    props: {
      handleKeyDown: (view, event) => {
        const menu = menuOf(view.state);
        if (!menu || event.isComposing) return false;
        if (event.key === "Escape") return say(view, { close: true });
        if (menu.items.length === 0) return false;
        const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (by) return say(view, { index: (menu.index + by + menu.items.length) % menu.items.length });
        if (event.key === "Enter" || event.key === "Tab") return pick(view, menu.index);
        return false;
      },
      handleDOMEvents: { blur: (view) => void (menuOf(view.state) && setTimeout(() => !view.isDestroyed && !view.hasFocus() && say(view, { close: true }), 200)) },
    },
  });
}

function say(view: EditorView, what: { close: true } | { index: number }): true {
  view.dispatch(view.state.tr.setMeta(key, what));
  return true;
}

export function pick(view: EditorView, index: number): true {
  const menu = menuOf(view.state);
  const one = menu?.items[index];
  if (!menu || !one) return true;
  view.dispatch(view.state.tr.setMeta(key, { close: true }));
  one.run(view, menu.from, menu.to);
  return true;
}

function found(state: EditorState, look: Look, ask: Ask, before: Menu | null): Menu | null {
  const { $from, empty } = state.selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code || $from.marks().some((one) => one.type === schema.marks["inline_code"])) return null;
  const words = $from.parent.textBetween(Math.max(0, $from.parentOffset - 60), $from.parentOffset, undefined, "￼");
  const match = BEGINS.exec(words);
  const kind = (match?.[1] ?? match?.[3]) as Menu["kind"] | undefined;
  if (!match || !kind) return null;
  const query = match[2] ?? match[4] ?? "";
  const from = $from.pos - query.length - 1;
  const items = itemsOf(kind, query, look, ask);
  // Words that name nothing are words.
  if (items.length === 0) return null;
  return { kind, from, to: $from.pos, query, items, index: before?.kind === kind && before.query === query ? before.index : 0 };
}

function itemsOf(kind: Menu["kind"], query: string, look: Look, ask: Ask): Item[] {
  if (kind === "/") return matching(query).map((one) => ({ id: one.id, title: one.title, run: (view, from, to) => put(view, one, from, to, ask) }));
  if (kind === ":") return emoji(query);
  return [...look.find("page", query), ...look.find("person", query)].slice(0, MOST).map(mention);
}

function put(view: EditorView, one: Insert, from: number, to: number, ask: Ask): void {
  if (one.make) return insert(view, one.make(), from, to);
  view.dispatch(view.state.tr.delete(from, to));
  ask(one, view);
}

const mention = (one: Found): Item => ({
  id: JSON.stringify(one.ref),
  title: one.title,
  note: one.note,
  run: (view, from, to) => view.dispatch(view.state.tr.replaceWith(from, to, [schema.nodes["mention"]!.create({ data: { ref: one.ref } }), schema.text(" ")])),
});

function emoji(query: string): Item[] {
  return EMOJI.filter(([name]) => name.startsWith(query))
    .slice(0, 12)
    .map(([name, code]) => ({
      id: name,
      title: `${characters(code)} ${name}`,
      run: (view, from, to) => view.dispatch(view.state.tr.replaceWith(from, to, schema.nodes["emoji"]!.create({ data: { code } }))),
    }));
}
