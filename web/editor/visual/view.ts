/** The visual editor: ProseMirror in a shadow root, where the style of published pages holds and nothing of the application does. */
import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import type { Mark, ResolvedPos } from "prosemirror-model";
import { EditorState, NodeSelection, Plugin, Selection } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { Mapping } from "prosemirror-transform";
import { Decoration, DecorationSet, EditorView } from "prosemirror-view";
import { selected } from "./blocks";
import { boxed, LONG } from "./boxed";
import { carrying } from "./carrying";
import { fromDocument, isBlank, type Json, toDocument } from "./document";
import inside from "./inside.css?url";
import { insert as put, INSERTS } from "./inserts";
import { join } from "./joining";
import { COMMANDS, keys } from "./keys";
import type { Look } from "./look";
import { type Menu, menuOf, menus, pick } from "./menu";
import { pasting } from "./paste";
import type { Field } from "./fields";
import { change, type Properties, propertiesOf } from "./properties";
import { type Data, schema } from "./schema";
import { rules } from "./rules";
import { type Blocks, blocksOf, places, type Places, type Taken, taken } from "./taken";
import { beside, heard, typed } from "./typing";
import { uploads } from "./uploads";
import { views } from "./views";

export type Rect = { left: number; top: number; bottom: number };
/** Settings of a block, which has an id as long as it is the same one. */
export type Named = Properties & { id: number };
/** What is to be shown around the text. */
export type Shown = { menu: (Menu & { rect: Rect }) | null; marks: string[]; block: string; properties: Named[]; selected: string; link: Data | null; bubble: Rect | null };

export type Options = {
  document: Json;
  label: string;
  styles: string;
  look: Look;
  changed: () => void;
  save: () => void;
  show: (shown: Shown) => void;
  /** Somebody wants to say where a link leads. */
  link: () => void;
  /** Somebody wants to do something with the block at the cursor, or to set it. */
  block: (of: Taken) => void;
  settings: (choose?: boolean) => void;
  /** Let HTML be read by `work`, into a document in which nothing runs. */
  reading: (work: () => void) => void;
  /** Store a file; where it is then. */
  upload: (file: File, progress: (part: number) => void) => Promise<{ ref: Data; name: string; image: boolean }>;
  /** A text of Markdown as a document. */
  parse: (markdown: string) => Promise<Json>;
  /** Ask for a file. */
  choose: (kind: "image" | "file") => void;
  failed: (error: unknown) => void;
};

export type Visual = {
  document: () => Json;
  mark: () => void;
  join: (joined: Json) => void;
  replace: (document: Json) => void;
  run: (name: string) => void;
  insert: (id: string) => void;
  /** What there is to insert. */
  inserts: { id: string; title: string }[];
  set: (at: number, field: Field, value: unknown) => void;
  act: (of: Properties, id: string) => void;
  pick: (index: number) => void;
  blocks: Blocks;
  link: (ref: Data | null, title?: string) => void;
  give: (files: File[]) => void;
  /** When the files that are on their way are in the text; null where there are none. */
  arriving: () => Promise<unknown> | null;
  /** Something is known of the world that was not. */
  refresh: () => void;
  focus: () => void;
  close: () => void;
};

