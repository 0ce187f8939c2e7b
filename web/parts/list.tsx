/** A list of things, each a line with a link to it: what it is, what is known of it, and something at its end. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import "./list.css";

export function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="list" aria-label={label}>
      {children}
    </ul>
  );
}

type Props = { href: string; lead?: ReactNode; title: ReactNode; note?: ReactNode; end?: ReactNode; outside?: boolean; fresh?: boolean; onPress?: () => void };

export function Entry({ href, lead, title, note, end, outside, fresh, onPress }: Props) {
  const words = (
    <>
      {fresh && <span className="visually-hidden">Unread: </span>}
      {title}
    </>
  );
  return (
    <li className={fresh ? "entry fresh" : "entry"}>
      {lead && <span className="entry-lead">{lead}</span>}
      <div className="grow">
        {outside ? (
          <a className="entry-title" href={href}>{words}</a>
        ) : (
          <Link className="entry-title" href={href} onClick={onPress}>{words}</Link>
        )}
        {note && <div className="entry-note">{note}</div>}
      </div>
      {end && <div className="entry-end">{end}</div>}
    </li>
  );
}
