/** The history of a space, or of one of its pages: what was changed when and by whom, and the way back. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, Eye, FolderInput, GitCompareArrows, GitMerge, History as HistoryIcon, MoreHorizontal, Pencil, RotateCcw, Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { find, pages, restore, type Revision, revisionChanges, revisions } from "../../api/content";
import type { Space } from "../../api/queries";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Menu } from "../../parts/menu";
import { Select } from "../../parts/select";
import { Head } from "../../parts/shell";
import { toast } from "../../parts/toast";
import { Between } from "./between";
import { told } from "./changed";
import "./history.css";

const WORDS: Record<Revision["type"], string> = { edits: "Edited", merge: "Merged", rollback: "Went back", update: "Updated", computed: "Made anew" };

export default function History({ at, space, page }: { at: At; space: Space; page?: string }) {
  const asked = useInfiniteQuery(revisions(at.space, page));
  const typed = new URLSearchParams(useSearch());
  const [from, to] = [typed.get("from"), typed.get("to")];
  const list = useQuery({ ...pages({ org: at.org, space: at.space }), enabled: Boolean(page) }).data;
  const title = page && list ? find(list, page)?.page.title : undefined;
  const [, go] = useLocation();
  const here = `${addresses.space(at.org, at.space)}/~/history${page ? `/${page}` : ""}`;
  const compare = (one: string, other: string) => go(`${here}?${new URLSearchParams({ from: one, to: other })}`);
  return (
    <div className="inner">
      <Head title={page ? `History of ${title ?? "a page"}` : "History"} note={page ? <Link className="link" href={`${addresses.space(at.org, at.space)}/~/history`}>The whole space</Link> : "Every revision of what readers see, the newest first."} />
      <Asked of={asked} say={sentence}>
        {(found) => {
          const all = found.pages.flatMap((one) => one.items);
          if (all.length === 0) return <Empty icon={<HistoryIcon />} title="No revision changed it">What is merged from now on is listed here.</Empty>;
          return (
            <>
              {all.length > 1 && <Choose all={all} from={from} to={to} newest={space.revision} compare={compare} close={() => go(here)} />}
              {from && to && <Between at={at} from={from} to={to} page={page} />}
              <ol className="plain history">
                {all.map((one, number) => (
                  <One key={one.id} at={at} space={space} one={one} newest={one.id === space.revision} before={all[number + 1]?.id} compare={compare} />
                ))}
              </ol>
              {asked.hasNextPage && <div className="more"><Button isPending={asked.isFetchingNextPage} onPress={() => void asked.fetchNextPage()}>Earlier ones</Button></div>}
            </>
          );
        }}
      </Asked>
    </div>
  );
}

type Chosen = { all: Revision[]; from: string | null; to: string | null; newest: string; compare: (from: string, to: string) => void; close: () => void };

/** Two revisions to be put side by side; without a choice the two newest ones. */
function Choose({ all, from, to, newest, compare, close }: Chosen) {
  const options = all.map((one) => ({ value: one.id, words: `${exact.format(new Date(one.createdAt))} · ${named(one)}${one.id === newest ? " · now" : ""}` }));
  const [old, now] = [from ?? all[1]!.id, to ?? all[0]!.id];
  const others = [old, now].filter((id) => !all.some((one) => one.id === id)).map((value) => ({ value, words: "An earlier one" }));
  return (
    <section className="compare" aria-label="Compare two revisions">
      <Select label="From" value={old} options={[...options, ...others]} onChange={(id) => compare(id, now)} />
      <Select label="To" value={now} options={[...options, ...others]} onChange={(id) => compare(old, id)} />
      {from && to ? <Button onPress={close}>Close the comparison</Button> : <Button icon={<GitCompareArrows />} onPress={() => compare(old, now)}>Compare</Button>}
    </section>
  );
}

const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const CREATED = "Created";
const ICONS: Record<string, ReactNode> = { Merged: <GitMerge />, "Went back": <RotateCcw />, Imported: <FolderInput />, [CREATED]: <Sparkles /> };
/** The first revision of all has nothing above it; a commit that came from elsewhere says what it brought. */
const did = (one: Revision) => (one.parents.length === 0 ? CREATED : one.git && !one.git.createdByService ? "Imported" : WORDS[one.type]);
const subject = (one: Revision) => (one.mergedFrom ? `#${one.mergedFrom.number} ${one.mergedFrom.subject || "Untitled"}` : did(one) === "Imported" ? one.git?.message.split("\n")[0] : undefined);
const named = (one: Revision) => subject(one) || did(one);

