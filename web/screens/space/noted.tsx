/** Comments at their blocks: beside each block that is spoken about a number, beside the one at hand a way to speak, and the words
 * in a card at the block. One button goes along with the mouse, and with the arrow keys. */
import { useQuery } from "@tanstack/react-query";
import { MessageSquare, MessageSquarePlus } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Dialog, Popover } from "react-aria-components";
import type { At } from "../../api/addresses";
import { comments } from "../../api/content";
import type { Space } from "../../api/queries";
import { type Block, blockAt } from "../../parts/nodes";
import { Threads } from "./threads";
import "./noted.css";

type Props = {
  at: At;
  space: Space;
  page: string;
  content: HTMLElement | null;
  blocks: Block[];
  open: string | undefined;
  onOpen: (key: string | undefined) => void;
};

export function Noted({ at, space, page, content, blocks, open, onOpen }: Props) {
  const found = useQuery(comments(at, page)).data;
  const counts = useMemo(() => {
    const made = new Map<string, number>();
    for (const one of found?.items ?? []) if (one.status === "open" && one.target.node) made.set(one.target.node.id, (made.get(one.target.node.id) ?? 0) + 1);
    return made;
  }, [found]);
  const [here, setHere] = useState<string>();
  const tops = useTops(content, blocks);
  const anchor = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!content) return;
    const move = (event: Event) => {
      const key = blockAt(content, event.target);
      if (key) setHere(key);
    };
    const close = () => onOpen(undefined);
    content.addEventListener("mouseover", move);
    content.addEventListener("click", move);
    content.ownerDocument.addEventListener("pointerdown", close);
    return () => {
      content.removeEventListener("mouseover", move);
      content.removeEventListener("click", move);
      content.ownerDocument.removeEventListener("pointerdown", close);
    };
  }, [content, onOpen]);

  useEffect(() => {
    for (const one of blocks) {
      one.element.toggleAttribute("data-noted", counts.has(one.key));
      one.element.toggleAttribute("data-open", one.key === open);
    }
  }, [blocks, counts, open]);

  const current = blocks.find((one) => one.key === here) ?? blocks[0];
  const shown = blocks.find((one) => one.key === open);
  const may = space.permissions.comment && !at.revision;
  const step = (by: number) => {
    const to = blocks[Math.max(0, Math.min(blocks.length - 1, blocks.indexOf(current!) + by))];
    if (!to) return;
    setHere(to.key);
    scrollTo({ top: Math.max(0, (anchor.current?.parentElement?.getBoundingClientRect().top ?? 0) + scrollY + (tops.get(to.key) ?? 0) - innerHeight / 3) });
  };
  return (
    <div className="noted">
      {blocks.filter((one) => counts.has(one.key) && one.key !== (may ? current?.key : undefined)).map((one) => (
        <button key={one.key} type="button" className="noted-count" style={{ top: tops.get(one.key) ?? 0 }} aria-label={said(counts.get(one.key)!, one)} onClick={() => onOpen(one.key)}>
          <MessageSquare aria-hidden="true" />
          {counts.get(one.key)}
        </button>
      ))}
      {may && current && (
        <button
          ref={button}
          type="button"
          className={here || counts.has(current.key) ? "noted-add here" : "noted-add"}
          style={{ top: tops.get(current.key) ?? 0 }}
          aria-label={counts.has(current.key) ? said(counts.get(current.key)!, current) : `Comment on “${current.words}”`}
          aria-description="Arrow keys go to other blocks"
          onClick={() => onOpen(current.key)}
          onKeyDown={(event) => {
            const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (!by) return;
            event.preventDefault();
            step(by);
          }}
        >
          {counts.has(current.key) ? <><MessageSquare aria-hidden="true" />{counts.get(current.key)}</> : <MessageSquarePlus aria-hidden="true" />}
        </button>
      )}
      <span ref={anchor} className="noted-anchor" style={{ top: shown ? (tops.get(shown.key) ?? 0) : 0 }} />
      <Popover className="popover noted-card" triggerRef={anchor} isOpen={shown !== undefined} onOpenChange={(is) => !is && onOpen(undefined)} placement="bottom end" offset={30}>
        <Dialog className="noted-inside" aria-label={`Comments on “${shown?.words ?? ""}”`}>{shown && <Threads at={at} space={space} page={page} node={[shown.key]} />}</Dialog>
      </Popover>
    </div>
  );
}

const said = (count: number, block: Block) => `${count === 1 ? "1 comment" : `${count} comments`} on “${block.words}”`;

/** Where each block begins, and again whenever the page gets another size. */
function useTops(content: HTMLElement | null, blocks: Block[]): Map<string, number> {
  const [tops, setTops] = useState(new Map<string, number>());
  useEffect(() => {
    if (!content) return;
    const measure = () => setTops(new Map(blocks.map((one) => [one.key, Math.round(one.element.getBoundingClientRect().top)])));
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(content);
    return () => watcher.disconnect();
  }, [content, blocks]);
  return tops;
}
