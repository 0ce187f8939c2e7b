/** The handle of a block: beside the one under the mouse, to drag it by and to say what becomes of it. */
import { GripVertical } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { KINDS } from "../../editor/visual/kinds";
import type { Taken } from "../../editor/visual/taken";
import type { Visual } from "../../editor/visual/view";
import { type Choice, MenuAt } from "../../parts/menu";
import { fail } from "../../parts/toast";

const LEAVES_AFTER = 400;

type Editor = RefObject<Visual | null>;
type Props = { editor: Editor; sheet: RefObject<HTMLElement | null>; asked: Taken | null; onDone: () => void; onComment: (of: Taken) => void };

export const GONE = "That block is gone: somebody else moved, replaced or deleted it meanwhile.";

/** What can be done with a block, for its handle and for the toolbar. */
export function choicesOf(editor: Editor, of: Taken, onComment: (of: Taken) => void): Choice[] {
  const blocks = editor.current?.blocks;
  const told = (done: boolean | undefined) => done === false && fail(GONE);
  return [
    ...(of.turns ? [...KINDS.map((one) => ({ id: one.id, words: `Turn into ${one.words.toLowerCase()}`, act: () => told(blocks?.turn(of, one.id)) })), { id: "rule", rule: true as const }] : []),
    { id: "up", words: "Move up", note: "Alt+Shift+↑", act: () => told(blocks?.run(of, "up")) },
    { id: "down", words: "Move down", note: "Alt+Shift+↓", act: () => told(blocks?.run(of, "down")) },
    { id: "duplicate", words: "Duplicate", act: () => told(blocks?.run(of, "duplicate")) },
    { id: "comment", words: "Comment", act: () => onComment(of) },
    { id: "rule-2", rule: true as const },
    { id: "remove", words: "Delete", danger: true, act: () => told(blocks?.run(of, "remove")) },
  ];
}

type Under = { under: Taken | null; setUnder: (of: Taken | null) => void; stay: () => void };

/** The block under the mouse, while that is over the page or the handle. */
function useUnder({ editor, sheet }: Pick<Props, "editor" | "sheet">, button: RefObject<HTMLElement | null>): Under {
  const [under, setUnder] = useState<Taken | null>(null);
  const leaving = useRef(0);
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
        setUnder((was) => (was?.changes === found?.changes && was?.at === found?.at && was?.type === found?.type && was?.index === found?.index ? was : found));
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
  }, [button, editor, sheet]);
  return { under, setUnder, stay: () => clearTimeout(leaving.current) };
}

export function Handle({ editor, sheet, asked, onDone, onComment }: Props) {
  const [open, setOpen] = useState<Taken | null>(null);
  const [carried, setCarried] = useState<Taken | null>(null);
  const button = useRef<HTMLDivElement>(null);
  const { under, setUnder, stay } = useUnder({ editor, sheet }, button);
  const of = carried ?? open ?? asked ?? under;
  const shut = () => {
    setOpen(null);
    setUnder(null);
    if (asked) onDone();
  };

  const rect = of && editor.current?.blocks.rect(of);
  const lost = of !== null && !rect && !carried;
  useEffect(() => {
    if (!lost) return;
    shut();
    if (open || asked) fail(GONE);
  });
  useEffect(() => {
    const element = button.current;
    if (!element || !rect) return;
    element.style.left = `${Math.max(2, rect.left - 30)}px`;
    element.style.top = `${rect.top + (rect.height - 26) / 2}px`;
  });
  // What is dragged stays in the page: browsers tell of the end of it nobody but the element where it began.
  if (!of || (!rect && !carried)) return null;
  return (
    <>
      {/* Its menu is in the toolbar as well, and opened with Ctrl+/: this one is for the mouse. */}
      <div
        ref={button}
        className="block-handle"
        draggable
        aria-hidden="true"
        title="Drag to move, click for more"
        onPointerEnter={stay}
        onClick={() => setOpen(of)}
        onDragStart={(event) => {
          if (editor.current?.blocks.takeUp(of, event.nativeEvent)) setCarried(of);
          else event.preventDefault();
        }}
        onDragEnd={() => {
          editor.current?.blocks.letGo();
          setCarried(null);
          setUnder(null);
        }}
      >
        <GripVertical />
      </div>
      <MenuAt
        label="Block"
        at={button}
        open={open !== null || asked !== null}
        onClose={shut}
        // It is shut first: what is done moves the block away from here.
        choices={choicesOf(editor, of, onComment).map((one) => ("act" in one ? { ...one, act: () => (shut(), one.act()) } : one))}
      />
    </>
  );
}
