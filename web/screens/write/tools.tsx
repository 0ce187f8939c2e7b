/** What stands around the text of the visual editor: marks and blocks above it, settings of the block below, menus at the cursor. */
import { ArrowDown, ArrowUp, Bold, Code, GripVertical, Italic, Link as LinkIcon, List, ListChecks, ListOrdered, Plus, Redo2, Strikethrough, Type, Undo2 } from "lucide-react";
import { type ReactElement, type RefObject, useEffect, useId, useRef, useState } from "react";
import { type Look, said } from "../../editor/visual/look";
import type { Field } from "../../editor/visual/fields";
import type { Properties } from "../../editor/visual/properties";
import type { Shown, Visual } from "../../editor/visual/view";
import { Button } from "../../parts/button";
import { type Choice, Menu } from "../../parts/menu";
import { InsertIcon } from "./insert-icon";
import { LinkDialog } from "./link-dialog";

type Editor = RefObject<Visual | null>;
type Props = { shown: Shown | null; editor: Editor };

type Mark = { name: string; mark: string; words: string; icon: ReactElement };

const MARKS: Mark[] = [
  { name: "bold", mark: "bold", words: "Bold", icon: <Bold /> },
  { name: "italic", mark: "italic", words: "Italic", icon: <Italic /> },
  { name: "strikethrough", mark: "strikethrough", words: "Struck through", icon: <Strikethrough /> },
  { name: "code", mark: "inline_code", words: "Code", icon: <Code /> },
];
const LISTS = [
  { name: "list", block: "list_unordered", words: "List", icon: <List /> },
  { name: "numbers", block: "list_ordered", words: "Numbered list", icon: <ListOrdered /> },
  { name: "tasks", block: "list_tasks", words: "Task list", icon: <ListChecks /> },
];
const TEXTS: Record<string, string> = { paragraph: "Text", heading_1: "Heading 1", heading_2: "Heading 2", heading_3: "Heading 3" };
const STYLES = [
  { id: "keyboard", words: "Key" },
  { id: "superscript", words: "Superscript" },
  { id: "subscript", words: "Subscript" },
  { id: "color", words: "Marked" },
];

export function Tools({ shown, editor, onLink, blockChoices }: Props & { onLink: () => void; blockChoices: () => Choice[] }) {
  const run = (name: string) => editor.current?.run(name);
  return (
    <div className="writing-tools" role="toolbar" aria-label="Format">
      <Menu
        label="Kind of text"
        button={<Button small look="quiet" icon={<Type />}>{TEXTS[shown?.block ?? ""] ?? "Text"}</Button>}
        choices={[
          ...Object.entries(TEXTS).map(([block, words]) => ({ id: block, words, chosen: shown?.block === block, act: () => run(block === "paragraph" ? "text" : block.replace("_", "-")) })),
          { id: "rule", rule: true as const },
          { id: "quote", words: "Quote", act: () => run("quote") },
          { id: "hint", words: "Hint", act: () => run("hint") },
          { id: "rule-2", rule: true as const },
          ...STYLES.map((one) => ({ id: one.id, words: one.words, chosen: shown?.marks.includes(one.id), act: () => run(one.id) })),
        ]}
      />
      {MARKS.map((one) => (
        <Button key={one.name} small look="quiet" aria-label={one.words} icon={one.icon} aria-pressed={shown?.marks.includes(one.mark) ?? false} onPress={() => run(one.name)} />
      ))}
      <Button small look="quiet" aria-label="Link" icon={<LinkIcon />} aria-pressed={shown?.marks.includes("link") ?? false} onPress={onLink} />
      {LISTS.map((one) => (
        <Button key={one.name} small look="quiet" aria-label={one.words} icon={one.icon} aria-pressed={shown?.block === one.block} onPress={() => run(one.name)} />
      ))}
      <Menu
        label="Insert"
        button={<Button small look="quiet" icon={<Plus />}>Insert</Button>}
        choices={(editor.current?.inserts ?? []).filter((one) => one.id !== "text").map((one) => ({ id: one.id, words: one.title, icon: <InsertIcon id={one.id} />, act: () => editor.current?.insert(one.id) }))}
      />
      <Menu label="Block" button={<Button small look="quiet" aria-label="Block" icon={<GripVertical />} />} choices={blockChoices} />
      <Button small look="quiet" aria-label="Move up" icon={<ArrowUp />} onPress={() => run("up")} />
      <Button small look="quiet" aria-label="Move down" icon={<ArrowDown />} onPress={() => run("down")} />
      <Button small look="quiet" aria-label="Undo" icon={<Undo2 />} onPress={() => run("undo")} />
      <Button small look="quiet" aria-label="Redo" icon={<Redo2 />} onPress={() => run("redo")} />
    </div>
  );
}

