/** Links at the side of a place. */
import type { ReactNode } from "react";
import { Link } from "wouter";

export type NavLink = { href: string; words: string; icon: ReactNode; here: boolean; count?: number };

export function Nav({ label, links }: { label: string; links: NavLink[] }) {
  return (
    <nav className="nav" aria-label={label}>
      <ul className="plain">
        {links.map((one) => (
          <li key={one.href}>
            <Link href={one.href} className="nav-link" aria-current={one.here ? "page" : undefined}>
              {one.icon}
              {one.words}
              {one.count ? <span className="nav-count">{one.count}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
