/** Places beside one another, each an address: a row of links of which one is here. */
import { Link } from "wouter";
import "./tabs.css";

export type Tab = { href: string; words: string; count?: number; here: boolean };

export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      <ul className="plain">
        {tabs.map((one) => (
          <li key={one.href}>
            <Link href={one.href} className="tab" aria-current={one.here ? "page" : undefined}>
              {one.words}
              {one.count !== undefined && <span className="tab-count">{one.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
