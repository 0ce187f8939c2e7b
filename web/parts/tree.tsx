/** A tree of links, by mouse, keyboard and screen reader; only what is seen of it is drawn, however large it is. */
import { ChevronRight, GripVertical } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from "react";
import { Button, Collection, type DragAndDropHooks, Tree as AriaTree, TreeItem, TreeItemContent, Virtualizer } from "react-aria-components";
import { Rows } from "./tree-layout";
import "./tree.css";

export type Branch = { id: string; words: string; icon?: ReactNode; heading?: boolean; faint?: boolean; below: Branch[] };
export type Where = "before" | "after" | "on";
export type Way = "up" | "down" | "in" | "out";

type Props = {
  label: string;
  branches: Branch[];
  here?: string;
  open: ReadonlySet<string>;
  onOpen: (open: Set<string>) => void;
  onGo: (id: string) => void;
  /** The mouse or the focus came near: what is behind it may be asked for ahead. */
  onNear?: (id: string) => void;
  /** At the end of each row, such as a menu; it is seen where the mouse or the focus is. */
  end?: (one: Branch) => ReactNode;
  order?: Order;
};

/** Rows can be put elsewhere: by mouse and by the handle of a row (`hooks` of tree-order), and by Alt with the arrows. */
export type Order = {
  may: (id: string, target: string, where: Where) => boolean;
  drop: (id: string, target: string, where: Where) => void;
  step: (id: string, way: Way) => void;
  hooks: DragAndDropHooks;
};

const ROW = 34;
const WAYS: Record<string, Way> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };

export function Tree({ label, branches, here, open, onOpen, onGo, onNear, end, order }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // No state: it changes while rows are drawn, and changes nothing but how the box looks.
  const rows = useMemo(() => new Rows((now) => box.current?.toggleAttribute("data-rushed", now)), []);
  const step = (event: KeyboardEvent) => {
    const way = event.altKey ? WAYS[event.key] : undefined;
    const id = (event.target as Element).closest<HTMLElement>("[data-key]")?.dataset["key"];
    if (!order || !way || !id) return;
    event.preventDefault();
    event.stopPropagation();
    order.step(id, way);
  };
  return (
    <div ref={box} className="tree-box" onKeyDownCapture={step}>
      {/* A tree that begins or ends to be put in order is another one: its hooks differ. */}
      <Virtualizer key={order ? "ordered" : "still"} layout={rows} layoutOptions={{ rowSize: ROW }}>
        <AriaTree
          className="tree"
          aria-label={label}
          items={branches}
          expandedKeys={open}
          onExpandedChange={(keys) => onOpen(new Set([...keys].map(String)))}
          onAction={(key) => onGo(String(key))}
          dragAndDropHooks={order?.hooks}
          dependencies={[open, here, end, order]}
        >
          {(one) => <Row one={one} here={here} open={open} end={end} drags={Boolean(order)} onNear={onNear} />}
        </AriaTree>
      </Virtualizer>
    </div>
  );
}

type RowProps = { one: Branch; here?: string; open: ReadonlySet<string>; end?: Props["end"]; drags: boolean; onNear?: (id: string) => void };

function Row({ one, here, open, end, drags, onNear }: RowProps) {
  const within = one.below.length > 0;
  const look = `tree-row${one.heading ? " heading" : ""}${one.faint ? " faint" : ""}${one.id === here ? " here" : ""}`;
  return (
    <TreeItem id={one.id} textValue={one.words} hasChildItems={within} className={look} onHoverStart={onNear && (() => onNear(one.id))}>
      <TreeItemContent>
        {({ level }) => (
          <div className={`tree-line level-${Math.min(level, 8)}`}>
            {drags && (
              <Button slot="drag" className="tree-grip" aria-label={`Move ${one.words}`}>
                <GripVertical />
              </Button>
            )}
            {within ? (
              <Button slot="chevron" className="tree-chevron" aria-label={`Open or close ${one.words}`}>
                <ChevronRight />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            {one.icon && <span className="tree-icon">{one.icon}</span>}
            <span className="clip grow" aria-current={one.id === here ? "page" : undefined}>{one.words}</span>
            {end && <span className="tree-end">{end(one)}</span>}
          </div>
        )}
      </TreeItemContent>
      {/* What is closed is not built either: of 10,000 pages only those on the way to this one are there. */}
      <Collection items={open.has(one.id) ? one.below : []} dependencies={[open, here, end, drags]}>{(child) => <Row one={child} here={here} open={open} end={end} drags={drags} onNear={onNear} />}</Collection>
    </TreeItem>
  );
}
