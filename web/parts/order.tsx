/** A tree whose rows are put elsewhere: by dragging, by keyboard (Enter on the handle, arrows, Enter), by touch. */
import { ChevronRight, GripVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, Collection, type Key, Tree as AriaTree, TreeItem, TreeItemContent, useDragAndDrop } from "react-aria-components";
import "./order.css";

export type OrderRow = { id: string; words: string; icon?: ReactNode; note?: ReactNode; end?: ReactNode; below: OrderRow[] };
export type Where = "before" | "on" | "after";

type Props = {
  label: string;
  rows: OrderRow[];
  /** Whether one may stand there. */
  may: (moved: string, target: string, where: Where) => boolean;
  onMove: (moved: string, target: string, where: Where) => void;
  still?: boolean;
};

export function Order({ label, rows, may, onMove, still }: Props) {
  const [closed, setClosed] = useState(new Set<string>());
  const every = ids(rows);
  const [held, setHeld] = useState<string | null>(null);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((one) => ({ "text/plain": words(rows, String(one)) })),
    onDragStart: ({ keys }) => setHeld(String([...keys][0])),
    onDragEnd: () => setHeld(null),
    getDropOperation: (target) =>
      target.type === "item" && held !== null && may(held, String(target.key), target.dropPosition) ? "move" : "cancel",
    onMove: ({ keys, target }) => onMove(String([...keys][0]), String(target.key), target.dropPosition),
  });
  return (
    <AriaTree
      className="order"
      aria-label={label}
      items={rows}
      expandedKeys={every.filter((one) => !closed.has(one))}
      onExpandedChange={(keys: Set<Key>) => setClosed(new Set(every.filter((one) => !keys.has(one))))}
      dragAndDropHooks={still ? undefined : dragAndDropHooks}
      dependencies={[rows, closed]}
    >
      {(one) => <Row one={one} still={still} />}
    </AriaTree>
  );
}

function Row({ one, still }: { one: OrderRow; still?: boolean }) {
  const within = one.below.length > 0;
  return (
    <TreeItem id={one.id} textValue={one.words} hasChildItems={within} className="order-row">
      <TreeItemContent>
        {({ level }) => (
          <div className={`order-line level-${Math.min(level, 8)}`}>
            {!still && <Button slot="drag" className="order-grip" aria-label={`Move ${one.words}`}><GripVertical /></Button>}
            {within ? (
              <Button slot="chevron" className="tree-chevron" aria-label={`Open or close ${one.words}`}><ChevronRight /></Button>
            ) : (
              <span className="order-none" />
            )}
            {one.icon && <span className="tree-icon">{one.icon}</span>}
            <span className="grow order-words">
              <span className="strong">{one.words}</span>
              {one.note && <span className="note">{one.note}</span>}
            </span>
            {one.end}
          </div>
        )}
      </TreeItemContent>
      <Collection items={one.below}>{(child) => <Row one={child} still={still} />}</Collection>
    </TreeItem>
  );
}

function ids(rows: OrderRow[]): string[] {
  return rows.flatMap((one) => [one.id, ...ids(one.below)]);
}

function words(rows: OrderRow[], id: string): string {
  for (const one of rows) {
    if (one.id === id) return one.words;
    const below = words(one.below, id);
    if (below) return below;
  }
  return "";
}
