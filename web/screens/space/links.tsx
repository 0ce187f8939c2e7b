/** The links of a space that lead nowhere, by page. */
import { useQuery } from "@tanstack/react-query";
import { Link2Off, PartyPopper } from "lucide-react";
import { Link } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { broken } from "../../api/content";
import { Asked } from "../../parts/asked";
import { Empty } from "../../parts/empty";
import { Entry, List } from "../../parts/list";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";

export default function Links({ at }: { at: At }) {
  const asked = useQuery(broken(at.space));
  return (
    <div className="inner">
      <Head title="Broken links" note="What pages link to or show, and is not there. Each is mended by editing its page." actions={<Help chapter="collaboration/links" />} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.items.length === 0 ? (
            <Empty icon={<PartyPopper />} title="Every link leads somewhere">Links are looked at again with each change.</Empty>
          ) : (
            <>
              <p className="note">{found.stats.broken.total === 1 ? "One link is broken." : `${found.stats.broken.total} links are broken.`}</p>
              <List label="Broken links">
                {found.items.map((one, number) => {
                  const page = one.locationReferences.find((each) => each.page)?.page;
                  const target = one.targetReference;
                  const said = target.url ?? (target.ref as { url?: string } | undefined)?.url ?? target.file?.name ?? target.page?.title ?? `a ${target.kind} that is gone`;
                  return <Entry key={number} href={page ? addresses.page(at, page.path || page.id) : addresses.place(at)} lead={<Link2Off />} title={page?.title ?? "A page"} note={<code>{said}</code>} />;
                })}
              </List>
              {found.next && <p className="note">The first {found.items.length} are listed. <Link className="link" href={addresses.place(at)}>Go to the pages</Link></p>}
            </>
          )
        }
      </Asked>
    </div>
  );
}
