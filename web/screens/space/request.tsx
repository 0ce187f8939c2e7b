/** A change request: what it is about, what it changes, who says what of it, and the way to the merge. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ExternalLink, MoreHorizontal, Pencil, SearchX, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { Refusal, sentence } from "../../api/client";
import { changeRequest } from "../../api/content";
import { me, members, type ChangeRequest, type Space } from "../../api/queries";
import { only } from "../../api/refused";
import { preview, revert, update } from "../../api/review";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Menu } from "../../parts/menu";
import { Remark, type Said } from "../../parts/remark";
import { StatusBadge } from "../../parts/request-entry";
import { Head } from "../../parts/shell";
import { Tabs } from "../../parts/tabs";
import { toast } from "../../parts/toast";
import { Actions, Dialog } from "../../parts/dialog";
import { plain, type Node } from "../../editor/plain";
import { remark } from "../../editor/remark";
import { Changes } from "./changes";
import { Merging } from "./merging";
import { Present } from "./present";
import { Reviewing } from "./reviewing";
import { Threads } from "./threads";
import "./request.css";

export default function Request({ at, space, number, tab }: { at: At; space: Space; number: number; tab?: string; page?: string }) {
  // Others write, review and merge meanwhile: who looks at it hears of that.
  const asked = useQuery({ ...changeRequest(space.id, number), refetchOnMount: "always", refetchInterval: HEARD });
  if (asked.error instanceof Refusal && asked.error.status === 404) return <div className="inner"><NoRequest at={at} /></div>;
  return (
    <div className="inner">
      <Asked of={asked} say={sentence}>
        {(one) => <One at={at} space={space} one={one} tab={tab === "changes" ? "changes" : "talk"} />}
      </Asked>
    </div>
  );
}

const HEARD = 10_000;

function NoRequest({ at }: { at: At }) {
  const all = `${addresses.space(at.org, at.space)}/~/changes`;
  return <Empty icon={<SearchX />} title="There is no such change request" action={<ButtonLink href={all}>All change requests</ButtonLink>}>Its number is another one, or it belongs to another space.</Empty>;
}

function One({ at, space, one, tab }: { at: At; space: Space; one: ChangeRequest; tab: "talk" | "changes" }) {
  const here = addresses.request(at.org, at.space, one.number);
  const title = one.subject || "Untitled change request";
  useEffect(() => {
    document.title = `#${one.number} ${title} · Octavo`;
  }, [one.number, title]);
  return (
    <>
      <Head
        above={<Link href={`${addresses.space(at.org, at.space)}/~/changes`}>Change requests</Link>}
        title={<>{title} <span className="request-number">#{one.number}</span></>}
        note={
          <>
            <StatusBadge status={one.status} />
            {one.outdated && one.status !== "merged" && <Badge tone="warning">Behind</Badge>}
            <span>
              {one.createdBy?.displayName ?? "Somebody"} began it <Ago at={one.createdAt} />
              {one.mergedAt && <>, {one.mergedBy?.displayName ?? "somebody"} merged it <Ago at={one.mergedAt} /></>}
            </span>
          </>
        }
        actions={<><Present at={at} /><Doing at={at} space={space} one={one} /></>}
      />
      <Tabs
        label="Change request"
        tabs={[
          { href: here, words: "Overview", here: tab === "talk" },
          { href: `${here}/~/changes`, words: "Changes", here: tab === "changes" },
        ]}
      />
      <div className="request">
        <div className="grow request-main">
          {tab === "changes" ? (
            <Changes at={at} space={space} one={one} />
          ) : (
            <>
              <Description space={space} one={one} />
              <section>
                <h2>Comments</h2>
                <Threads at={at} space={space} />
              </section>
            </>
          )}
        </div>
        <aside className="request-side" aria-label="Review and merge">
          <Merging at={at} space={space} one={one} />
          <Reviewing at={at} space={space} one={one} />
        </aside>
      </div>
    </>
  );
}

function Description({ space, one }: { space: Space; one: ChangeRequest }) {
  const [writing, setWriting] = useState(false);
  const queries = useQueryClient();
  const document = (one.description as { document?: Node } | undefined)?.document ?? (one.description as Node | undefined);
  const words = plain(document);
  const everybody = useQuery(members(space.organization)).data;
  const names = (ref: Record<string, unknown>) => everybody?.find((each) => each.user.id === ref["user"])?.user.displayName;
  const [text, setText] = useState("");
  const save = useMutation({
    mutationFn: () => update(space.id, one.number, { description: { markdown: text } }),
    onSuccess: async () => {
      setWriting(false);
      await queries.invalidateQueries({ queryKey: ["change-request", space.id] });
    },
  });
  if (writing)
    return (
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label="Description" lines={5} autoFocus value={text} onChange={setText} help="What it changes and why. Markdown works." wrong={only(save.error, "description")} />
        <div className="row">
          <Button look="primary" type="submit" isPending={save.isPending}>Save</Button>
          <Button onPress={() => setWriting(false)}>Cancel</Button>
        </div>
      </form>
    );
  return (
    <section className="description">
      {words ? <Remark document={document as Said} names={names} /> : <p className="note">Nobody has described it yet.</p>}
      {space.permissions.edit && one.status !== "merged" && (
        <Button
          small
          look="quiet"
          icon={<Pencil />}
          onPress={() => {
            setText(remark(document) ?? words);
            setWriting(true);
          }}
        >
          {words ? "Edit the description" : "Describe it"}
        </Button>
      )}
    </section>
  );
}

function Doing({ at, space, one }: { at: At; space: Space; one: ChangeRequest }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const user = useQuery(me).data;
  const [renaming, setRenaming] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ["change-request", space.id] });
  const set = useMutation({
    mutationFn: (body: Parameters<typeof update>[2]) => update(space.id, one.number, body),
    onSuccess: refresh,
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  const look = useMutation({
    mutationFn: () => preview(space.id, one.number),
    onSuccess: async ({ url }) => {
      await navigator.clipboard.writeText(url).catch(() => undefined);
      toast("The address of the preview is copied. Whoever has it sees the change for a week.");
      open(url, "_blank", "noopener");
    },
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  const back = useMutation({
    mutationFn: () => revert(space.id, one),
    onSuccess: (number) => {
      toast("Its pages are as they were before it, in a change request of its own. Look at it, and merge it.");
      go(`${addresses.request(at.org, at.space, number)}/~/changes`);
    },
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  const edits = space.permissions.edit && one.status !== "merged";
  const mine = user?.id === one.createdBy?.id;
  return (
    <>
      {edits && one.status === "draft" && (
        <Button look={mine ? "primary" : "plain"} isPending={set.isPending} onPress={() => set.mutate({ status: "open" })}>Ready for review</Button>
      )}
      <Menu
        label="More"
        button={<Button aria-label="More" icon={<MoreHorizontal />} />}
        choices={[
          ...(edits ? [{ id: "rename", words: "Rename", icon: <Pencil />, act: () => setRenaming(true) }] : []),
          { id: "preview", words: "Preview on the site", note: "Copies an address for a week", icon: <ExternalLink />, act: () => look.mutate() },
          ...(space.permissions.edit && one.status === "merged" ? [{ id: "revert", words: "Revert", note: "Proposes its pages as they were before", icon: <Undo2 />, act: () => back.mutate() }] : []),
          ...(edits && one.status === "open" ? [{ id: "draft", words: "Back to draft", act: () => set.mutate({ status: "draft" }) }] : []),
          ...(edits && one.status !== "archived" ? [{ id: "archive", words: "Put aside", icon: <Archive />, act: () => set.mutate({ status: "archived" }) }] : []),
          ...(edits && one.status === "archived" ? [{ id: "again", words: "Open again", act: () => set.mutate({ status: "open" }) }] : []),
        ]}
      />
      {renaming && <Rename space={space} one={one} onClose={() => setRenaming(false)} done={refresh} />}
    </>
  );
}

function Rename({ space, one, onClose, done }: { space: Space; one: ChangeRequest; onClose: () => void; done: () => unknown }) {
  const [subject, setSubject] = useState(one.subject);
  const save = useMutation({
    mutationFn: () => update(space.id, one.number, { subject: subject.trim() }),
    onSuccess: () => {
      onClose();
      done();
    },
  });
  return (
    <Dialog title="Rename the change request" open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label="Subject" autoFocus value={subject} onChange={setSubject} wrong={only(save.error, "subject")} />
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isPending={save.isPending}>Save</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
