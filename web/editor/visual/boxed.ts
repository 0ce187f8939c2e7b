/** In a long page, the block that is written into is a box of its own, as high as it was: a letter in it then lays out the block, and
 * not the page. As soon as its lines need another height it is no box any more, and a moment later one again. */
import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";

/** Blocks of a page from which on it is long. */
export const LONG = 150;
/** Milliseconds without a change until a block becomes a box. */
const REST = 150;

/** Where it begins, how high it is, and how high its lines are together, which says whether that still holds. */
type Box = { from: number; height: number; lines: number };

const key = new PluginKey<Box | null>("boxed");

export const boxed = new Plugin<Box | null>({
  key,
  state: {
    init: () => null,
    apply: (tr, box, before, now) => {
      const told = tr.getMeta(key) as { box: Box | null } | undefined;
      return told ? told.box : box && still(tr, box, before, now);
    },
  },
  props: {
    decorations: (state) => {
      const box = key.getState(state);
      const node = box && state.doc.nodeAt(box.from);
      if (!box || !node) return null;
      return DecorationSet.create(state.doc, [Decoration.node(box.from, box.from + node.nodeSize, { style: `contain: strict; box-sizing: border-box; height: ${box.height}px` })]);
    },
  },
  view: (view) => watched(view),
});

function watched(view: EditorView) {
  let timer = 0;
  let width = 0;
  const tell = (box: Box | null) => view.dispatch(view.state.tr.setMeta(key, { box }).setMeta("addToHistory", false));
  const wait = () => {
    clearTimeout(timer);
    if (at(view.state) !== null) timer = window.setTimeout(() => !view.composing && tell(measured(view)), REST);
  };
  const look = () => {
    const box = key.getState(view.state);
    if (!box) wait();
    else if (Math.abs(linesOf(view.nodeDOM(box.from)) - box.lines) > 1) tell(null);
  };
  // Lines break elsewhere in another width.
  const watcher = new ResizeObserver(() => {
    if (width !== view.dom.clientWidth && key.getState(view.state)) tell(null);
    width = view.dom.clientWidth;
  });
  watcher.observe(view.dom);
  return {
    update: (_: EditorView, before: EditorState) => {
      if (before.doc !== view.state.doc || before.selection !== view.state.selection || key.getState(before) !== key.getState(view.state)) look();
    },
    destroy: () => {
      clearTimeout(timer);
      watcher.disconnect();
    },
  };
}

/** The box after a change: that of the same block, as long as the cursor is in it and it is the same kind of block. */
function still(tr: Transaction, box: Box, before: EditorState, now: EditorState): Box | null {
  const from = tr.mapping.map(box.from, 1);
  const node = before.doc.nodeAt(box.from);
  if (at(now) !== from || !node?.hasMarkup(now.doc.nodeAt(from)!.type, now.doc.nodeAt(from)!.attrs)) return null;
  return from === box.from ? box : { ...box, from };
}

/** Where the block with the cursor begins, if it can be a box: nothing in it but text, whose height changes with nothing else. */
function at(state: EditorState): number | null {
  const { $from, $to } = state.selection;
  if (state.doc.childCount <= LONG || $from.depth !== 1 || !$from.sameParent($to)) return null;
  return plain($from.parent) ? $from.before(1) : null;
}

function plain(block: Node): boolean {
  if (!block.isTextblock || block.type.spec.code || block.childCount === 0) return false;
  for (let index = 0; index < block.childCount; index++) if (!block.child(index).isText) return false;
  return true;
}

function measured(view: EditorView): Box | null {
  const from = at(view.state);
  const dom = from === null ? null : view.nodeDOM(from);
  if (from === null || !(dom instanceof HTMLElement)) return null;
  return { from, height: dom.getBoundingClientRect().height, lines: linesOf(dom) };
}

function linesOf(dom: globalThis.Node | null): number {
  if (!dom) return 0;
  const range = document.createRange();
  range.selectNodeContents(dom);
  return range.getBoundingClientRect().height;
}
