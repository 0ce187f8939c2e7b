/** Pasting: what it meant to whoever copied it, in the schema of the page. Nothing that the schema does not know comes in. */
import { Selection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { fromDocument, type Json } from "./document";
import { schema } from "./schema";

type Options = { reading: (work: () => void) => void; parse: (markdown: string) => Promise<Json>; failed: (error: unknown) => void };

/** Beginnings of lines that are Markdown, or the content format, and hardly anything else. */
const MARKDOWN = /^(#{1,6} \S|[-*+] \S|\d+[.)] \S|> |```|~~~|\|.+\||\{% |- \[[ x]\] |<details>|<figure>)|\*\*\S[^*\n]*\*\*|\[[^\]\n]+\]\([^)\s]+\)/m;
const LONGEST = 1_000_000;

export function pasting(options: Options): Record<string, (view: EditorView, event: never) => boolean> {
  return {
    paste: (view, event: ClipboardEvent) => {
      const data = event.clipboardData;
      if (!data) return false;
      if (data.files.length > 0 && !data.getData("text/html").includes("<table")) return false;
      const html = data.getData("text/html");
      const text = data.getData("text/plain");
      event.preventDefault();
      const inCode = view.state.selection.$from.parent.type.spec.code === true;
      if (inCode) view.dispatch(view.state.tr.insertText(text.replace(/\r\n?/g, "\n")).scrollIntoView());
      else if (text && (!html || isSource(html)) && text.length < LONGEST && MARKDOWN.test(text) && !html.includes("data-pm-slice")) markdown(view, text, options);
      else if (html) options.reading(() => view.pasteHTML(html, event));
      else if (text) view.pasteText(text, event);
      return true;
    },
    drop: (view, event: DragEvent) => {
      const html = event.dataTransfer?.getData("text/html");
      if (view.dragging || !html || (event.dataTransfer?.files.length ?? 0) > 0) return false;
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
      if (!at) return false;
      event.preventDefault();
      view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
      options.reading(() => view.pasteHTML(html));
      return true;
    },
  } as Record<string, (view: EditorView, event: never) => boolean>;
}

/** Editors of source put a picture of their text beside it, in which Markdown is only letters. */
function isSource(html: string): boolean {
  return /vscode|monospace|<pre[^>]*style/i.test(html.slice(0, 2000)) && !/<(table|h[1-6]|ul|ol)\b/i.test(html);
}

/** At once as it is, and as blocks when the server has read it: what was pasted is there whatever happens. */
function markdown(view: EditorView, text: string, options: Options): void {
  const from = view.state.selection.from;
  view.pasteText(text);
  const end = view.state.selection.to;
  const pasted = view.state.doc.slice(from, end);
  void options.parse(text).then((json) => {
    if (view.isDestroyed || view.state.doc.content.size < end || !view.state.doc.slice(from, end).eq(pasted)) return;
    const made = fromDocument(json);
    const only = made.childCount === 1 && made.firstChild!.type === schema.nodes["paragraph"] ? made.firstChild! : null;
    const tr = view.state.tr;
    if (only) tr.replaceWith(from, end, only.content);
    else tr.setSelection(TextSelection.create(tr.doc, from, end)).replaceSelection(made.slice(0, made.content.size));
    view.dispatch(tr.scrollIntoView());
  }, options.failed);
}
