/** Where people come from: domains proven by a record, and tokens by which an identity provider says who is here. */
import { useQuery } from "@tanstack/react-query";
import { AtSign, KeyRound } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { checkDomain, claimDomain, type Domain, domains, makeScimToken, removeDomain, revokeScimToken, type ScimToken, scimTokens } from "../../api/directory";
import { organization } from "../../api/queries";
import { only, wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Actions, Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

export default function Directory({ org }: { org: string }) {
  const one = useQuery(organization(org));
  return (
    <Manage org={org} part="directory" title="Domains and SCIM">
      <Head title="Domains and SCIM" note="Whose addresses are yours, and what your identity provider says of your people." actions={<Help chapter="running/domains" />} />
      <Asked of={one} say={sentence}>
        {(found) =>
          found.permissions.admin ? (
            <>
              <Domains org={org} />
              <Tokens org={org} />
            </>
          ) : (
            <p className="note">Admins of the organization set it up.</p>
          )
        }
      </Asked>
    </Manage>
  );
}

function Domains({ org }: { org: string }) {
  const asked = useQuery(domains(org));
  const [claiming, setClaiming] = useState(false);
  const make = <Button onPress={() => setClaiming(true)}>Claim a domain</Button>;
  return (
    <Section title="Domains" end={make}>
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<AtSign />} title="No domain yet">People whose address ends in a proven domain come in by single sign-on and by SCIM.</Empty>
          ) : (
            <div className="stack">{found.map((domain) => <One key={domain.domain} org={org} one={domain} />)}</div>
          )
        }
      </Asked>
      {claiming && <Claiming org={org} onClose={() => setClaiming(false)} />}
    </Section>
  );
}

function One({ org, one }: { org: string; one: Domain }) {
  const [going, setGoing] = useState(false);
  const stale = [["domains", org]];
  const check = useDeed(() => checkDomain(org, one.domain), { stale, failed: fail, done: () => toast("The record is being looked for.") });
  const remove = useDeed(() => removeDomain(org, one.domain), { stale, done: () => setGoing(false) });
  const proven = one.status === "proven";
  return (
    <div className="panel">
      <div className="row wrap"><h2 className="grow">{one.domain}</h2><Badge tone={proven ? "success" : "warning"}>{proven ? "Proven" : "Not proven yet"}</Badge></div>
      {one.record ? (
        <div className="stack">
          <p>{proven ? "Leave this record where it is: it is looked for again every day." : "Set this TXT record where the domain is kept."}</p>
          <Copied label="Name of the TXT record" value={one.record.name} />
          <Copied label="Its value" value={one.record.value} />
          {one.problem && <p className="note">{one.problem}{one.checkedAt && <> Looked for <Ago at={one.checkedAt} />.</>}</p>}
        </div>
      ) : (
        <p className="note">The operator of this installation vouches for it.</p>
      )}
      <div className="row wrap">
        {one.record && <Button small isPending={check.isPending} aria-label={`Look for the record of ${one.domain}`} onPress={() => check.mutate()}>Look now</Button>}
        <Button small aria-label={`Give up ${one.domain}`} onPress={() => setGoing(true)}>Give up</Button>
      </div>
      <Confirm title={`Give up ${one.domain}?`} open={going} onClose={() => setGoing(false)} yes="Give up" isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
        <p>Nobody new comes in by it. Who is a member stays one.</p>
      </Confirm>
    </div>
  );
}

function Claiming({ org, onClose }: { org: string; onClose: () => void }) {
  const [domain, setDomain] = useState("");
  const deed = useDeed(() => claimDomain(org, domain.trim()), { stale: [["domains", org]], done: onClose });
  const wrong = wrongs(deed.error, ["domain"]);
  return (
    <Dialog title="Claim a domain" open onClose={onClose}>
      <Form save="Claim" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!domain.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Domain of e-mail addresses" value={domain} onChange={setDomain} autoFocus placeholder="example.org" wrong={wrong.at("domain")} help="You are told then which record proves it." />
      </Form>
    </Dialog>
  );
}

function Tokens({ org }: { org: string }) {
  const asked = useQuery(scimTokens(org));
  const [making, setMaking] = useState(false);
  const [going, setGoing] = useState<ScimToken>();
  const revoke = useDeed((id: string) => revokeScimToken(org, id), { stale: [["scim-tokens", org], ["teams", org]], done: () => setGoing(undefined) });
  const make = <Button onPress={() => setMaking(true)}>New token</Button>;
  return (
    <Section title="SCIM" end={make}>
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<KeyRound />} title="No token yet">With one, your identity provider adds people and teams here, and takes them away when they leave.</Empty>
          ) : (
            <div className="stack">
              <Copied label="Address for your identity provider" value={found[0]?.baseURL ?? ""} />
              <Table
                label="Tokens for SCIM"
                rows={found}
                rowKey={(one) => one.id}
                columns={[
                  { name: "Token", cell: (one) => <span className="strong">{one.label || "Without a name"}</span> },
                  { name: "Used", cell: (one) => (one.lastUsedAt ? <Ago at={one.lastUsedAt} /> : "Never") },
                  { name: "Ends", cell: (one) => (one.expiresAt ? <Ago at={one.expiresAt} /> : "Never") },
                  { name: "", cell: (one) => <Button small aria-label={`Revoke ${one.label || "the token without a name"}`} onPress={() => setGoing(one)}>Revoke</Button> },
                ]}
              />
            </div>
          )
        }
      </Asked>
      {making && <New org={org} onClose={() => setMaking(false)} />}
      <Confirm title={`Revoke ${going?.label || "the token"}?`} open={Boolean(going)} onClose={() => setGoing(undefined)} yes="Revoke" isPending={revoke.isPending} wrong={revoke.error ? sentence(revoke.error) : undefined} onYes={() => going && revoke.mutate(going.id)}>
        <p>Your identity provider is refused within a second. People and teams stay as they are; without any token, people change the teams again.</p>
      </Confirm>
    </Section>
  );
}

function New({ org, onClose }: { org: string; onClose: () => void }) {
  const [label, setLabel] = useState("");
  const deed = useDeed(() => makeScimToken(org, label.trim()), { stale: [["scim-tokens", org], ["teams", org]] });
  return (
    <Dialog title={deed.data ? "Your new token for SCIM" : "New token for SCIM"} open onClose={onClose} urgent={Boolean(deed.data)}>
      {deed.data ? (
        <>
          <p>Copy both to your identity provider now. The token is shown this once.</p>
          <Copied label="Address" value={deed.data.baseURL} />
          <Copied label="Token" value={deed.data.token} />
          <Actions><Button look="primary" onPress={onClose}>I have it</Button></Actions>
        </>
      ) : (
        <Form save="Make token" onSubmit={() => deed.mutate()} isPending={deed.isPending} also={<Button onPress={onClose}>Cancel</Button>}>
          <Field label="What it is for" value={label} onChange={setLabel} placeholder="Company directory" autoFocus wrong={only(deed.error, "label")} />
        </Form>
      )}
    </Dialog>
  );
}