export function openVisual(host: HTMLElement, options: Options): Visual {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
  const mount = document.createElement("div");
  mount.className = "mount";
  root.replaceChildren(...[options.styles, inside].filter(Boolean).map(sheet), mount);
  const drawn = new Set<() => void>();
  let sent = fromDocument(options.document);
  let since = new Mapping();
  const files = uploads(options);
  const held = places();
  const carried = carrying(held);
  const tell = teller(options, held);
  const state = EditorState.create({
    doc: sent,
    plugins: [
      menus(options.look, (one) => options.choose(one.ask!)),
      ...keys({ "Mod-s": () => (options.save(), true), "Mod-k": () => (options.link(), true), "Mod-/": (now) => asked(taken(held, selected(now)), options.block), Enter: (now) => now.selection instanceof NodeSelection && !now.selection.node.isTextblock && (options.settings(), true) }),
      rules(),
      history(),
      tableEditing(),
      carried.plugin,
      dropCursor({ color: "var(--accent)", width: 2 }),
      gapCursor(),
      files.plugin,
      waiting,
      ending,
      boxed,
    ],
  });
  const view: EditorView = new EditorView(
    { mount },
    {
      state,
      nodeViews: views(options.look, drawn),
      attributes: (now) => ({ class: now.doc.childCount > LONG ? "content long" : "content", role: "textbox", "aria-multiline": "true", "aria-label": options.label, spellcheck: "true" }),
      dispatchTransaction: (tr) => {
        const { state: next, transactions } = view.state.applyTransaction(tr);
        // Before anything is drawn: places are asked for from there on. What plugins append changes them as well.
        for (const one of transactions) {
          since.appendMapping(one.mapping);
          held.heard(one);
        }
        view.updateState(next);
        if (tr.docChanged && !tr.getMeta("foreign")) options.changed();
        tell(view);
        // What was put there says nothing yet: it is asked for.
        if (tr.getMeta("placed") && view.state.selection instanceof NodeSelection) setTimeout(() => options.settings(true));
      },
      handleDOMEvents: { focus: (one) => void tell(one), keydown: heard, ...pasting(options) },
      handleClick: (_, __, event) => {
        // A link is followed with the key held that opens it elsewhere; else it is text.
        const link = (event.target as Element | null)?.closest?.("a");
        if (link && !(event.ctrlKey || event.metaKey)) event.preventDefault();
        return false;
      },
      handleKeyPress: typed,
      handleTextInput: (one, _, __, text) => beside(one, text),
      handlePaste: files.paste,
      handleDrop: files.drop,
    },
  );
  return {
    document: () => toDocument(view.state.doc),
    mark: () => {
      sent = view.state.doc;
      since = new Mapping();
    },
    join: (joined) => {
      const tr = join(view.state, sent, fromDocument(joined), since);
      if (tr) view.dispatch(tr);
    },
    replace: (document) => view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, fromDocument(document).content)),
    run: (name) => {
      COMMANDS[name]?.(view.state, view.dispatch, view);
      view.focus();
    },
    insert: (id) => {
      const made = INSERTS.find((one) => one.id === id);
      if (made?.ask) options.choose(made.ask);
      else if (made?.make) put(view, made.make());
    },
    inserts: INSERTS,
    set: (at, field, value) => void change(at, field, value)(view.state, view.dispatch),
    act: (of, id) => {
      of.actions.find((one) => one.id === id)?.run(view.state, view.dispatch, view);
      view.focus();
    },
    pick: (index) => {
      view.focus();
      pick(view, index);
    },
    blocks: { ...blocksOf(view, held), takeUp: (of, event) => carried.takeUp(view, of, event), letGo: () => carried.letGo(view) },
    link: (ref, title) => linked(view, ref, title),
    give: (given) => files.give(view, given, view.state.selection.from),
    arriving: files.arriving,
    refresh: () => drawn.forEach((again) => again()),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

function asked(one: Taken | null, tell: (of: Taken) => void): boolean {
  if (one) tell(one);
  return one !== null;
}

function sheet(address: string): HTMLLinkElement {
  const made = document.createElement("link");
  made.rel = "stylesheet";
  made.href = address;
  return made;
}

/** An empty paragraph says what can be done there. */
const waiting = new Plugin({
  props: {
    decorations: (state) => {
      const { $from, empty } = state.selection;
      if (!empty || !isBlank($from.parent) || $from.depth > 1) return null;
      return DecorationSet.create(state.doc, [Decoration.node($from.before(), $from.after(), { class: "blank", "data-say": "Write, or press / for blocks" })]);
    },
  },
});

/** There is always a paragraph to go on in. */
const ending = new Plugin({
  appendTransaction: (trs, _, state) => {
    const last = state.doc.lastChild;
    if (!trs.some((tr) => tr.docChanged) || last?.type === schema.nodes["paragraph"]) return null;
    return state.tr.insert(state.doc.content.size, schema.nodes["paragraph"]!.create()).setMeta("addToHistory", false);
  },
});

