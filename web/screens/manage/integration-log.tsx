/** What an integration was told lately, how it went, and what its script wrote. */
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import * as api from "../../api/integrations";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Section } from "../../parts/shell";
import { Table } from "../../parts/table";

const LEVELS = { error: "danger", warn: "warning", info: "info", debug: "neutral" } as const;
const typeOf = (one: api.Event) => String((one.payload as { type?: unknown }).type ?? "event");

export function Log({ name }: { name: string }) {
  const asked = useQuery(api.events(name));
  const [shown, setShown] = useState<api.Event | null>(null);
  if (asked.data === null) return null;
  return (
    <Section title="What it was told" end={<Button small look="quiet" icon={<RefreshCw />} aria-label="Look again" onPress={() => void asked.refetch()} />}>
      <Asked of={asked} say={sentence}>
        {(found) =>
          !found || found.length === 0 ? <p className="note">Nothing in the last 7 days.</p> : (
            <Table
              label="Events"
              rows={found}
              rowKey={(one) => one.id}
              columns={[
                { name: "When", cell: (one) => <Ago at={one.createdAt} /> },
                { name: "What", cell: (one) => <code>{typeOf(one)}</code> },
                { name: "State", cell: (one) => <Badge tone={one.status === "success" ? "success" : "danger"}>{one.status === "success" ? "Taken" : "Failed"}</Badge> },
                { name: "", cell: (one) => <Button small look="quiet" aria-label={`Log of ${typeOf(one)}`} onPress={() => setShown(one)}>Log</Button> },
              ]}
            />
          )
        }
      </Asked>
      {shown && <Dialog title={typeOf(shown)} open wide onClose={() => setShown(null)}><Trace name={name} id={shown.id} /></Dialog>}
    </Section>
  );
}

function Trace({ name, id }: { name: string; id: string }) {
  const asked = useQuery(api.traced(name, id));
  return (
    <Asked of={asked} say={sentence}>
      {({ event, trace }) => (
        <div className="stack">
          {trace.logs.length === 0 ? <p className="note">Its script wrote nothing.</p> : (
            <Table
              label="What its script wrote"
              rows={trace.logs}
              rowKey={(line) => `${line.timestamp} ${line.message}`}
              columns={[
                { name: "When", cell: (line) => new Date(line.timestamp).toLocaleTimeString("en") },
                { name: "Level", cell: (line) => <Badge tone={LEVELS[line.level]}>{line.level}</Badge> },
                { name: "What", cell: (line) => <span className="kit-lines break">{line.message}</span> },
              ]}
            />
          )}
          <details><summary>What it was told</summary><pre className="kit-code">{JSON.stringify(event.payload, null, 2)}</pre></details>
        </div>
      )}
    </Asked>
  );
}
