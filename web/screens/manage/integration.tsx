/** One integration: what it is and may, installed or not, configured, on which spaces and sites, and what it was told. */
import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import * as api from "../../api/integrations";
import { organization, sites, spaces } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Help } from "../../parts/help";
import { Notice } from "../../parts/notice";
import { Select } from "../../parts/select";
import { Head, Section } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Configure, levelOf } from "./integration-configure";
import { Log } from "./integration-log";
import { SCOPES } from "./integration-scopes";
import { Manage } from "./side";

type Here = { org: string; one: api.Integration; here: api.Installation };

export default function One({ org, name }: { org: string; name: string }) {
  const asked = useQuery(api.integration(name));
  const installed = useQuery(api.installations(org));
  const may = useQuery(organization(org)).data?.permissions.installIntegration ?? false;
  const here = installed.data?.find((one) => one.integration.name === name)?.installation;
  return (
    <Manage org={org} part="integrations" title={asked.data?.title ?? "Integration"}>
      <Asked of={asked} say={sentence}>
        {(one) => (
          <>
            <Head
              above={<Link className="link" href={addresses.manage(org, "integrations")}>Integrations</Link>}
              title={one.title}
              note={<><span>{one.description}</span><span>Version {one.version}, by {one.owner.title}</span></>}
              actions={<><Help chapter="running/integrations" />{installed.data && !here && may && <Install org={org} one={one} />}</>}
            />
            {one.summary && <p className="prose">{one.summary}</p>}
            {here && <State here={here} />}
            {here && <More org={org} one={one} here={here} may={may} />}
            {here && <ConfigureAccount org={org} one={one} here={here} />}
            {here && one.target !== "organization" && (["space", "site"] as const).filter((level) => one.target === "all" || one.target === level).map((level) => <Places key={level} org={org} one={one} here={here} level={level} />)}
            <About one={one} />
            {here && <Log name={one.name} />}
            {here && may && <End org={org} one={one} here={here} />}
          </>
        )}
      </Asked>
    </Manage>
  );
}

function Install({ org, one }: Pick<Here, "org" | "one">) {
  const [asks, setAsks] = useState(false);
  const deed = useDeed(() => api.install(one.name, org), {
    stale: [["installations", org]],
    done: (made) => {
      setAsks(false);
      toast(made.status === "pending" ? "Installed. It is to be configured before it does anything." : "Installed.");
    },
  });
  return (
    <>
      <Button look="primary" icon={<Plug />} onPress={() => setAsks(true)}>Install</Button>
      <Gives title={`Install ${one.title}?`} yes="Install" one={one} open={asks} onClose={() => setAsks(false)} deed={deed} />
    </>
  );
}

function State({ here }: { here: api.Installation }) {
  if (here.status === "active") return <div className="after"><Badge tone="success">Installed and on</Badge></div>;
  return <div className="after"><Notice tone="warning">{here.status === "pending" ? "It waits: something that it requires is not configured yet." : "It is paused: its owner has closed it to this organization."}</Notice></div>;
}

/** What a newer version asks for beyond what was agreed to: until somebody agrees, it does without. */
function More({ org, one, here, may }: Here & { may: boolean }) {
  const [asks, setAsks] = useState(false);
  const more = one.scopes.filter((scope) => !here.scopes.includes(scope));
  const deed = useDeed(() => api.update(one.name, here.id, { scopes: one.scopes }), { stale: [["installations", org]], done: () => { setAsks(false); toast("Agreed."); } });
  if (more.length === 0) return null;
  return (
    <>
      <Notice tone="warning">
        <div className="stack">
          <p>It asks for more than was agreed to here, and does without until {may ? "you agree" : "an admin agrees"}. It would:</p>
          <Rights of={more} />
          {may && <div><Button onPress={() => setAsks(true)}>Agree…</Button></div>}
        </div>
      </Notice>
      <Gives title={`Give ${one.title} more?`} yes="Agree" one={one} open={asks} onClose={() => setAsks(false)} deed={deed} />
    </>
  );
}

/** Asks whether an integration is to have all that it asks for. */
function Gives({ title, yes, one, open, onClose, deed }: { title: string; yes: string; one: api.Integration; open: boolean; onClose: () => void; deed: { error: Error | null; isPending: boolean; mutate: () => void } }) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <div className="stack">
        {one.scopes.length === 0 ? <p>It asks for no rights: it only draws its own blocks.</p> : <><p>It is by {one.owner.title}, and may, where it is installed:</p><Rights of={one.scopes} /></>}
        {deed.error && <Notice tone="danger">{sentence(deed.error)}</Notice>}
        <div className="form-end"><Button onPress={onClose}>Cancel</Button><Button look="primary" isPending={deed.isPending} onPress={() => deed.mutate()}>{yes}</Button></div>
      </div>
    </Dialog>
  );
}

function Rights({ of }: { of: api.Integration["scopes"] }) {
  return <ul className="bullets">{of.map((scope) => <li key={scope}>{SCOPES[scope]}</li>)}</ul>;
}

