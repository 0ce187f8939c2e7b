/** What Markdown would be, as it is typed: beginnings of blocks, and marks around words. */
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import type { MarkType, NodeType } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import { refOf } from "./look";
import { schema } from "./schema";

const n = schema.nodes as Record<string, NodeType>;
const m = schema.marks as Record<string, MarkType>;

/** `**words**` becomes marked words; what was typed first is taken away. */
function marked(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const words = match[2];
    if (!words || state.doc.rangeHasMark(start, end, m["inline_code"]!)) return null;
    const before = start + match[0].indexOf(match[1]!);
    const tr = state.tr.delete(before, end).insertText(words, before).addMark(before, before + words.length, type.create());
    return tr.removeStoredMark(type);
  });
}

const link = new InputRule(/\[([^\]]+)\]\(([^()\s]+)\)$/, (state, match, start, end) => {
  const tr = state.tr.insertText(match[1]!, start, end);
  return tr.addMark(start, start + match[1]!.length, m["link"]!.create({ data: { ref: refOf(match[2]!) } })).removeStoredMark(m["link"]!);
});

const formula = new InputRule(/\$\$([^$\n]+)\$\$$/, (state, match, start, end) => state.tr.replaceWith(start, end, n["inline_math"]!.create({ data: { formula: match[1] } })));

const rule = new InputRule(/^(?:---|\*\*\*)$/, (state, _, start) => {
  const place = state.doc.resolve(start);
  if (place.parent.type !== n["paragraph"] || place.parent.childCount > 1) return null;
  const tr = state.tr.replaceWith(place.before(), place.after(), [n["divider"]!.create(), n["paragraph"]!.create()]);
  return tr.setSelection(TextSelection.create(tr.doc, place.before() + 2));
});

const tasks = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const place = state.doc.resolve(start);
  const around = place.node(-1);
  const checked = /x/i.test(match[1]!);
  if (around?.type === n["list_item"]) {
    const tr = state.tr.delete(start, end).setNodeAttribute(place.before(-1), "data", { checked });
    return tr.setNodeMarkup(place.before(-2), n["list_tasks"]!, { data: {} });
  }
  const wrap = wrappingInputRule(/^\[[ xX]?\]\s$/, n["list_tasks"]!) as unknown as { handler: (...words: unknown[]) => ReturnType<typeof state.tr.insertText> | null };
  const tr = wrap.handler(state, match, start, end);
  if (!tr) return null;
  const at = tr.selection.$from;
  for (let depth = at.depth; depth > 0; depth--) if (at.node(depth).type === n["list_item"]) return tr.setNodeAttribute(at.before(depth), "data", { checked });
  return tr;
});

const heading = (marks: string, level: number) => textblockTypeInputRule(new RegExp(`^${marks}\\s$`), n[`heading_${level}`]!);

export const rules = () =>
  inputRules({
    rules: [
      // The title of the page is its only heading of the first level: `#` and `##` both begin a section.
      heading("##?", 1),
      heading("###", 2),
      heading("####", 3),
      tasks,
      wrappingInputRule(/^\s*([-+*])\s$/, n["list_unordered"]!),
      wrappingInputRule(/^(\d{1,6})[.)]\s$/, n["list_ordered"]!, (match) => ({ data: match[1] === "1" ? {} : { start: Number(match[1]) } })),
      wrappingInputRule(/^\s*>\s$/, n["blockquote"]!),
      textblockTypeInputRule(/^```([\w+#-]*)\s$/, n["code"]!, (match) => ({ data: match[1] ? { syntax: match[1] } : {} })),
      rule,
      link,
      formula,
      marked(/(?:^|[^*])(\*\*([^*\s](?:[^*]*[^*\s])?)\*\*)$/, m["bold"]!),
      marked(/(?:^|[^*\w])(\*([^*\s](?:[^*]*[^*\s])?)\*)$/, m["italic"]!),
      marked(/(?:^|[^_\w])(_([^_\s](?:[^_]*[^_\s])?)_)$/, m["italic"]!),
      marked(/(?:^|[^~])(~~([^~\s](?:[^~]*[^~\s])?)~~)$/, m["strikethrough"]!),
      marked(/(?:^|[^`])(`([^`]+)`)$/, m["inline_code"]!),
    ],
  });
