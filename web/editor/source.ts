/** The editor of a page's Markdown: CodeMirror in a shadow root, where its style needs no exception of the page's policy. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Annotation, ChangeSet, EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Formatted } from "./format";
import { differences } from "./lines";
import { markdown } from "./markdown";

export type Source = {
  text: () => string;
  /** Put what the server has into the text: `sent` is what was sent to it, `joined` what became of that. What was typed since stays. */
  join: (sent: string, joined: string) => void;
  /** Where what was typed from now on is counted from. */
  mark: () => void;
  format: (how: (text: string, from: number, to: number) => Formatted) => void;
  replace: (text: string) => void;
  focus: () => void;
  close: () => void;
};

const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--ink)", fontWeight: "680" },
  { tag: tags.strong, color: "var(--ink)", fontWeight: "680" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, color: "var(--code-string)" },
  { tag: [tags.processingInstruction, tags.meta], color: "var(--muted)" },
  { tag: tags.quote, color: "var(--muted)" },
  { tag: tags.comment, color: "var(--code-comment)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--body)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "400 14px/24px var(--mono)", overflow: "auto" },
  ".cm-content": { padding: "20px 24px 120px", maxWidth: "860px", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in oklch, var(--accent) 22%, transparent)" },
  ".cm-placeholder": { color: "var(--muted)" },
});

const foreign = Annotation.define<boolean>();

export function openSource(host: HTMLElement, options: { text: string; label: string; changed: () => void; save: () => void }): Source {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
  const inside = document.createElement("div");
  inside.style.height = "100%";
  root.replaceChildren(inside);
  let since: ChangeSet = ChangeSet.empty(options.text.length);
  const view = new EditorView({
    root,
    parent: inside,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSpecialChars(),
        EditorState.allowMultipleSelections.of(true),
        EditorState.lineSeparator.of("\n"),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true", autocorrect: "on", autocapitalize: "on" }),
        placeholder("Write in Markdown…"),
        markdown,
        syntaxHighlighting(colours),
        look,
        keymap.of([{ key: "Mod-s", run: () => (options.save(), true), preventDefault: true }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          since = since.compose(update.changes);
          if (!update.transactions.some((one) => one.annotation(foreign))) options.changed();
        }),
      ],
    }),
  });
  return {
    text: () => view.state.sliceDoc(),
    mark: () => {
      since = ChangeSet.empty(view.state.doc.length);
    },
    join: (sent, joined) => {
      const theirs = ChangeSet.of(differences(sent, joined), sent.length);
      // What was typed since it was sent moves along; the cursor stays where it was in the words around it. Undo takes back one's own.
      view.dispatch({ changes: theirs.map(since, true), annotations: [foreign.of(true), Transaction.addToHistory.of(false)] });
    },
    format: (how) => {
      const { from, to } = view.state.selection.main;
      const { select, ...change } = how(view.state.sliceDoc(), from, to);
      view.dispatch({ changes: change, selection: { anchor: select[0], head: select[1] }, scrollIntoView: true });
      view.focus();
    },
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
