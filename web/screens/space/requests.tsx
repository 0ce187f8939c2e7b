/** The change requests of a space. */
import { useQuery } from "@tanstack/react-query";
import { GitPullRequest } from "lucide-react";
import { useSearch } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { requests, type Space } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Empty } from "../../parts/empty";
import { List } from "../../parts/list";
import { RequestEntry } from "../../parts/request-entry";
import { Head } from "../../parts/shell";
import { Tabs } from "../../parts/tabs";

const WHICH = { open: { words: "Open", of: ["open", "draft"] }, merged: { words: "Merged", of: ["merged"] }, archived: { words: "Archived", of: ["archived"] } } as const;

export default function Requests({ at, space }: { at: At; space: Space }) {
  const typed = new URLSearchParams(useSearch()).get("of") ?? "open";
  const which = typed in WHICH ? (typed as keyof typeof WHICH) : "open";
  const asked = useQuery(requests(at.org, { space: at.space, status: [...WHICH[which].of] }));
  const here = `${addresses.space(at.org, at.space)}/~/changes`;
  return (
    <div className="inner">
      <Head title="Change requests" note={`Proposed edits of ${space.title || "this space"}.`} />
      <Tabs label="Which change requests" tabs={Object.entries(WHICH).map(([name, one]) => ({ href: name === "open" ? here : `${here}?of=${name}`, words: one.words, here: name === which }))} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.items.length === 0 ? (
            <Empty icon={<GitPullRequest />} title={which === "open" ? "Nothing is proposed" : "Nothing here"}>Open a page and choose Edit: what you write becomes a change request, which others can review.</Empty>
          ) : (
            <List label="Change requests">
              {found.items.map((one) => (
                <RequestEntry key={one.id} href={addresses.request(at.org, at.space, one.number)} {...one} by={one.createdBy?.displayName} at={one.updatedAt} />
              ))}
            </List>
          )
        }
      </Asked>
    </div>
  );
}
