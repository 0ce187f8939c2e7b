/** The history of a space, or of one of its pages: what was changed when and by whom, and the way back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, GitMerge, History as HistoryIcon, Pencil, RotateCcw } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { find, pages, restore, type Revision, revisionChanges, revisions } from "../../api/content";
import type { Space } from "../../api/queries";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Head } from "../../parts/shell";
import { toast } from "../../parts/toast";
import { told } from "./changed";
import "./history.css";

const WORDS: Record<Revision["type"], string> = { edits: "Edited", merge: "Merged", rollback: "Went back", update: "Updated", computed: "Made anew" };

export default function History({ at, space, page }: { at: At; space: Space; page?: string }) {
  const asked = useQuery(revisions(at.space, page));
  const list = useQuery({ ...pages({ org: at.org, space: at.space }), enabled: Boolean(page) }).data;
  const title = page && list ? find(list, page)?.page.title : undefined;
  return (
    <div className="inner">
      <Head title={page ? `History of ${title ?? "a page"}` : "History"} note={page ? <Link className="link" href={`${addresses.space(at.org, at.space)}/~/history`}>The whole space</Link> : "Every revision of what readers see, the newest first."} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.items.length === 0 ? (
            <Empty icon={<HistoryIcon />} title="No revision changed it">What is merged from now on is listed here.</Empty>
          ) : (
            <ol className="plain history">
              {found.items.map((one) => (
                <One key={one.id} at={at} space={space} one={one} newest={one.id === space.revision} />
              ))}
            </ol>
          )
        }
      </Asked>
    </div>
  );
}

function One({ at, space, one, newest }: { at: At; space: Space; one: Revision; newest: boolean }) {
  const [open, setOpen] = useState(false);
  const [asks, setAsks] = useState(false);
  const merged = one.mergedFrom;
  const by = one.createdBy?.displayName;
  return (
    <li className="moment">
      <div className="moment-line">
        <Button small look="quiet" aria-expanded={open} aria-label={`What changed ${WORDS[one.type].toLowerCase()}`} icon={<ChevronRight className={open ? "turned" : ""} />} onPress={() => setOpen(!open)} />
        <span className="moment-icon">{one.type === "merge" ? <GitMerge /> : one.type === "rollback" ? <RotateCcw /> : <Pencil />}</span>
        <div className="grow">
          <p className="strong">
            {merged ? <Link href={addresses.request(at.org, at.space, merged.number)}>{`#${merged.number} ${merged.subject || "Untitled"}`}</Link> : WORDS[one.type]}
          </p>
          <p className="note">
            {merged && `${WORDS[one.type]} `}<Ago at={one.createdAt} />
            {by && <> by {by}</>}
            {newest && <> · what readers see now</>}
          </p>
        </div>
        <div className="moment-do">
          <ButtonLink small href={`${addresses.space(at.org, at.space)}/~/revisions/${one.id}`}>Look at it</ButtonLink>
          {!newest && space.permissions.merge && <Button small onPress={() => setAsks(true)}>Restore</Button>}
        </div>
      </div>
      {open && <WhatChanged at={at} one={one} />}
      <Restore at={at} one={one} open={asks} onClose={() => setAsks(false)} />
    </li>
  );
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
