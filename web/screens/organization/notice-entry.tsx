/** A notification as a line of a list; following it marks it as read. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { AtSign, GitMerge, GitPullRequest, MessageSquare, TriangleAlert, UserCheck } from "lucide-react";
import * as addresses from "../../api/addresses";
import { api, must } from "../../api/client";
import type { Notice } from "../../api/queries";
import { Ago } from "../../parts/ago";
import { Entry } from "../../parts/list";

const ICONS = {
  comment: <MessageSquare />,
  reply: <MessageSquare />,
  mention: <AtSign />,
  merged: <GitMerge />,
  review: <UserCheck />,
  "review-requested": <GitPullRequest />,
  "git-failed": <TriangleAlert />,
} as const;

export function NoticeEntry({ notice }: { notice: Notice }) {
  const queries = useQueryClient();
  const read = useMutation({
    mutationFn: () => must(api.POST("/v1/user/notifications/{notificationId}/read", { params: { path: { notificationId: notice.id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["notifications"] }),
  });
  const to = addresses.local(notice.urls.app);
  return (
    <Entry
      href={to ?? notice.urls.app}
      outside={to === null}
      lead={ICONS[notice.kind]}
      title={said(notice)}
      note={
        <>
          {notice.excerpt && <span>“{notice.excerpt}” · </span>}
          {notice.message && <span>{notice.message} · </span>}
          {notice.space.title} · <Ago at={notice.createdAt} />
        </>
      }
      fresh={!notice.readAt}
      onPress={() => !notice.readAt && read.mutate()}
    />
  );
}

export function said(notice: Notice): string {
  const who = notice.actor?.displayName ?? "Somebody";
  const change = notice.changeRequest ? `#${notice.changeRequest.number} ${notice.changeRequest.subject || ""}`.trim() : "";
  switch (notice.kind) {
    case "comment":
      return `${who} commented${change ? ` on ${change}` : ""}`;
    case "reply":
      return `${who} replied${change ? ` on ${change}` : ""}`;
    case "mention":
      return `${who} mentioned you${change ? ` on ${change}` : ""}`;
    case "merged":
      return `${who} merged ${change}`;
    case "review":
      return `${who} ${notice.review?.status === "approved" ? "approved" : "asks for changes of"} ${change}`;
    case "review-requested":
      return `${who} asks you to review ${change}`;
    case "git-failed":
      return "Synchronising with Git failed";
  }
}
