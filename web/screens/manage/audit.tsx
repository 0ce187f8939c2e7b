/** The audit log: who did what, when and from where; by action, person and time, and as a file. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { audit, auditActions, auditCSV, type Event, type Told } from "../../api/people";
import { members } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { download } from "../../parts/download";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { fail } from "../../parts/toast";
import { Manage } from "./side";

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

export default function Audit({ org }: { org: string }) {
  const { value: it, set } = useDraft({ action: "", actor: "", from: "", to: "" });
  const of: Told = { action: it.action || undefined, actor: it.actor || undefined, from: day(it.from, 0), to: day(it.to, 1) };
  const asked = useInfiniteQuery(audit(org, of));
  const actions = useQuery(auditActions(org)).data?.items ?? [];
  const people = useQuery(members(org)).data ?? [];
  const save = useDeed(() => auditCSV(org, of), { stale: [], failed: fail, done: (text) => download("audit.csv", text, "text/csv") });
  const [shown, setShown] = useState<Event | null>(null);
  const labels = new Map(actions.map((one) => [one.id, one.label]));
  return (
    <Manage org={org} part="audit" title="Audit log">
      <Head title="Audit log" note="Who changed what, newest first." actions={<><Help chapter="running/audit" /><Button icon={<Download />} isPending={save.isPending} onPress={() => save.mutate()}>CSV</Button></>} />
      <div className="stack">
        <div className="toolbar">
          <Select label="Action" value={it.action} onChange={set("action")} options={[{ value: "", words: "Every action" }, ...actions.map((one) => ({ value: one.id, words: one.label }))]} />
          <Select label="Who" value={it.actor} onChange={set("actor")} options={[{ value: "", words: "Everybody" }, ...people.map((one) => ({ value: one.user.id, words: one.user.displayName }))]} />
          <Field label="From" type="date" value={it.from} onChange={set("from")} />
          <Field label="To" type="date" value={it.to} onChange={set("to")} />
        </div>
        <Asked of={asked} say={sentence}>
          {(found) => {
            const rows = found.pages.flatMap((one) => one.items);
            return rows.length === 0 ? (
              <Empty icon={<ScrollText />} title="Nothing like this was done" />
            ) : (
              <>
                <Table
                  label="Audit log"
                  rows={rows}
                  rowKey={(one) => one.id}
                  columns={[
                    { name: "When", cell: (one) => <time dateTime={one.occurredAt}>{moment.format(new Date(one.occurredAt))}</time> },
                    { name: "Who", cell: (one) => one.actor.label ?? (one.actor.type === "system" ? "Octavo itself" : one.actor.id) },
                    { name: "What", cell: (one) => labels.get(one.action) ?? one.action },
                    { name: "Of", cell: (one) => one.target.label ?? one.target.id },
                    { name: "", cell: (one) => <Button small look="quiet" aria-label={`More of ${labels.get(one.action) ?? one.action}`} onPress={() => setShown(one)}>More</Button> },
                  ]}
                />
                {asked.hasNextPage && <div className="more"><Button isPending={asked.isFetchingNextPage} onPress={() => void asked.fetchNextPage()}>Older</Button></div>}
              </>
            );
          }}
        </Asked>
      </div>
      {shown && <One event={shown} label={labels.get(shown.action) ?? shown.action} onClose={() => setShown(null)} />}
    </Manage>
  );
}

const DAY = 86_400_000;
const day = (typed: string, more: number) => (typed ? new Date(new Date(`${typed}T00:00:00`).getTime() + more * DAY).toISOString() : undefined);

function One({ event, label, onClose }: { event: Event; label: string; onClose: () => void }) {
  const facts: [string, string | undefined][] = [
    ["When", moment.format(new Date(event.occurredAt))],
    ["Who", event.actor.label ?? event.actor.id],
    ["By", { api: "the API", ui: "a browser", script: "the command line", workflow: "a job" }[event.source]],
    ["Of", `${event.target.type} ${event.target.label ?? event.target.id}`],
    ["From the address", event.origin.address],
    ["With", event.origin.userAgent],
  ];
  const payload = JSON.stringify(event.payload, null, 2);
  return (
    <Dialog title={label} open wide onClose={onClose}>
      <Table label="Facts" rows={facts.filter((one) => one[1])} rowKey={(one) => one[0]} columns={[{ name: "Fact", cell: (one) => one[0] }, { name: "Value", cell: (one) => one[1] }]} />
      {payload !== "{}" && <div className="copied"><code>{payload}</code></div>}
    </Dialog>
  );
}
