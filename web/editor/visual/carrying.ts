/** Blocks carried by their handle: a line says between which blocks one would stand, and there it is put. */
import type { Node } from "prosemirror-model";
import { NodeSelection, Plugin, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { blockAt, cut } from "./blocks";
import type { Places, Taken } from "./taken";

type Target = { pos: number; made: Node; left: number; width: number; y: number };

export function carrying(places: Places) {
  let carried: Taken | null = null;
  let line: HTMLElement | null = null;
  const gone = () => {
    line?.remove();
    line = null;
  };
  const letGo = (view?: EditorView) => {
    carried = null;
    if (view) view.dragging = null;
    gone();
  };
  const over = (view: EditorView, event: DragEvent): boolean => {
    if (!carried) return false;
    event.preventDefault();
    const from = places.where(view, carried);
    const found = from === null ? null : target(view, from, event.clientY);
    if (!found) gone();
    else show(view, found);
    return true;
  };
  const show = (view: EditorView, { left, width, y }: Target) => {
    const around = view.dom.parentElement ?? view.root;
    if (!line) {
      line = document.createElement("div");
      line.className = "carrying-line";
      around.appendChild(line);
    }
    Object.assign(line.style, { left: `${left}px`, width: `${width}px`, top: `${y - 1}px` });
  };
  const plugin = new Plugin({
    props: {
      handleDOMEvents: {
        dragover: over,
        dragleave: (_, event) => {
          if (!(event.relatedTarget instanceof globalThis.Node)) gone();
          return false;
        },
        drop: (view, event) => {
          if (!carried) return false;
          event.preventDefault();
          const from = places.where(view, carried);
          const found = from === null ? null : target(view, from, event.clientY);
          if (from !== null && found) put(view, from, found);
          letGo(view);
          return true;
        },
      },
    },
    view: () => ({ destroy: gone }),
  });
  return {
    plugin,
    letGo,
    takeUp: (view: EditorView, of: Taken, event: DragEvent): boolean => {
      const at = places.where(view, of);
      const node = at === null ? null : view.state.doc.nodeAt(at);
      if (at === null || !node || !event.dataTransfer || !NodeSelection.isSelectable(node)) return false;
      const { dom, text, slice } = view.serializeForClipboard(NodeSelection.create(view.state.doc, at).content());
      event.dataTransfer.clearData();
      event.dataTransfer.setData("text/html", dom.innerHTML);
      event.dataTransfer.setData("text/plain", text);
      event.dataTransfer.effectAllowed = "copyMove";
      const shown = view.nodeDOM(at);
      if (shown instanceof HTMLElement) event.dataTransfer.setDragImage(shown, 0, 0);
      carried = of;
      // What is carried within the page is nothing that is brought into it.
      view.dragging = { slice, move: true };
      return true;
    },
  };
}

/** Before or behind the block at this height, or what that is in, wherever it fits. */
function target(view: EditorView, from: number, y: number): Target | null {
  const node = view.state.doc.nodeAt(from);
  const under = blockAt(view, y);
  if (!node || !under) return null;
  const dom = view.nodeDOM(under.at);
  if (!(dom instanceof HTMLElement)) return null;
  const box = dom.getBoundingClientRect();
  const behind = y > (box.top + box.bottom) / 2;
  let pos = behind ? under.at + view.state.doc.nodeAt(under.at)!.nodeSize : under.at;
  for (;;) {
    if (pos > from && pos < from + node.nodeSize) return null;
    const place = view.state.doc.resolve(pos);
    for (const made of [node, listed(view, from, node)]) if (made && place.parent.canReplaceWith(place.index(), place.index(), made.type)) return { pos, made, left: box.left, width: box.width, y: behind ? box.bottom + 6 : box.top - 6 };
    if (place.depth === 0) return null;
    pos = behind ? place.after() : place.before();
  }
}

/** An item that leaves its list is a list of one. */
function listed(view: EditorView, from: number, node: Node): Node | null {
  if (node.type.name !== "list_item") return null;
  const list = view.state.doc.resolve(from).parent;
  return list.type.create({ data: {} }, node);
}

function put(view: EditorView, from: number, { pos, made }: Target): void {
  const node = view.state.doc.nodeAt(from)!;
  if (pos === from || pos === from + node.nodeSize) return;
  const tr = view.state.tr.insert(pos, made);
  cut(tr, tr.mapping.map(from, 1));
  const to = pos < from ? pos : tr.mapping.slice(1).map(pos, 1);
  tr.setSelection(made.isAtom ? NodeSelection.create(tr.doc, to) : Selection.near(tr.doc.resolve(to + 1)));
  view.dispatch(tr.setMeta("uiEvent", "drop"));
  view.focus();
}
