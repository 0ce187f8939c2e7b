/** What differs between two revisions: the pages, and of each its blocks as readers see them, or the lines of its source. */
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { revisionChanges, revisionPage } from "../../api/content";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Section } from "../../parts/shell";
import { told, type Told } from "./changed";
import { How, SourceLines, type Way } from "./changes";
import { SideBySide } from "./compared";
import "./request.css";

type Props = { at: At; from: string; to: string };
const OPEN = 3;

/** All of it, or of one page alone. */
export function Between({ at, from, to, page }: Props & { page?: string }) {
  const asked = useQuery(revisionChanges(at.space, to, from));
  return (
    <Section title="What differs">
      <Asked of={asked} say={sentence}>
        {(found) => {
          const list = told(found.changes).filter((one) => !page || one.page === page);
          if (from === to || list.length === 0) return <p className="note">{page ? "The page is the same in both." : "Both are the same."}</p>;
          return (
            <div className="stack">
              {list.map((one, number) => <One key={one.key} at={at} from={from} to={to} one={one} first={number < OPEN} />)}
              {found.more ? <p className="note">and {found.more} more</p> : null}
            </div>
          );
        }}
      </Asked>
    </Section>
  );
}

function One({ at, from, to, one, first }: Props & { one: Told; first: boolean }) {
  const [open, setOpen] = useState(first);
  const path = one.path || one.page;
  return (
    <section className="changed-page" aria-label={one.words}>
      <div className="changed-head">
        {one.text && one.page ? (
          <Button small look="quiet" aria-expanded={open} aria-label={`Show what differs: ${one.words}`} icon={<ChevronRight className={open ? "turned" : ""} />} onPress={() => setOpen(!open)} />
        ) : (
          <span className="changed-none" />
        )}
        {one.icon}
        <span className="grow strong">
          {one.path !== undefined && path ? <Link href={addresses.page({ ...at, revision: to }, path)}>{one.words}</Link> : one.words}
          {one.note && <span className="note"> ({one.note})</span>}
        </span>
      </div>
      {open && one.text && one.page && <Blocks at={at} from={from} to={to} page={one.page} />}
    </section>
  );
}

function Blocks({ at, from, to, page }: Props & { page: string }) {
  const [how, setHow] = useState<Way>("seen");
  const asked = useQuery({ ...revisionPage(at.space, to, page, from), enabled: how === "seen" });
  return (
    <div className="changed-blocks">
      <How how={how} onHow={setHow} />
      {how === "seen" ? (
        <Asked of={asked} say={sentence} lines={3}>{(found) => <SideBySide blocks={found.blocks} />}</Asked>
      ) : (
        <SourceLines at={at} base={from} revision={to} page={page} />
      )}
    </div>
  );
}
