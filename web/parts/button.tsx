/** A button, and a link that looks like one. */
import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { Link } from "wouter";
import "./button.css";

export type Look = "primary" | "plain" | "quiet" | "danger";

type Props = Omit<ButtonProps, "className" | "children" | "isPending"> & {
  look?: Look;
  small?: boolean;
  /** Before the words; without words, the button is square and needs `aria-label`. */
  icon?: ReactNode;
  /** What it does is under way: pressing it again does nothing, and the focus stays. */
  isPending?: boolean;
  children?: ReactNode;
};

export function Button({ look = "plain", small, icon, isPending, onPress, type, children, ...rest }: Props) {
  const busy = isPending ?? false;
  return (
    <AriaButton
      {...rest}
      type={busy ? "button" : type}
      onPress={busy ? undefined : onPress}
      data-pending={busy || undefined}
      className={name(look, small, !children)}
    >
      {icon}
      {children}
    </AriaButton>
  );
}

type LinkLook = { href: string; look?: Look; small?: boolean; icon?: ReactNode; children: ReactNode };

export function ButtonLink({ href, look = "plain", small, icon, children }: LinkLook) {
  return (
    <Link href={href} className={name(look, small, false)}>
      {icon}
      {children}
    </Link>
  );
}

function name(look: Look, small: boolean | undefined, square: boolean): string {
  return `button ${look}${small ? " small" : ""}${square ? " square" : ""}`;
}
