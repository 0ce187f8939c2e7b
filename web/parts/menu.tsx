/** A menu behind a button: things to do, or places to go to. */
import type { ReactElement, ReactNode, RefObject } from "react";
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from "react-aria-components";
import "./menu.css";

export type Choice =
  | { id: string; words: string; note?: string; icon?: ReactNode; chosen?: boolean; danger?: boolean; act: () => void }
  | { id: string; rule: true };

/** Choices that hang on more than what is drawn are asked for when the menu opens. */
type Choices = Choice[] | (() => Choice[]);
type Props = { button: ReactElement; label: string; choices: Choices; head?: string };

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

export function Menu({ button, ...listed }: Props) {
  return (
    <MenuTrigger>
      {button}
      <Popover className="popover">
        <Listed {...listed} />
      </Popover>
    </MenuTrigger>
  );
}

/** What is drawn of a menu while it is open. */
function Listed({ label, choices, head }: Omit<Props, "button">) {
  const shown = items(typeof choices === "function" ? choices() : choices);
  return (
    <AriaMenu aria-label={label} className="menu-list">
      {head ? (
        <MenuSection>
          <Header className="menu-head">{head}</Header>
          {shown}
        </MenuSection>
      ) : (
        shown
      )}
    </AriaMenu>
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
