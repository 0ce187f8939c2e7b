/** A change request as a line of a list. */
import { Archive, GitMerge, GitPullRequest, GitPullRequestDraft } from "lucide-react";
import { Ago } from "./ago";
import { Avatar } from "./avatar";
import { Badge, type Tone } from "./badge";
import { Entry } from "./list";

export type Status = "archived" | "draft" | "merged" | "open";

const LOOKS = {
  draft: { tone: "neutral", words: "Draft", icon: <GitPullRequestDraft /> },
  open: { tone: "success", words: "Open", icon: <GitPullRequest /> },
  merged: { tone: "info", words: "Merged", icon: <GitMerge /> },
  archived: { tone: "neutral", words: "Archived", icon: <Archive /> },
} as const satisfies Record<Status, { tone: Tone; words: string; icon: unknown }>;

export function StatusBadge({ status }: { status: Status }) {
  const look = LOOKS[status];
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.words}
    </Badge>
  );
}

type Props = { href: string; number: number; subject: string; status: Status; by?: string; at: string; where?: string; comments?: number; outdated?: boolean };

export function RequestEntry({ href, number, subject, status, by, at, where, comments, outdated }: Props) {
  return (
    <Entry
      href={href}
      lead={LOOKS[status].icon}
      title={subject || "Untitled change request"}
      note={
        <>
          #{number}
          {where && <> in {where}</>}
          {by && <> by {by}</>}, changed <Ago at={at} />
          {comments ? <> · {comments === 1 ? "1 comment" : `${comments} comments`}</> : null}
        </>
      }
      end={
        <>
          {outdated && status !== "merged" && <Badge tone="warning">Behind</Badge>}
          <StatusBadge status={status} />
          {by && <Avatar name={by} size="small" />}
        </>
      }
    />
  );
}
