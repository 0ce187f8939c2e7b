/** What a change request changes: pages with their blocks side by side, then files and what else there is. */
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, FileDiff, Pencil } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import type { ChangeRequest } from "../../api/queries";
import { changes, compared } from "../../api/review";
import { kind, type Node, plain } from "../../editor/plain";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Block, Gap, type Run } from "../../parts/diff";
import { Empty } from "../../parts/empty";
import { told, type Told } from "./changed";

const OPEN = 5;

export function Changes({ at, one }: { at: At; one: ChangeRequest }) {
  const asked = useQuery(changes(at.space, one.number, one.revision));
  return (
    <Asked of={asked} say={sentence}>
      {(found) => {
        const list = told(found.changes);
        if (list.length === 0) return <Empty icon={<FileDiff />} title="Nothing is changed yet">Open a page of it at the side and choose Edit.</Empty>;
        return (
          <div className="stack">
            {list.map((each, number) => (
              <One key={each.key} at={at} one={one} each={each} open={number < OPEN} />
            ))}
            {found.more ? <p className="note">and {found.more} more</p> : null}
          </div>
        );
      }}
    </Asked>
  );
}

function One({ at, one, each, open: first }: { at: At; one: ChangeRequest; each: Told; open: boolean }) {
  const [open, setOpen] = useState(first);
  const path = each.path || each.page;
  return (
    <section className="changed-page" aria-label={each.words}>
      <div className="changed-head">
        {each.text ? (
          <Button small look="quiet" aria-expanded={open} aria-label={`Show what changed: ${each.words}`} icon={<ChevronRight className={open ? "turned" : ""} />} onPress={() => setOpen(!open)} />
        ) : (
          <span className="changed-none" />
        )}
        {each.icon}
        <span className="grow strong">
          {each.path !== undefined && path ? <Link href={addresses.page({ ...at, request: one.number }, path)}>{each.words}</Link> : each.words}
          {each.note && <span className="note"> ({each.note})</span>}
        </span>
        {each.page && each.path !== undefined && one.status !== "merged" && (
          <Link className="button quiet small square" aria-label={`Edit: ${each.words}`} href={`${addresses.request(at.org, at.space, one.number)}/~/edit/${each.page}`}><Pencil /></Link>
        )}
      </div>
      {open && each.text && each.page && <Blocks at={at} one={one} page={each.page} />}
    </section>
  );
}

function Blocks({ at, one, page }: { at: At; one: ChangeRequest; page: string }) {
  const asked = useQuery(compared(at.space, one.number, one.revision, page));
  return (
    <div className="changed-blocks">
      <Asked of={asked} say={sentence} lines={3}>
        {(found) => <>{blocks(found.blocks)}</>}
      </Asked>
    </div>
  );
}

type Compared = { status: "equal" | "added" | "deleted" | "changed"; before?: unknown; after?: unknown; words?: Run[] };

function blocks(list: Compared[]): ReactNode[] {
  const made: ReactNode[] = [];
  let same = 0;
  const gap = (at: number) => {
    if (same) made.push(<Gap key={`gap ${at}`} count={same} />);
    same = 0;
  };
  list.forEach((one, at) => {
    if (one.status === "equal") {
      same++;
      return;
    }
    gap(at);
    const node = (one.after ?? one.before) as Node | undefined;
    const runs = one.words?.length ? one.words : [{ status: one.status === "deleted" ? ("deleted" as const) : ("added" as const), text: plain(node) || `(${kind(node)})` }];
    made.push(<Fragment key={at}><Block status={one.status} kind={kind(node)} runs={runs} /></Fragment>);
  });
  gap(list.length);
  if (made.length === 0) made.push(<p key="none" className="note">The text is the same.</p>);
  return made;
}
