/** A tree to choose from, by mouse, keyboard and screen reader; only what is seen of it is drawn, however large it is. */
import { type FocusEvent, type MouseEvent, type SyntheticEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Choice, MenuAt } from "./menu";
import { useFocus, useKeys } from "./tree-keys";
import { type Branch, find, type Line, lines, ROW } from "./tree-lines";
import type { Order } from "./tree-order";
import { Between, Row } from "./tree-row";
import { drawn, reveal, useElements, useSeen } from "./tree-seen";
import "./tree.css";

export type { Branch } from "./tree-lines";

type Props = {
  label: string;
  branches: Branch[];
  here?: string;
  open: ReadonlySet<string>;
  onOpen: (open: Set<string>) => void;
  onGo: (id: string) => void;
  /** The mouse or the focus came near: what is behind it may be asked for ahead. */
  onNear?: (id: string) => void;
  /** What a row's menu offers; its button stands at the end of each row, and is seen where the mouse or the focus is. */
  menu?: (one: Branch) => Choice[];
  /** Rows can be put elsewhere: by mouse, by the handle of a row, and by Alt with the arrows. */
  order?: Order;
};

export function Tree({ label, branches, here, open, onOpen, onGo, onNear, menu, order }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => lines(branches, open), [branches, open]);
  const seen = useSeen(box);
  const { focused, setFocused, give } = useFocus(box, rows);
  const [asked, ask] = useState<{ one: Branch; button: HTMLElement } | null>(null);
  const toggle = (id: string) => onOpen(open.has(id) ? new Set([...open].filter((one) => one !== id)) : new Set(open).add(id));
  const keys = useKeys({ rows, open, toggle, onGo, give, order, page: seen.room });
  const come = useNear(onNear);
  const press = (event: MouseEvent) => {
    const one = rows[find(rows, keyOf(event))]?.one;
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (!one) return;
    if (!button) onGo(one.id);
    else if (button.matches(".tree-chevron")) toggle(one.id);
    else if (button.matches(".tree-grip")) order?.carry(one.id, rows);
    else ask({ one, button });
  };
  const focus = (event: FocusEvent) => {
    come(event);
    setFocused(keyOf(event));
  };
  const blur = (event: FocusEvent) => {
    if (order?.held?.by === "keys" && !event.currentTarget.contains(event.relatedTarget)) order.leave();
  };
  const tab = [focused, here].find((id) => find(rows, id) >= 0) ?? rows[0]?.one.id;
  const held = order?.held;
  const elements = useElements(rows, drawn(seen, rows.length, [tab, held?.id, asked?.one.id].map((id) => find(rows, id))));
  const goal = held?.by === "keys" && held.target ? find(rows, held.target.id) : -1;
  useLayoutEffect(() => reveal(box.current, goal), [goal]);
  return (
    <div className="tree-box">
      <div ref={box} className="tree" role="treegrid" aria-label={label} onClick={press} onKeyDown={keys} onFocus={focus} onBlur={blur} onMouseDown={still} onPointerOver={come} onPointerDown={come} {...order?.drags(rows, toggle)}>
        <div role="presentation" className="tree-rows" style={{ height: rows.length * ROW }}>
          {elements.map(({ key, at }) => {
            const { one, level, at: nth, of } = rows[at] as Line;
            return (
              <Row
                key={key}
                {...{ one, at, nth, of, level }}
                open={one.below.length > 0 ? open.has(one.id) : undefined}
                here={one.id === here}
                tab={one.id === tab}
                held={one.id === held?.id}
                goal={held?.target?.where === "on" && held.target.id === one.id}
                drags={Boolean(order)}
                asked={menu && asked?.one.id === one.id}
              />
            );
          })}
          {held?.target && <Between rows={rows} target={held.target} />}
        </div>
      </div>
      {order && <div className="visually-hidden" aria-live="assertive">{order.said}</div>}
      {asked && menu && <MenuAt at={{ current: asked.button }} label={`What to do with ${asked.one.words}`} choices={menu(asked.one)} open onClose={() => ask(null)} />}
    </div>
  );
}

const keyOf = (event: SyntheticEvent) => (event.target as Element).closest<HTMLElement>("[data-key]")?.dataset["key"];

/** What opens and closes a row takes the focus from nobody. */
function still(event: MouseEvent) {
  if ((event.target as Element).closest("button.tree-chevron")) event.preventDefault();
}

/** Tells once of each row that the mouse, a finger or the focus comes to. */
function useNear(onNear: ((id: string) => void) | undefined) {
  const last = useRef<string>(undefined);
  return (event: SyntheticEvent) => {
    const id = keyOf(event);
    if (id && id !== last.current) onNear?.(id);
    last.current = id;
  };
}
