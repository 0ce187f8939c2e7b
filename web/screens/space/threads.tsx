/** The comments on a page, or on a change request, with their replies. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { At } from "../../api/addresses";
import { sentence } from "../../api/client";
import { changeComment, type Comment, comments, postComment, postReply, replies, type Reply } from "../../api/content";
import { me, members, type Space } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Comments, type Said, type Thread, Words, Write } from "../../parts/comments";
import { emoji as characters } from "../../parts/emoji";
import type { Person } from "../../parts/mentions";
import { type Said as Document, Remark } from "../../parts/remark";
import { toast } from "../../parts/toast";

type Props = {
  at: At;
  space: Space;
  page?: string;
  /** The block that they are about, by its keys before and after; the last one is written to. */
  node?: string[];
  /** Nothing is shown where nobody wrote yet. */
  quiet?: boolean;
  /** Shows the block that a comment is about. */
  onNode?: (key: string) => void;
};

export function Threads({ at, space, page, node, quiet, onNode }: Props) {
  const asked = useQuery(comments(at, page));
  const queries = useQueryClient();
  const user = useQuery(me).data?.id;
  const people = usePeople(at);
  const again = () => queries.invalidateQueries({ queryKey: ["comments", at.space] });
  return (
    <Asked of={asked} say={sentence} lines={2}>
      {(found) => {
        const list = node ? found.items.filter((one) => one.target.node && node.includes(one.target.node.id)) : found.items;
        if (quiet && list.length === 0) return null;
        return (
        <Comments
          threads={list.map((one) => threaded(one, people, page === undefined, node !== undefined, user, onNode))}
          people={people}
          react={(id, emoji, on) => void changeComment(at, id, on ? { addedReactions: [emoji] } : { removedReactions: [emoji] }).catch((error: unknown) => toast(sentence(error), { tone: "danger" })).then(again)}
          mayWrite={space.permissions.comment}
          say={sentence}
          write={async (text) => {
            await postComment(at, text, page, node?.at(-1));
            await again();
          }}
          resolve={async (id, resolved) => {
            await changeComment(at, id, { resolved }).catch((error: unknown) => toast(sentence(error), { tone: "danger" }));
            await again();
          }}
          thread={(id) => <Replies at={at} comment={found.items.find((one) => one.id === id)} />}
        />
        );
      }}
    </Asked>
  );
}

/** Who can be mentioned: the members of the organization. */
function usePeople(at: At): Person[] {
  const found = useQuery(members(at.org)).data;
  return useMemo(() => (found ?? []).filter((one) => !one.disabled).map((one) => ({ id: one.user.id, name: one.user.displayName })), [found]);
}

function Replies({ at, comment }: { at: At; comment?: Comment }) {
  const queries = useQueryClient();
  const asked = useQuery({ ...replies(at, comment?.id ?? ""), enabled: Boolean(comment?.replies) });
  const people = usePeople(at);
  if (!comment) return null;
  return (
    <div className="replies">
      {(asked.data?.items ?? []).map((one) => (
        <Words key={one.id} said={said(one, people)} />
      ))}
      {comment.permissions.reply && (
        <Write
          label={`Reply to ${comment.postedBy?.displayName ?? "the comment"}`}
          placeholder="Reply"
          words="Reply"
          folded
          people={people}
          say={sentence}
          write={async (text) => {
            await postReply(at, comment.id, text);
            await queries.invalidateQueries({ queryKey: ["replies", at.space] });
            await queries.invalidateQueries({ queryKey: ["comments", at.space] });
          }}
        />
      )}
    </div>
  );
}

function said(one: Comment | Reply, people: Person[]): Said {
  const body = one.body as { document?: Document };
  const names = (ref: Record<string, unknown>) => people.find((each) => each.id === ref["user"])?.name;
  return { id: one.id, by: one.postedBy?.displayName ?? "Somebody who left", picture: one.postedBy?.photoURL, at: one.postedAt, text: <Remark document={body.document} names={names} /> };
}

function threaded(one: Comment, people: Person[], elsewhere: boolean, there: boolean, user?: string, onNode?: (key: string) => void): Thread {
  const node = one.target.node;
  return {
    ...said(one, people),
    reactions: one.reactions.map((each) => ({ emoji: characters(each.emoji), count: each.count, mine: each.users.some((who) => who.user?.id === user) })),
    about: there ? undefined : node?.preview,
    toAbout: node && onNode && (() => onNode(node.id)),
    outdated: Boolean(node && one.target.page?.outdated),
    on: elsewhere ? one.target.page?.title : undefined,
    resolved: one.status === "resolved",
    replies: one.replies,
    mayReply: one.permissions.reply,
    mayResolve: one.permissions.edit || one.permissions.reply,
  };
}
