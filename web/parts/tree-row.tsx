/** A row of a tree. What is done with it, the tree hears: a row is elements and nothing else, so that thousands can rush past. */
import { ChevronRight, GripVertical, MoreHorizontal } from "lucide-react";
import { memo } from "react";
import { behind, type Branch, find, inset, type Line, MOST_DEEP, ROW, type Target } from "./tree-lines";

type Props = {
  one: Branch;
  /** Its index among all rows, and which of those beside it that is. */
  at: number;
  nth: number;
  of: number;
  level: number;
  /** Whether what is below it is shown; undefined where there is nothing. */
  open: boolean | undefined;
  here: boolean;
  /** Whether the tabulator leads to it. */
  tab: boolean;
  held: boolean;
  goal: boolean;
  drags: boolean;
  /** Whether its menu is open; undefined where it has none. */
  asked: boolean | undefined;
};

export const Row = memo(function Row({ one, at, nth, of, level, open, here, tab, held, goal, drags, asked }: Props) {
  return (
    <div
      role="row"
      data-key={one.id}
      className={`tree-row${one.heading ? " heading" : ""}${one.faint ? " faint" : ""}${here ? " here" : ""}${held ? " held" : ""}${goal ? " goal" : ""}`}
      style={{ top: at * ROW }}
      tabIndex={tab ? 0 : -1}
      draggable={drags || undefined}
      aria-label={one.words}
      aria-level={level}
      aria-posinset={nth}
      aria-setsize={of}
      aria-expanded={open}
    >
      <div role="gridcell" className={`tree-line level-${Math.min(level, MOST_DEEP)}`}>
        {drags && (
          <button type="button" className="tree-grip" tabIndex={-1} aria-label={`Move ${one.words}`} aria-pressed={held}>
            <GripVertical />
          </button>
        )}
        {open === undefined ? (
          <span className="tree-chevron" />
        ) : (
          <button type="button" className="tree-chevron" tabIndex={-1} aria-label={`Open or close ${one.words}`}>
            <ChevronRight />
          </button>
        )}
        {one.icon && <span className="tree-icon">{one.icon}</span>}
        <span className="clip grow" aria-current={here ? "page" : undefined}>{one.words}</span>
        {asked !== undefined && (
          <span className="tree-end">
            <button type="button" className="button quiet small square tree-more" tabIndex={-1} aria-label={`More about ${one.words}`} aria-haspopup="menu" aria-expanded={asked}>
              <MoreHorizontal />
            </button>
          </span>
        )}
      </div>
    </div>
  );
});

/** The line between rows, or around one, where what is held would stand. */
export function Between({ rows, target }: { rows: Line[]; target: Target }) {
  const at = find(rows, target.id);
  if (at < 0 || target.where === "on") return null;
  const top = (target.where === "before" ? at : behind(rows, at)) * ROW;
  return <div role="presentation" className="tree-between" style={{ top, insetInlineStart: inset(rows[at]?.level ?? 1) + 8 }} />;
}
