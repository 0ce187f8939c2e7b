/** The change requests of an organization: to review, mine, open, merged, archived. */
import { useQuery } from "@tanstack/react-query";
import { GitPullRequest } from "lucide-react";
import { useMemo } from "react";
import { useSearch } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { me, requests, type RequestsOf, spaces } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Empty } from "../../parts/empty";
import { List } from "../../parts/list";
import { RequestEntry } from "../../parts/request-entry";
import { Help } from "../../parts/help";
import { Head, Shell } from "../../parts/shell";
import { Tabs } from "../../parts/tabs";
import { Side } from "./side";

const WHICH = ["open", "review", "mine", "merged", "archived"] as const;
type Which = (typeof WHICH)[number];
const WORDS: Record<Which, string> = { open: "Open", review: "To review", mine: "Mine", merged: "Merged", archived: "Archived" };
const NOTHING: Record<Which, string> = {
  open: "No change request is open. Whoever edits a page of a space begins one.",
  review: "Nobody waits for your review.",
  mine: "You have begun none. Open a page and choose Edit.",
  merged: "None was merged yet.",
  archived: "None was put aside.",
};

export default function Requests({ org }: { org: string }) {
  const user = useQuery(me).data;
  const typed = new URLSearchParams(useSearch()).get("of");
  const which: Which = WHICH.find((one) => one === typed) ?? "open";
  const of: Record<Which, RequestsOf> = {
    open: { status: ["open", "draft"] },
    review: { status: ["open"], requestedReviewer: user?.id },
    mine: { status: ["open", "draft"], creator: user?.id },
    merged: { status: ["merged"] },
    archived: { status: ["archived"] },
  };
  const asked = useQuery({ ...requests(org, of[which]), enabled: Boolean(user) });
  const known = useQuery(spaces(org)).data;
  const titles = useMemo(() => new Map((known ?? []).map((one) => [one.id, one.title])), [known]);
  const here = `${addresses.home(org)}/~/changes`;
  return (
    <Shell side={<Side org={org} />} sideName="Spaces" title="Change requests">
      <Head title="Change requests" actions={<Help chapter="collaboration/change-requests" />} />
      <div className="stack">
        <Tabs label="Which change requests" tabs={WHICH.map((one) => ({ href: one === "open" ? here : `${here}?of=${one}`, words: WORDS[one], here: one === which }))} />
        <Asked of={asked} say={sentence}>
          {(found) =>
            found.items.length === 0 ? (
              <Empty icon={<GitPullRequest />} title="Nothing here">{NOTHING[which]}</Empty>
            ) : (
              <List label="Change requests">
                {found.items.map((one) => (
                  <RequestEntry key={one.id} href={addresses.request(org, one.space, one.number)} {...one} by={one.createdBy?.displayName} at={one.updatedAt} where={titles.get(one.space)} />
                ))}
              </List>
            )
          }
        </Asked>
      </div>
    </Shell>
  );
}
