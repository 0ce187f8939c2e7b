/** A menu behind a button: things to do, or places to go to. */
import type { ReactElement, ReactNode, RefObject } from "react";
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from "react-aria-components";
import "./menu.css";

export type Choice =
  | { id: string; words: string; note?: string; icon?: ReactNode; chosen?: boolean; danger?: boolean; act: () => void }
  | { id: string; rule: true };

type Props = { button: ReactElement; label: string; choices: Choice[]; head?: string };

function items(choices: Choice[]) {
  return choices.map((one) =>
    "rule" in one ? (
      <Separator key={one.id} id={one.id} className="menu-rule" />
    ) : (
      <MenuItem key={one.id} id={one.id} textValue={one.words} onAction={one.act} className={one.danger ? "menu-item danger" : "menu-item"}>
        {one.icon}
        <span className="grow">
          {one.words}
          {one.note && <span className="menu-note">{one.note}</span>}
        </span>
        {one.chosen && (
          <>
            <span className="menu-chosen" aria-hidden="true">✓</span>
            <span className="visually-hidden">, chosen</span>
          </>
        )}
      </MenuItem>
    ),
  );
}

export function Menu({ button, label, choices, head }: Props) {
  return (
    <MenuTrigger>
      {button}
      <Popover className="popover">
        <AriaMenu aria-label={label} className="menu-list">
          {head ? (
            <MenuSection>
              <Header className="menu-head">{head}</Header>
              {items(choices)}
            </MenuSection>
          ) : (
            items(choices)
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

/** The same beside something that is no button of its own. */
export function MenuAt({ at, label, choices, open, onClose }: { at: RefObject<HTMLElement | null>; label: string; choices: Choice[]; open: boolean; onClose: () => void }) {
  return (
    <Popover className="popover" triggerRef={at} isOpen={open} onOpenChange={(is) => !is && onClose()} placement="bottom start">
      <AriaMenu aria-label={label} className="menu-list" autoFocus="first" onClose={onClose}>
        {items(choices)}
      </AriaMenu>
    </Popover>
  );
}
