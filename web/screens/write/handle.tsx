/** The handle of a block: beside the one under the mouse, to drag it by and to say what becomes of it. */
import { GripVertical } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Handled } from "../../editor/visual/blocks";
import { KINDS } from "../../editor/visual/kinds";
import type { Visual } from "../../editor/visual/view";
import { type Choice, MenuAt } from "../../parts/menu";

const LEAVES_AFTER = 400;

type Editor = RefObject<Visual | null>;
type Props = { editor: Editor; sheet: RefObject<HTMLElement | null>; asked: Handled | null; onDone: () => void; onComment: (of: Handled) => void };

/** What can be done with a block, for its handle and for the toolbar. */
export function choicesOf(editor: Editor, of: Handled, onComment: (of: Handled) => void): Choice[] {
  const blocks = editor.current?.blocks;
  return [
    ...(of.turns ? [...KINDS.map((one) => ({ id: one.id, words: `Turn into ${one.words.toLowerCase()}`, act: () => blocks?.turn(of.at, one.id) })), { id: "rule", rule: true as const }] : []),
    { id: "up", words: "Move up", note: "Alt+Shift+↑", act: () => blocks?.run(of.at, "up") },
    { id: "down", words: "Move down", note: "Alt+Shift+↓", act: () => blocks?.run(of.at, "down") },
    { id: "duplicate", words: "Duplicate", act: () => blocks?.run(of.at, "duplicate") },
    { id: "comment", words: "Comment", act: () => onComment(of) },
    { id: "rule-2", rule: true as const },
    { id: "remove", words: "Delete", danger: true, act: () => blocks?.run(of.at, "remove") },
  ];
}

export function Handle({ editor, sheet, asked, onDone, onComment }: Props) {
  const [under, setUnder] = useState<Handled | null>(null);
  const [open, setOpen] = useState<Handled | null>(null);
  const button = useRef<HTMLDivElement>(null);
  const leaving = useRef(0);
  const of = open ?? asked ?? under;

  useEffect(() => {
    const element = sheet.current;
    if (!element) return;
    let frame = 0;
    const moved = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons) return;
      clearTimeout(leaving.current);
      if (button.current?.contains(event.target as Node)) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const found = editor.current?.blocks.at(event.clientY) ?? null;
        setUnder((was) => (was?.at === found?.at && was?.type === found?.type && was?.index === found?.index ? was : found));
      });
    };
    const gone = () => {
      leaving.current = window.setTimeout(() => setUnder(null), LEAVES_AFTER);
    };
    // What is typed moves blocks: the handle comes again with the mouse.
    const typed = () => setUnder(null);
    element.addEventListener("pointermove", moved);
    element.addEventListener("pointerleave", gone);
    element.addEventListener("keydown", typed);
    element.addEventListener("scroll", typed);
    addEventListener("resize", typed);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(leaving.current);
      element.removeEventListener("pointermove", moved);
      element.removeEventListener("pointerleave", gone);
      element.removeEventListener("keydown", typed);
      element.removeEventListener("scroll", typed);
      removeEventListener("resize", typed);
    };
  }, [editor, sheet]);

  const rect = of && editor.current?.blocks.rect(of.at);
  useEffect(() => {
    const element = button.current;
    if (!element || !rect) return;
    element.style.left = `${Math.max(2, rect.left - 30)}px`;
    element.style.top = `${rect.top + (rect.height - 26) / 2}px`;
  });
  if (!of || !rect) return null;
  return (
    <>
      {/* Its menu is in the toolbar as well, and opened with Ctrl+/: this one is for the mouse. */}
      <div
        ref={button}
        className="block-handle"
        draggable
        aria-hidden="true"
        title="Drag to move, click for more"
        onPointerEnter={() => clearTimeout(leaving.current)}
        onClick={() => setOpen(of)}
        onDragStart={(event) => {
          if (!editor.current?.blocks.takeUp(of.at, event.nativeEvent)) event.preventDefault();
        }}
        onDragEnd={() => {
          editor.current?.blocks.letGo();
          setUnder(null);
        }}
      >
        <GripVertical />
      </div>
      <MenuAt
        label="Block"
        at={button}
        open={open !== null || asked !== null}
        onClose={() => {
          setOpen(null);
          setUnder(null);
          if (asked) onDone();
        }}
        choices={choicesOf(editor, of, onComment)}
      />
    </>
  );
}