/** Tells what is to be shown, where that changed: a key in a paragraph draws nothing but itself. */
function teller(options: Options, held: Places): (view: EditorView) => void {
  let before = "";
  let known: (Named & { changes: number })[] = [];
  let last = 0;
  return (view) => {
    // A block that others moved is the same one: what is typed into its settings stays there.
    const properties = propertiesOf(view.state).map((one) => ({ ...one, id: known.find((other) => other.type === one.type && held.where(view, other) === one.at)?.id ?? ++last }));
    known = properties.map(held.take);
    const [now, shown] = around(view, properties);
    if (now === before) return;
    before = now;
    options.show(shown());
  };
}

function around(view: EditorView, properties: Named[]): [string, () => Shown] {
  const menu = menuOf(view.state);
  const { selection } = view.state;
  const marks = marksAt(view.state);
  const block = blockAt(view.state);
  const link = marks.find((one) => one.type === schema.marks["link"])?.attrs["data"] as Data | undefined;
  const named = marks.map((one) => one.type.name);
  const selected = selection.empty ? "" : view.state.doc.textBetween(selection.from, Math.min(selection.to, selection.from + 200), " ");
  const now = JSON.stringify([menu && [menu.kind, menu.query, menu.index, menu.from], named, block, properties.map((one) => [one.id, one.at, one.type, one.data]), link, selection.empty || [selection.from, selection.to]]);
  const bubble = () => !selection.empty && selection.$from.parent.isTextblock && !selection.$from.parent.type.spec.code ? rectOf(view, selection.from) : null;
  return [now, () => ({ menu: menu && { ...menu, rect: rectOf(view, menu.from) }, marks: named, block, properties, selected, link: link ?? null, bubble: bubble() })];
}

function rectOf(view: EditorView, at: number): Rect {
  const { left, top, bottom } = view.coordsAtPos(at);
  return { left, top, bottom };
}

function marksAt(state: EditorState): readonly Mark[] {
  const { $from, empty, from, to } = state.selection;
  if (empty) return state.storedMarks ?? $from.marks();
  const found: Mark[] = [];
  state.doc.nodesBetween(from, Math.min(to, from + 2000), (node) => {
    if (node.isText) for (const mark of node.marks) if (!mark.isInSet(found)) found.push(mark);
  });
  return found;
}

function blockAt(state: EditorState): string {
  const { $from } = state.selection;
  for (let depth = $from.depth - 1; depth > 0; depth--) {
    const name = $from.node(depth).type.name;
    if (name.startsWith("list_") && name !== "list_item") return name;
  }
  return $from.parent.type.name;
}

/** All of the link at a place: words in it may be bold, or code. */
function linkAround(at: ResolvedPos): [number, number] | null {
  const pieces: { marks: readonly Mark[]; from: number; to: number }[] = [];
  at.parent.forEach((node, offset) => pieces.push({ marks: node.marks, from: at.start() + offset, to: at.start() + offset + node.nodeSize }));
  const linked = (one: { marks: readonly Mark[] }) => schema.marks["link"]!.isInSet(one.marks);
  const here = pieces.findLastIndex((one) => linked(one) && one.from <= at.pos && at.pos <= one.to);
  if (here < 0) return null;
  const link = linked(pieces[here]!)!;
  let [first, last] = [here, here];
  while (first > 0 && link.isInSet(pieces[first - 1]!.marks)) first--;
  while (last < pieces.length - 1 && link.isInSet(pieces[last + 1]!.marks)) last++;
  return [pieces[first]!.from, pieces[last]!.to];
}

/** Make what is chosen a link, or the link at the cursor another one, or none. */
function linked(view: EditorView, ref: Data | null, title = ""): void {
  const type = schema.marks["link"]!;
  const { state } = view;
  let { from, to } = state.selection;
  if (state.selection.empty) [from, to] = linkAround(state.selection.$from) ?? [from, to];
  let tr = state.tr;
  if (from === to && ref) {
    tr = tr.insertText(title || String(ref["url"] ?? ""), from);
    to = tr.selection.to;
  }
  tr.removeMark(from, to, type);
  if (ref) tr.addMark(from, to, type.create({ data: { ref } }));
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(to))).removeStoredMark(type));
  view.focus();
}

