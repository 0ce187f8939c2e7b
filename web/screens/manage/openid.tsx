/** Identity providers that speak OpenID Connect: told of one another, what claims become, and a sign-in to try it. */
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Role } from "../../api/access";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { addOpenid, changeOpenid, type Openid, openids, removeOpenid, ROLES, teams } from "../../api/people";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Copied } from "../../parts/copied";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { toast } from "../../parts/toast";
import { NewProvider, ProviderPanel, Trial } from "./provider";

export function OpenidConnect({ org }: { org: string }) {
  const asked = useQuery(openids(org));
  const [making, setMaking] = useState(false);
  return (
    <Section title="OpenID Connect" end={<Button small icon={<Plus />} aria-label="Add a provider by OpenID Connect" onPress={() => setMaking(true)}>Add</Button>}>
      <Asked of={asked} say={sentence}>
        {(found) => (found.length === 0 ? <p className="note">No provider yet. Google, Entra ID, Okta, Keycloak and others are told of by three words: issuer, client id and secret.</p> : <div className="stack">{found.map((one) => <One key={one.id} org={org} one={one} />)}</div>)}
      </Asked>
      {making && <NewProvider title="Add a provider by OpenID Connect" add={(label) => addOpenid(org, label)} stale={[["oidc", org]]} onClose={() => setMaking(false)} />}
    </Section>
  );
}

const FIELDS = ["issuer", "clientID", "clientSecret", "claim", "roles", "trustEmail", "defaultRole", "defaultTeam"];
const GUEST = "guest";
/** `admins = admin`, one a line. */
const lines = (roles: Openid["roles"]) => Object.entries(roles).map(([value, role]) => `${value} = ${role}`).join("\n");
const rolesOf = (text: string) => Object.fromEntries(text.split("\n").flatMap((line) => (line.includes("=") ? [[line.slice(0, line.lastIndexOf("=")).trim(), line.slice(line.lastIndexOf("=") + 1).trim()]] : [])));

function One({ org, one }: { org: string; one: Openid }) {
  const form = useDraft({ issuer: one.issuer, clientID: one.clientID, secret: "", claim: one.claim, roles: lines(one.roles), trustEmail: one.trustEmail, defaultRole: one.defaultRole ?? GUEST, defaultTeam: one.defaultTeam?.id ?? "" });
  const groups = useQuery(teams(org)).data ?? [];
  const stale = [["oidc", org]];
  const it = form.value;
  const save = useDeed(
    () => changeOpenid(org, one.id, {
      issuer: it.issuer.trim(),
      clientID: it.clientID.trim(),
      ...(it.secret ? { clientSecret: it.secret } : {}),
      claim: it.claim.trim(),
      roles: rolesOf(it.roles) as Record<string, Role>,
      trustEmail: it.trustEmail,
      defaultRole: it.defaultRole === GUEST ? null : (it.defaultRole as Role),
      defaultTeam: it.defaultTeam || null,
    }),
    { stale, done: () => { form.forget(); toast("Saved. Try a sign-in."); } },
  );
  const wrong = wrongs(save.error, FIELDS);
  return (
    <ProviderPanel label={one.label} active={one.status === "active"} level={3} remove={() => removeOpenid(org, one.id)} stale={stale}>
        <li><b>Make a client at your provider</b>, for the code flow.<div className="stack"><Copied label="Redirect address" value={one.service.redirectURL} /><Copied label="Address after signing out" value={one.service.signOutURL} /></div></li>
        <li>
          <b>Tell Octavo of it.</b>
          <Form save="Save" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!form.changed} wrong={wrong.rest}>
            <Field label="Issuer" type="url" value={it.issuer} onChange={form.set("issuer")} wrong={wrong.at("issuer")} placeholder="https://login.example.com" />
            <Field label="Client id" value={it.clientID} onChange={form.set("clientID")} wrong={wrong.at("clientID")} autoComplete="off" />
            <Field label="Client secret" type="password" value={it.secret} onChange={form.set("secret")} wrong={wrong.at("clientSecret")} autoComplete="off" help={one.hasSecret ? "One is kept, sealed. Type another one to replace it." : "Empty for a public client."} />
            <Check label="Take its addresses for verified" help="Some providers never say whether they are. Only of your own domains in any case." value={it.trustEmail} onChange={form.set("trustEmail")} />
            <Field label="Claim that decides roles" value={it.claim} onChange={form.set("claim")} wrong={wrong.at("claim")} />
            <Field label="Its values and their roles" mono lines={3} value={it.roles} onChange={form.set("roles")} wrong={wrong.at("roles")} placeholder={"docs-admins = admin\nwriters = edit"} help="One a line. Of several the highest role counts." />
            <div className="pair">
              <Select label="Who comes for the first time is" value={it.defaultRole} onChange={form.set("defaultRole")} wrong={wrong.at("defaultRole")} options={[...ROLES.map((role) => ({ value: role.value as string, words: role.words })), { value: GUEST, words: "Guest" }]} />
              <Select label="And in the team" value={it.defaultTeam} onChange={form.set("defaultTeam")} wrong={wrong.at("defaultTeam")} options={[{ value: "", words: "None" }, ...groups.map((team) => ({ value: team.id, words: team.title }))]} />
            </div>
          </Form>
        </li>
        {one.status === "active" && <Trial org={org} label={one.label} start={one.service.startURL} at={one.signedInAt} />}
    </ProviderPanel>
  );
}
