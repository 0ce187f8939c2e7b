/** Keys: those of every editor, and what Enter, Tab and Backspace do in lists, code and tables. */
import { baseKeymap, chainCommands, exitCode, setBlockType, splitBlockAs, toggleMark, wrapIn } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { MarkType, NodeType } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, NodeSelection, TextSelection } from "prosemirror-state";
import { goToNextCell } from "prosemirror-tables";
import { type Data, schema } from "./schema";

const n = schema.nodes as Record<string, NodeType>;
const m = schema.marks as Record<string, MarkType>;

const inCode: Command = (state) => state.selection.$from.parent.type === n["code"];
const both = (first: Command, then: Command): Command => (state, dispatch, view) => first(state) && then(state, dispatch, view);

const spaces: Command = (state, dispatch) => {
  dispatch?.(state.tr.insertText("  ").scrollIntoView());
  return true;
};

const breakLine: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || inCode(state)) return false;
  dispatch?.(state.tr.replaceSelectionWith(n["hard_break"]!.create()).scrollIntoView());
  return true;
};

/** A new item of a task list has a box that is empty. */
const newItem: Command = (state, dispatch) => {
  const item = state.selection.$from.node(-1);
  const checked = item?.type === n["list_item"] && typeof (item.attrs["data"] as Data)["checked"] === "boolean";
  return splitListItem(n["list_item"]!, { data: checked ? { checked: false } : {} })(state, dispatch);
};

/** A heading that is cut in two keeps its anchor once. */
const split = splitBlockAs((node, atEnd) => {
  if (atEnd && node.type.name.startsWith("heading")) return { type: n["paragraph"]! };
  if (node.type.name.startsWith("heading")) return { type: node.type, attrs: { data: { ...(node.attrs["data"] as Data), id: undefined } } };
  return null;
});

/** The block at the selection changes places with its neighbour, within whatever holds it. */
function move(by: -1 | 1): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const selected = state.selection instanceof NodeSelection && state.selection.node.isBlock;
    for (let depth = selected ? $from.depth : $from.depth - 1; depth >= 0; depth--) {
      const parent = $from.node(depth);
      const index = $from.index(depth);
      const other = index + by;
      if (parent.isTextblock || other < 0 || other >= parent.childCount || parent.type.spec["tableRole"] || parent.type === n["expandable"]) continue;
      if (!dispatch) return true;
      const start = $from.start(depth);
      const first = Math.min(index, other);
      let at = start;
      for (let place = 0; place < first; place++) at += parent.child(place).nodeSize;
      const [a, b] = [parent.child(first), parent.child(first + 1)];
      const moved = by < 0 ? -a.nodeSize : b.nodeSize;
      const tr = state.tr.replaceWith(at, at + a.nodeSize + b.nodeSize, [b, a]);
      const to = state.selection.from + moved;
      tr.setSelection(selected ? NodeSelection.create(tr.doc, to) : TextSelection.near(tr.doc.resolve(to)));
      dispatch(tr.scrollIntoView());
      return true;
    }
    return false;
  };
}

/** Into a list of this kind, from a list of another, or out of it. */
export function list(name: "list_unordered" | "list_ordered" | "list_tasks"): Command {
  return (state, dispatch, view) => {
    const { $from } = state.selection;
    for (let depth = $from.depth; depth > 0; depth--) {
      const one = $from.node(depth);
      if (!one.type.name.startsWith("list_") || one.type === n["list_item"]) continue;
      if (one.type === n[name]) return liftListItem(n["list_item"]!)(state, dispatch, view);
      if (!dispatch) return true;
      const tr = state.tr.setNodeMarkup($from.before(depth), n[name], { data: {} });
      one.forEach((item, offset) => tr.setNodeAttribute($from.start(depth) + offset, "data", name === "list_tasks" ? { checked: (item.attrs["data"] as Data)["checked"] === true } : {}));
      dispatch(tr);
      return true;
    }
    return wrapInList(n[name]!, { data: {} })(state, dispatch && ((tr) => {
      if (name === "list_tasks") tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, at) => void (node.type === n["list_item"] && (node.attrs["data"] as Data)["checked"] === undefined && tr.setNodeAttribute(at, "data", { checked: false })));
      dispatch(tr);
    }));
  };
}

export const COMMANDS: Record<string, Command> = {
  bold: toggleMark(m["bold"]!),
  italic: toggleMark(m["italic"]!),
  strikethrough: toggleMark(m["strikethrough"]!),
  code: toggleMark(m["inline_code"]!),
  keyboard: toggleMark(m["keyboard"]!),
  superscript: toggleMark(m["superscript"]!),
  subscript: toggleMark(m["subscript"]!),
  color: toggleMark(m["color"]!),
  text: setBlockType(n["paragraph"]!, { data: {} }),
  "heading-1": setBlockType(n["heading_1"]!, { data: {} }),
  "heading-2": setBlockType(n["heading_2"]!, { data: {} }),
  "heading-3": setBlockType(n["heading_3"]!, { data: {} }),
  list: list("list_unordered"),
  numbers: list("list_ordered"),
  tasks: list("list_tasks"),
  quote: wrapIn(n["blockquote"]!, { data: {} }),
  hint: wrapIn(n["hint"]!, { data: { style: "info" } }),
  up: move(-1),
  down: move(1),
  undo,
  redo,
};

export function keys(own: Record<string, Command>) {
  const c = (name: string) => COMMANDS[name]!;
  return [
    keymap(own),
    keymap({
      "Mod-b": c("bold"),
      "Mod-i": c("italic"),
      "Mod-e": c("code"),
      "Mod-Shift-x": c("strikethrough"),
      "Mod-Alt-0": c("text"),
      "Mod-Alt-1": c("heading-1"),
      "Mod-Alt-2": c("heading-2"),
      "Mod-Alt-3": c("heading-3"),
      "Mod-Shift-7": c("numbers"),
      "Mod-Shift-8": c("list"),
      "Mod-Shift-9": c("tasks"),
      "Mod-Shift-.": c("quote"),
      "Mod-z": undo,
      "Mod-y": redo,
      "Mod-Shift-z": redo,
      "Alt-ArrowUp": c("up"),
      "Alt-ArrowDown": c("down"),
      "Alt-Shift-ArrowUp": c("up"),
      "Alt-Shift-ArrowDown": c("down"),
      "Shift-Enter": chainCommands(breakLine, exitCode),
      "Mod-Enter": exitCode,
      Tab: chainCommands(goToNextCell(1), sinkListItem(n["list_item"]!), both(inCode, spaces)),
      "Shift-Tab": chainCommands(goToNextCell(-1), liftListItem(n["list_item"]!)),
    }),
    keymap({ ...baseKeymap, Enter: chainCommands(newItem, both(inCode, baseKeymap["Enter"]!), both((state) => !inCode(state), chainCommands(...enters()))) }),
  ];
}

/** Enter as it always is, but for headings. */
function enters(): Command[] {
  const empty: Command = (state, dispatch, view) => {
    const { $from } = state.selection;
    return $from.parent.content.size === 0 && $from.depth > 1 ? baseKeymap["Enter"]!(state, dispatch, view) : false;
  };
  const heading: Command = (state, dispatch, view) => ($from_heading(state) ? split(state, dispatch, view) : false);
  return [empty, heading, baseKeymap["Enter"]!];
}

const $from_heading = (state: Parameters<Command>[0]): boolean => state.selection.$from.parent.type.name.startsWith("heading");