type Moment = { at: At; space: Space; one: Revision; newest: boolean; before?: string; compare: (from: string, to: string) => void };

function One({ at, space, one, newest, before, compare }: Moment) {
  const [, go] = useLocation();
  const [open, setOpen] = useState(false);
  const [asks, setAsks] = useState(false);
  const merged = one.mergedFrom;
  const by = one.createdBy?.displayName;
  return (
    <li className="moment">
      <div className="moment-line">
        <Button small look="quiet" aria-expanded={open} aria-label={`What changed: ${named(one)}`} icon={<ChevronRight className={open ? "turned" : ""} />} onPress={() => setOpen(!open)} />
        <span className="moment-icon">{ICONS[did(one)] ?? <Pencil />}</span>
        <div className="grow">
          <p className="strong">
            {merged ? <Link href={addresses.request(at.org, at.space, merged.number)}>{named(one)}</Link> : named(one)}
          </p>
          <p className="note">
            {subject(one) && `${did(one)} `}<Ago at={one.createdAt} />
            {by && <> by {by}</>}
            {one.git && <> · commit <Commit of={one.git} /></>}
            {newest && <> · what readers see now</>}
          </p>
        </div>
        <div className="moment-do">
          <Menu
            label={`What can be done with the revision: ${named(one)}`}
            button={<Button small look="quiet" aria-label={`More of ${named(one)}`} icon={<MoreHorizontal />} />}
            choices={[
              { id: "look", words: "Look at it", icon: <Eye />, act: () => go(`${addresses.space(at.org, at.space)}/~/revisions/${one.id}`) },
              ...(before ? [{ id: "before", words: "Compare with the one before", icon: <GitCompareArrows />, act: () => compare(before, one.id) }] : []),
              ...(newest ? [] : [{ id: "now", words: "Compare with what readers see", icon: <GitCompareArrows />, act: () => compare(one.id, space.revision) }]),
              ...(!newest && space.permissions.merge ? [{ id: "rule", rule: true as const }, { id: "restore", words: "Restore", icon: <RotateCcw />, act: () => setAsks(true) }] : []),
            ]}
          />
        </div>
      </div>
      {open && <WhatChanged at={at} one={one} />}
      <Restore at={at} one={one} open={asks} onClose={() => setAsks(false)} />
    </li>
  );
}

function Commit({ of }: { of: NonNullable<Revision["git"]> }) {
  const short = <code>{of.oid.slice(0, 7)}</code>;
  return of.url ? <a className="link" href={of.url} target="_blank" rel="noopener noreferrer">{short}</a> : short;
}

function WhatChanged({ at, one }: { at: At; one: Revision }) {
  const asked = useQuery(revisionChanges(at.space, one.id));
  return (
    <div className="moment-changes">
      <Asked of={asked} say={sentence} lines={2}>
        {(found) => {
          const list = told(found.changes);
          if (list.length === 0) return <p className="note">Nothing that readers see.</p>;
          return (
            <ul className="plain stack">
              {list.map((each) => (
                <li key={each.key} className="row">
                  {each.icon}
                  <span className="grow">
                    {each.path !== undefined ? <Link className="link" href={addresses.page({ ...at, revision: one.id }, each.path || (each.page ?? ""))}>{each.words}</Link> : each.words}
                    {each.note && <span className="note"> ({each.note})</span>}
                  </span>
                </li>
              ))}
              {found.more ? <li className="note">and {found.more} more</li> : null}
            </ul>
          );
        }}
      </Asked>
    </div>
  );
}

function Restore({ at, one, open, onClose }: { at: At; one: Revision; open: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const go = useMutation({
    mutationFn: () => restore(at.space, one.id),
    onSuccess: async () => {
      onClose();
      toast("The space is what it was then");
      await queries.invalidateQueries();
    },
  });
  return (
    <Dialog title="Restore this revision?" open={open} onClose={onClose}>
      <p>Readers see the space as it was then at once. It becomes a new revision: what came after stays in the history, and can be restored the same way.</p>
      {go.error && <p className="wrong" role="alert">{sentence(go.error)}</p>}
      <Actions>
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" isPending={go.isPending} onPress={() => go.mutate()}>Restore</Button>
      </Actions>
    </Dialog>
  );
}
