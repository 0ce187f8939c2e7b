/** Single sign-on: an identity provider set up in three steps, with a sign-in to try it. */
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import type { Role } from "../../api/access";
import { useDeed } from "../../api/deed";
import { addProvider, changeOrganization, changeProvider, type Provider, providers, removeProvider, ROLES } from "../../api/people";
import { organization, type Organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Copied } from "../../parts/copied";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { fail, toast } from "../../parts/toast";
import { OpenidConnect } from "./openid";
import { NewProvider, ProviderPanel, Trial } from "./provider";
import { Manage } from "./side";

export default function SSO({ org }: { org: string }) {
  const one = useQuery(organization(org));
  const [making, setMaking] = useState(false);
  const make = <Button small icon={<Plus />} aria-label="Add a provider by SAML" onPress={() => setMaking(true)}>Add</Button>;
  return (
    <Manage org={org} part="sso" title="Single sign-on">
      <Head title="Single sign-on" note="People sign in at your identity provider, by SAML or OpenID Connect." actions={<><Help chapter="running/saml">About SAML</Help><Help chapter="running/oidc">About OpenID Connect</Help></>} />
      <Asked of={one} say={sentence}>{(found) => (found.permissions.admin ? <Inside org={org} one={found} make={make} /> : <p className="note">Admins of the organization set it up.</p>)}</Asked>
      {making && <NewProvider title="Add an identity provider" add={(label) => addProvider(org, label)} stale={[["saml", org]]} onClose={() => setMaking(false)} />}
    </Manage>
  );
}

function Inside({ org, one, make }: { org: string; one: Organization; make: React.ReactNode }) {
  const asked = useQuery(providers(org));
  const enforce = useDeed((sso: boolean) => changeOrganization(org, { sso }), { stale: [["organization", org]], failed: fail });
  return (
    <>
      <Section title="SAML" end={make}>
        <Asked of={asked} say={sentence}>
          {(found) => (found.length === 0 ? <p className="note">No provider yet. It takes three addresses and a certificate, and a sign-in to try it.</p> : <div className="stack">{found.map((provider) => <One key={provider.id} org={org} one={provider} />)}</div>)}
        </Asked>
      </Section>
      <OpenidConnect org={org} />
      <Section title="Rule">
        <Check label="Everybody signs in by single sign-on" help="Who came by a password or code has no access here until they do. Try a sign-in first." value={one.sso} onChange={(is) => enforce.mutate(is)} />
      </Section>
    </>
  );
}

const FIELDS = ["label", "ssoURL", "entityID", "certificate", "defaultRole"];

function One({ org, one }: { org: string; one: Provider }) {
  const form = useDraft({ ssoURL: one.ssoURL, entityID: one.entityID, certificate: one.certificate, defaultRole: one.defaultRole ?? "guest" });
  const stale = [["saml", org]];
  const save = useDeed(() => changeProvider(org, one.id, { ...form.changes, defaultRole: form.value.defaultRole === "guest" ? null : (form.value.defaultRole as Role) }), {
    stale,
    done: () => {
      form.forget();
      toast("Saved. Try a sign-in.");
    },
  });
  const wrong = wrongs(save.error, FIELDS);
  return (
    <ProviderPanel label={one.label} active={one.status === "active"} level={2} remove={() => removeProvider(org, one.id)} stale={stale}>
        <li><b>Tell your provider of Octavo.</b><div className="stack"><Copied label="Address for answers (ACS)" value={one.service.acsURL} /><Copied label="Entity id, also the address of a metadata document with all of this" value={one.service.entityID} /><div><a className="button plain small" href={one.service.entityID} target="_blank" rel="noopener">Metadata</a></div></div></li>
        <li>
          <b>Tell Octavo of your provider.</b>
          <Form save="Save" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!form.changed} wrong={wrong.rest}>
            <Field label="Address where people sign in" type="url" value={form.value.ssoURL} onChange={form.set("ssoURL")} wrong={wrong.at("ssoURL")} />
            <Field label="Entity id of the provider" value={form.value.entityID} onChange={form.set("entityID")} wrong={wrong.at("entityID")} />
            <Field label="Certificate" mono lines={5} value={form.value.certificate} onChange={form.set("certificate")} wrong={wrong.at("certificate")} placeholder="-----BEGIN CERTIFICATE-----" />
            <Select label="Who comes for the first time is" value={form.value.defaultRole} onChange={form.set("defaultRole")} wrong={wrong.at("defaultRole")} options={[...ROLES.map((role) => ({ value: role.value as string, words: `${role.words}: ${role.may}` })), { value: "guest", words: "Guest: only what is granted" }]} />
          </Form>
        </li>
        {one.status === "active" && <Trial org={org} label={one.label} start={one.service.startURL} at={one.signedInAt} />}
    </ProviderPanel>
  );
}
