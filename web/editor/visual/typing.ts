/** What becomes of a letter that is typed. */
import { NodeSelection, Selection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { schema } from "./schema";

/** A letter of a keyboard goes into the document, and from there to where it is seen: browsers that put it there themselves count
 * through the text of the whole page for each one. What is composed, by telephones and for many languages, is left to them. */
export function typed(view: EditorView, event: KeyboardEvent): boolean {
  const { selection } = view.state;
  const letter = event.key;
  if (letter.length !== 1 || !(selection instanceof TextSelection) || !selection.$from.sameParent(selection.$to)) return false;
  const made = () => view.state.tr.insertText(letter).scrollIntoView();
  if (!view.someProp("handleTextInput", (one) => one(view, selection.from, selection.to, letter, made))) view.dispatch(made());
  return true;
}

/** Browsers tell of a cursor that they moved themselves a moment later, and a fast hand is faster: where it is is read before each key. */
export function heard(view: EditorView): false {
  const { domObserver } = view as unknown as { domObserver: { flush: () => void } };
  if (!view.composing) domObserver.flush();
  return false;
}

/** A letter typed while something is chosen as a whole stands behind it: nothing goes away that nobody deleted. But a cell has one
 * value, and what is typed there is the next one. */
export function beside(view: EditorView, text: string): boolean {
  const { selection } = view.state;
  if (!(selection instanceof NodeSelection)) return false;
  if (selection.node.isInline) {
    const tr = view.state.tr.insertText(text, selection.to);
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, selection.to + text.length)).scrollIntoView());
    return true;
  }
  if (!selection.$to.parent.canReplaceWith(selection.$to.index(), selection.$to.index(), schema.nodes["paragraph"]!)) return false;
  const from = selection.node.type === schema.nodes["cell_value"] ? selection.from : selection.to;
  const tr = view.state.tr.replaceWith(from, selection.to, schema.nodes["paragraph"]!.create(null, schema.text(text)));
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(from + 1 + text.length), -1)).scrollIntoView());
  return true;
}
