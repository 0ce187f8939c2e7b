/** What a change request changes: pages with their blocks side by side, then files and what else there is. */
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, FileDiff, Pencil, Undo2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import type { ChangeRequest, Space } from "../../api/queries";
import { changes } from "../../api/review";
import { source } from "../../api/writing";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Lines } from "../../parts/diff";
import { differ } from "../../parts/differ";
import { Empty } from "../../parts/empty";
import { useArranging } from "./arrange";
import { told, type Told } from "./changed";
import { Compared } from "./compared";

const OPEN = 5;

export function Changes({ at, space, one }: { at: At; space: Space; one: ChangeRequest }) {
  const asked = useQuery(changes(at.space, one.number, one.revision));
  return (
    <Asked of={asked} say={sentence}>
      {(found) => {
        const list = told(found.changes);
        if (list.length === 0) return <Empty icon={<FileDiff />} title="Nothing is changed yet">Open a page of it at the side and choose Edit.</Empty>;
        return (
          <div className="stack">
            {list.map((each, number) => (
              <One key={each.key} at={at} space={space} one={one} each={each} open={number < OPEN} />
            ))}
            {found.more ? <p className="note">and {found.more} more</p> : null}
          </div>
        );
      }}
    </Asked>
  );
}

function One({ at, space, one, each, open: first }: { at: At; space: Space; one: ChangeRequest; each: Told; open: boolean }) {
  const arranging = useArranging(at, space);
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
        {each.page && arranging.may && (
          <Button small look="quiet" aria-label={`Take back: ${each.words}`} icon={<Undo2 />} onPress={() => void arranging.takeBack(each.page!, each.words)} />
        )}
        {each.page && each.path !== undefined && one.status !== "merged" && (
          <Link className="button quiet small square" aria-label={`Edit: ${each.words}`} href={`${addresses.request(at.org, at.space, one.number)}/~/edit/${each.page}`}><Pencil /></Link>
        )}
      </div>
      {open && each.text && each.page && <Blocks at={at} space={space} one={one} page={each.page} />}
    </section>
  );
}

export type Way = "seen" | "source";

export function How({ how, onHow }: { how: Way; onHow: (to: Way) => void }) {
  return (
    <div className="changed-how" role="group" aria-label="How changes are shown">
      <Button small look="quiet" aria-pressed={how === "seen"} onPress={() => onHow("seen")}>As seen</Button>
      <Button small look="quiet" aria-pressed={how === "source"} onPress={() => onHow("source")}>Source</Button>
    </div>
  );
}

function Blocks({ at, space, one, page }: { at: At; space: Space; one: ChangeRequest; page: string }) {
  const [how, setHow] = useState<Way>("seen");
  return (
    <div className="changed-blocks">
      <How how={how} onHow={setHow} />
      {how === "seen" ? <Compared at={at} space={space} one={one} page={page} /> : <SourceLines at={at} base={one.revisionMergedAncestor ?? one.revisionInitial} revision={one.revision} page={page} />}
    </div>
  );
}

/** The source of a page, line by line, in two revisions. */
export function SourceLines({ at, base, revision, page }: { at: At; base: string; revision: string; page: string }) {
  const asked = useQuery({
    queryKey: ["sources", at.space, base, revision, page],
    queryFn: async () => {
      const absent = () => "";
      const [old, now] = await Promise.all([source(at.space, base, page).catch(absent), source(at.space, revision, page).catch(absent)]);
      const lines = [old, now].map((text) => (text ? text.replace(/\n$/, "").split("\n") : []));
      return differ(lines[0]!, lines[1]!).map(({ kind, from, to }) => ({ status: kind, lines: lines[kind === "added" ? 1 : 0]!.slice(from, to) }));
    },
    staleTime: Infinity,
  });
  return <Asked of={asked} say={sentence} lines={3}>{(runs) => <Lines runs={runs} />}</Asked>;
}
