/** Who was asked to look at a change request, what they said, and one's own say. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleDashed, PencilLine, UserPlus } from "lucide-react";
import { useState } from "react";
import type { At } from "../../api/addresses";
import { sentence } from "../../api/client";
import type { Review } from "../../api/content";
import { type ChangeRequest, me, members, type Space } from "../../api/queries";
import { only } from "../../api/refused";
import { ask, review, reviewers, reviews } from "../../api/review";
import { Ago } from "../../parts/ago";
import { Avatar } from "../../parts/avatar";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Menu } from "../../parts/menu";
import { Remark, type Said } from "../../parts/remark";
import { toast } from "../../parts/toast";

export function Reviewing({ at, space, one }: { at: At; space: Space; one: ChangeRequest }) {
  const asked = useQuery(reviewers(at.space, one.number)).data;
  const given = useQuery(reviews(at.space, one.number)).data;
  const user = useQuery(me).data;
  const [writing, setWriting] = useState(false);
  const everybody = useQuery(members(at.org)).data;
  const names = (ref: Record<string, unknown>) => everybody?.find((each) => each.user.id === ref["user"])?.user.displayName;
  const work = one.status === "draft" || one.status === "open";
  // The last of each reviewer stands; who was asked and has said nothing waits.
  const last = new Map<string, Review>();
  for (const each of [...(given?.items ?? [])].sort((a, b) => a.createdAt.localeCompare(b.createdAt))) if (each.reviewer) last.set(each.reviewer.id, each);
  const wanted = (asked?.items ?? []).filter((each) => !(each.user && last.has(each.user.id)));
  const mine = (asked?.items ?? []).some((each) => each.user?.id === user?.id);
  return (
    <section className="panel">
      <div className="row">
        <h2 className="grow">Reviews</h2>
        {work && space.permissions.edit && <Ask at={at} one={one} known={[...last.keys(), ...wanted.flatMap((each) => (each.user ? [each.user.id] : []))]} />}
      </div>
      {last.size + wanted.length === 0 && <p className="note">Nobody was asked yet.</p>}
      <ul className="plain stack">
        {[...last.values()].map((each) => (
          <li key={each.id} className="reviewer">
            <Avatar name={each.reviewer?.displayName ?? "?"} size="small" />
            <div className="grow">
              <span className="strong">{each.reviewer?.displayName}</span> <span className="note"><Ago at={each.createdAt} /></span>
              {each.comment && <Remark document={(each.comment.body as { document?: Said }).document} names={names} />}
            </div>
            {each.status === "approved" ? <Badge tone={each.outdated ? "neutral" : "success"} icon={<Check />}>{each.outdated ? "Approved before" : "Approved"}</Badge> : <Badge tone="warning" icon={<PencilLine />}>Asks for changes</Badge>}
          </li>
        ))}
        {wanted.map((each) => (
          <li key={each.user?.id ?? each.team?.id} className="reviewer">
            <Avatar name={each.user?.displayName ?? each.team?.title ?? "?"} size="small" />
            <span className="grow strong">{each.user?.displayName ?? each.team?.title}</span>
            <Badge icon={<CircleDashed />}>Asked</Badge>
          </li>
        ))}
      </ul>
      {work && (space.permissions.review || mine) && <Button onPress={() => setWriting(true)}>Review</Button>}
      <Write at={at} one={one} open={writing} onClose={() => setWriting(false)} />
    </section>
  );
}

function Ask({ at, one, known }: { at: At; one: ChangeRequest; known: string[] }) {
  const queries = useQueryClient();
  const user = useQuery(me).data;
  const everybody = useQuery(members(at.org)).data ?? [];
  const send = useMutation({
    mutationFn: (id: string) => ask(at.space, one.number, [id]),
    onSuccess: async () => {
      toast("They are told");
      await queries.invalidateQueries({ queryKey: ["change-request", at.space] });
    },
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  const others = everybody.filter((each) => !each.disabled && each.user.id !== user?.id && !known.includes(each.user.id));
  if (others.length === 0) return null;
  return (
    <Menu
      label="Whom to ask"
      button={<Button small look="quiet" icon={<UserPlus />}>Ask</Button>}
      choices={others.map((each) => ({ id: each.user.id, words: each.user.displayName, note: each.user.email, icon: <Avatar name={each.user.displayName} size="small" />, act: () => send.mutate(each.user.id) }))}
    />
  );
}

function Write({ at, one, open, onClose }: { at: At; one: ChangeRequest; open: boolean; onClose: () => void }) {
  const [text, setText] = useState("");
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: (status: Review["status"]) => review(at.space, one.number, { status, comment: text.trim() ? { markdown: text.trim() } : undefined }),
    onSuccess: async () => {
      setText("");
      onClose();
      toast("Your review is there");
      await queries.invalidateQueries({ queryKey: ["change-request", at.space] });
      await queries.invalidateQueries({ queryKey: ["comments", at.space] });
    },
  });
  return (
    <Dialog title={`Review #${one.number}`} open={open} onClose={onClose}>
      <Field label="What do you say?" lines={4} value={text} onChange={setText} help="It may stay empty where you approve." wrong={only(send.error, "comment")} autoFocus />
      <Actions>
        <Button onPress={onClose}>Cancel</Button>
        <Button icon={<PencilLine />} isPending={send.isPending} onPress={() => send.mutate("changes-requested")}>Ask for changes</Button>
        <Button look="primary" icon={<Check />} isPending={send.isPending} onPress={() => send.mutate("approved")}>Approve</Button>
      </Actions>
    </Dialog>
  );
}
