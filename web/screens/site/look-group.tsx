/** What the groups of fields of a look share. */
import type { ReactNode } from "react";
import type { Wrongs } from "../../api/refused";
import type { Customization } from "../../api/sites";

export type Some = { look: Customization; onChange: (look: Customization) => void; wrong: Wrongs };

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Where a link leads, where that is an address. */
export const addressOf = (link: { to?: object | null }) => (link.to && "url" in link.to ? String(link.to.url) : "");
