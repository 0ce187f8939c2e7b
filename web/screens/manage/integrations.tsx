/** Integrations: those that are installed, and those that may be. */
import { useQuery } from "@tanstack/react-query";
import { Blocks, Puzzle } from "lucide-react";
import { useState } from "react";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import * as api from "../../api/integrations";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Help } from "../../parts/help";
import { Entry, List } from "../../parts/list";
import { Head, Section } from "../../parts/shell";
import One from "./integration";
import { Manage } from "./side";

export default function Integrations({ org, id }: { org: string; id?: string }) {
  return id ? <One key={id} org={org} name={id} /> : <All org={org} />;
}

const STATES: Record<api.Installation["status"], { words: string; tone: Tone }> = {
  active: { words: "On", tone: "success" },
  pending: { words: "To be configured", tone: "warning" },
  paused: { words: "Paused", tone: "neutral" },
};

function All({ org }: { org: string }) {
  const there = useQuery(api.integrations(org));
  const here = useQuery(api.installations(org));
  const [typed, setTyped] = useState("");
  const fits = (one: api.Integration) => `${one.title} ${one.description ?? ""} ${one.name}`.toLowerCase().includes(typed.trim().toLowerCase());
  const names = new Set((here.data ?? []).map((one) => one.integration.name));
  const entry = (one: api.Integration, end: React.ReactNode) => (
    <Entry key={one.name} href={`${addresses.manage(org, "integrations")}/${encodeURIComponent(one.name)}`} lead={<Puzzle />} title={one.title} note={<>{one.description}{one.description && " · "}by {one.owner.title}</>} end={end} />
  );
  return (
    <Manage org={org} part="integrations" title="Integrations">
      <Head title="Integrations" note="Programs that draw blocks, run on sites, and hear of what happens." actions={<Help chapter="running/integrations" />} />
      <Asked of={here} say={sentence}>
        {(installed) =>
          installed.length > 0 && (
            <Section title="Installed">
              <List label="Installed">{installed.map(({ integration, installation }) => entry(integration, <Badge tone={STATES[installation.status].tone}>{STATES[installation.status].words}</Badge>))}</List>
            </Section>
          )
        }
      </Asked>
      <Asked of={there} say={sentence}>
        {(found) => {
          const others = found.filter((one) => !names.has(one.name));
          if (others.length === 0 && names.size === 0) return <Empty icon={<Blocks />} title="No integration is published here">Whoever builds one publishes it to this installation with the command line; the documentation says how.</Empty>;
          if (others.length === 0) return null;
          return (
            <Section title="To be installed">
              <div className="stack">
                {others.length > 8 && <Field hush label="Find an integration" placeholder="Find" value={typed} onChange={setTyped} />}
                <List label="To be installed">{others.filter(fits).map((one) => entry(one, one.visibility === "private" && <Badge>Private</Badge>))}</List>
              </div>
            </Section>
          );
        }}
      </Asked>
    </Manage>
  );
}