/** Over chosen words, where there is room for it. */
export function Bubble({ shown, editor, onLink }: Props & { onLink: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const rect = shown?.bubble;
  useEffect(() => {
    const element = place.current;
    if (!element || !rect) return;
    element.style.left = `${Math.max(8, Math.min(rect.left, innerWidth - element.offsetWidth - 8))}px`;
    element.style.top = `${Math.max(8, rect.top - element.offsetHeight - 8)}px`;
  }, [rect]);
  if (!rect || !shown?.selected) return null;
  return (
    <div ref={place} className="writing-bubble" role="toolbar" aria-label="Chosen words">
      {MARKS.map((one) => (
        <Button key={one.name} small look="quiet" aria-label={`${one.words}, chosen words`} icon={one.icon} aria-pressed={shown.marks.includes(one.mark)} onPress={() => editor.current?.run(one.name)} />
      ))}
      <Button small look="quiet" aria-label="Link, chosen words" icon={<LinkIcon />} aria-pressed={shown.marks.includes("link")} onPress={onLink} />
    </div>
  );
}

const HEADS = { "/": "Insert", "@": "Mention", ":": "Emoji" };

/** What was asked for by a sign in the text. */
export function Inserting({ shown, editor }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const menu = shown?.menu;
  useEffect(() => {
    const element = place.current;
    if (!element || !menu) return;
    const below = menu.rect.bottom + element.offsetHeight + 12 < innerHeight;
    element.style.left = `${Math.max(8, Math.min(menu.rect.left, innerWidth - element.offsetWidth - 8))}px`;
    element.style.top = `${below ? menu.rect.bottom + 6 : Math.max(8, menu.rect.top - element.offsetHeight - 6)}px`;
    element.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [menu]);
  if (!menu) return null;
  const chosen = menu.items[menu.index];
  return (
    <div ref={place} className="writing-menu popover">
      <p className="menu-head" role="status">{HEADS[menu.kind]}{chosen ? <span className="visually-hidden">: {chosen.title}</span> : null}</p>
      <div role="listbox" aria-label={HEADS[menu.kind]} tabIndex={-1}>
        {menu.items.map((one, at) => (
          <div
            key={one.id}
            role="option"
            aria-selected={at === menu.index}
            className="menu-item"
            onMouseDown={(event) => {
              event.preventDefault();
              editor.current?.pick(at);
            }}
          >
            {menu.kind === "/" && <InsertIcon id={one.id} />}
            <span className="grow">{one.title}{one.note && <span className="menu-note">{one.note}</span>}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Settings of the block where the cursor is, and of what is around it. */
export function Settings({ shown, editor, look }: Props & { look: Look }) {
  const list = shown?.properties ?? [];
  if (list.length === 0) return null;
  return (
    <div className="writing-settings" role="group" aria-label="Settings of the block">
      {list.map((one) => (
        <div
          key={one.id}
          className="writing-setting"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            editor.current?.focus();
          }}
        >
          <span className="strong">{one.label}</span>
          {one.fields.map((field) => (
            <Setting key={field.name} of={one} field={field} look={look} set={(value) => editor.current?.set(one.at, field, value)} />
          ))}
          {one.actions.length > 4 ? (
            <Menu label={one.label} button={<Button small look="quiet">Change</Button>} choices={one.actions.map((act) => ({ id: act.id, words: act.label, act: () => editor.current?.act(one, act.id) }))} />
          ) : (
            one.actions.map((act) => <Button key={act.id} small look="quiet" onPress={() => editor.current?.act(one, act.id)}>{act.label}</Button>)
          )}
        </div>
      ))}
    </div>
  );
}

/** As properties.ts of the editor has it, which is loaded later than this: a value as a field holds it. */
function held(field: Field, value: unknown): string {
  if (field.kind === "date") return String(value ?? "").slice(0, 10);
  if (field.kind === "percent") return String((value as { value?: number } | undefined)?.value ?? (typeof value === "number" ? value : ""));
  if (Array.isArray(value)) return value.map((one: unknown) => (typeof one === "string" ? one : String((one as { tag?: string } | null)?.tag ?? ""))).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

type SettingProps = { of: Properties; field: Field; look: Look; set: (value: unknown) => void };

function Setting({ of, field, look, set }: SettingProps) {
  const [asks, setAsks] = useState(false);
  const value = of.data[field.name];
  if (field.kind === "check")
    return (
      <label className="writing-check">
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />
        {field.label}
      </label>
    );
  if (field.kind === "ref")
    return (
      <>
        <Button small data-choose="" onPress={() => setAsks(true)}>{`${field.label}: ${said(look, value) || "choose"}`}</Button>
        {asks && <LinkDialog title={field.label} look={look} find={field.find ?? "page"} link={undefined} onClose={() => setAsks(false)} onChoose={(ref) => { setAsks(false); if (ref) set(ref); }} />}
      </>
    );
  if (field.choices && field.name !== "syntax")
    return (
      <label className="writing-field">
        {field.label}
        <select value={text(value)} onChange={(event) => set(event.target.value)}>
          {!field.choices.includes(text(value)) && <option value={text(value)}>{text(value) || "–"}</option>}
          {field.choices.map((one) => <option key={one}>{one}</option>)}
        </select>
      </label>
    );
  const suggested = field.suggest === "variables" ? look.variables() : field.choices;
  return <Typed field={field} value={value} set={set} suggested={suggested} />;
}

/** What is typed is taken when the field is left, or with Enter: each letter of it would be a change of the page. What others set
 * meanwhile is shown where nobody is typing. */
function Typed({ field, value, set, suggested }: Omit<SettingProps, "look" | "of"> & { value: unknown; suggested?: string[] }) {
  const shown = held(field, value);
  const [now, setNow] = useState(shown);
  const list = useId();
  const timer = useRef(0);
  const typing = useRef(false);
  const latest = useRef({ shown, set });
  latest.current = { shown, set };
  useEffect(() => {
    if (!typing.current) setNow(shown);
  }, [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const give = (words: string) => {
    clearTimeout(timer.current);
    const before = latest.current;
    if (typing.current && words !== before.shown) before.set((field.kind === "number" || field.kind === "percent") && words !== "" ? Number(words) : words);
    typing.current = false;
  };
  const typed = (words: string) => {
    setNow(words);
    typing.current = true;
    clearTimeout(timer.current);
    // What is shown beside it follows the letters, after a short rest.
    if (field.live) timer.current = window.setTimeout(() => give(words), 250);
  };
  const common = { value: now, onBlur: () => give(now), onChange: (event: { target: { value: string } }) => typed(event.target.value) };
  const number = field.kind === "number" || field.kind === "percent";
  return (
    <label className="writing-field">
      {field.label}
      {field.kind === "long" ? (
        <textarea rows={2} {...common} />
      ) : (
        <input
          type={field.kind === "date" ? "date" : number ? "number" : "text"}
          list={suggested && list}
          {...common}
          onKeyDown={(event) => event.key === "Enter" && give(now)}
        />
      )}
      {suggested && <datalist id={list}>{suggested.map((one) => <option key={one} value={one} />)}</datalist>}
    </label>
  );
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