function ConfigureAccount({ org, one, here }: Here) {
  if (!levelOf(one, "account")) return null;
  return <Section title="Configuration"><Configure one={one} installation={here.id} at={{ level: "account", org, id: org }} values={here.configuration as api.Values} /></Section>;
}

const SELECTIONS = { space: "space_selection", site: "site_selection" } as const;

function Places({ org, one, here, level }: Here & { level: "space" | "site" }) {
  const known = useQuery<{ id: string; title: string }[]>(level === "space" ? (spaces(org) as never) : (sites(org) as never)).data ?? [];
  const asked = useQuery(api.placements(one.name, here.id, level));
  const [configuring, setConfiguring] = useState<string | null>(null);
  const stale = [["placements", one.name, here.id], ["installations", org]];
  const put = useDeed((id: string) => api.place(one.name, here.id, level, id), { stale, failed: fail });
  const off = useDeed((id: string) => api.unplace(one.name, here.id, level, id).then(() => id), { stale, failed: fail, done: (id) => toast("It does nothing there any more.", { undo: () => put.mutate(id) }) });
  const select = useDeed((to: "all" | "selected") => api.update(one.name, here.id, { [SELECTIONS[level]]: to }), { stale, failed: fail });
  const on = asked.data ?? [];
  const shown = on.find((found) => found.id === configuring);
  const left = known.filter((found) => !on.some((there) => there.id === found.id));
  const words = level === "space" ? "spaces" : "sites";
  const title = (id: string) => known.find((found) => found.id === id)?.title || `Untitled ${level}`;
  return (
    <Section title={level === "space" ? "Spaces" : "Sites"}>
      <div className="panel">
        <Choices label="It acts" value={here[SELECTIONS[level]]} onChange={(to) => select.mutate(to as "all")} options={[{ value: "all", words: `On all ${words}, new ones too` }, { value: "selected", words: `On the ${words} that are chosen here` }]} />
        {on.length > 0 && (
          <Table
            label={`Chosen ${words}`}
            rows={on}
            rowKey={(found) => found.id}
            columns={[
              { name: level === "space" ? "Space" : "Site", cell: (found) => title(found.id) },
              { name: "State", cell: (found) => <Badge tone={found.status === "active" ? "success" : "warning"}>{found.status === "active" ? "On" : found.status === "pending" ? "To be configured" : "Paused"}</Badge> },
              { name: "", cell: (found) => <span className="row wrap">{levelOf(one, level) && <Button small aria-label={`Configure on ${title(found.id)}`} onPress={() => setConfiguring(found.id)}>Configure</Button>}<Button small aria-label={`Take off ${title(found.id)}`} onPress={() => off.mutate(found.id)}>Take off</Button></span> },
            ]}
          />
        )}
        {left.length > 0 && here[SELECTIONS[level]] === "selected" && <Select label={`Put it on a ${level}`} value="" onChange={(id) => id && put.mutate(id)} options={[{ value: "", words: "Choose" }, ...left.map((found) => ({ value: found.id, words: found.title || `Untitled ${level}` }))]} />}
      </div>
      {shown && (
        <Dialog title={`${one.title} on ${title(shown.id)}`} open wide onClose={() => setConfiguring(null)}>
          <Configure one={one} installation={here.id} at={{ level, org, id: shown.id }} values={shown.configuration} onDone={() => setConfiguring(null)} />
        </Dialog>
      )}
    </Section>
  );
}

function About({ one }: { one: api.Integration }) {
  return (
    <Section title="What it is">
      <div className="panel">
        {one.scopes.length > 0 && <div><p className="strong">It may</p><Rights of={one.scopes} /></div>}
        {one.blocks.length > 0 && <div><p className="strong">It offers the blocks</p><ul className="bullets">{one.blocks.map((block) => <li key={block.id}>{block.title}{block.description && `: ${block.description}`} <code>{`{% @${one.name}/${block.id} %}`}</code></li>)}</ul></div>}
        {one.scopes.length + one.blocks.length === 0 && <p className="note">It asks for no rights and offers no blocks.</p>}
        {one.externalLinks.length > 0 && <div className="row wrap">{one.externalLinks.map((link) => <a key={link.url} className="link" href={link.url} target="_blank" rel="noopener noreferrer">{link.label}</a>)}</div>}
      </div>
    </Section>
  );
}

function End({ org, one, here }: Here) {
  const [asks, setAsks] = useState(false);
  const deed = useDeed(() => api.uninstall(one.name, here.id), { stale: [["installations", org]], done: () => { setAsks(false); toast(`${one.title} is uninstalled.`); } });
  return (
    <Section title="Uninstall">
      <div className="panel danger form-narrow">
        <p className="note">Its blocks show their name only, its scripts leave the sites, and it hears of nothing any more.</p>
        <div><Button look="danger" onPress={() => setAsks(true)}>Uninstall</Button></div>
      </div>
      <Confirm title={`Uninstall ${one.title}?`} open={asks} onClose={() => setAsks(false)} yes="Uninstall" word={one.title} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
        <p>Its configuration goes, here and on every space and site. Its tokens end at once.</p>
      </Confirm>
    </Section>
  );
}
