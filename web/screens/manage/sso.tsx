/** Single sign-on: an identity provider set up in three steps, with a sign-in to try it. */
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import type { Role } from "../../api/access";
import { useDeed } from "../../api/deed";
import { addProvider, changeOrganization, changeProvider, type Provider, providers, removeProvider, ROLES } from "../../api/people";
import { organization, type Organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

export default function SSO({ org }: { org: string }) {
  const one = useQuery(organization(org));
  const [making, setMaking] = useState(false);
  const make = <Button look="primary" icon={<Plus />} onPress={() => setMaking(true)}>Add a provider</Button>;
  return (
    <Manage org={org} part="sso" title="Single sign-on">
      <Head title="Single sign-on" note="People sign in at your identity provider by SAML." actions={<Help chapter="single-sign-on" />} />
      <Asked of={one} say={sentence}>{(found) => (found.permissions.admin ? <Inside org={org} one={found} make={make} /> : <p className="note">Admins of the organization set it up.</p>)}</Asked>
      {making && <Making org={org} onClose={() => setMaking(false)} />}
    </Manage>
  );
}

function Inside({ org, one, make }: { org: string; one: Organization; make: React.ReactNode }) {
  const asked = useQuery(providers(org));
  const enforce = useDeed((sso: boolean) => changeOrganization(org, { sso }), { stale: [["organization", org]], failed: fail });
  return (
    <Asked of={asked} say={sentence}>
      {(found) =>
        found.length === 0 ? (
          <Empty icon={<KeyRound />} title="No identity provider yet" action={make}>Add yours: it takes three addresses and a certificate, and a sign-in to try it.</Empty>
        ) : (
          <>
            <div className="stack">{found.map((provider) => <One key={provider.id} org={org} one={provider} />)}</div>
            <Section title="Rule" end={make}>
              <Check label="Everybody signs in by single sign-on" help="Who came by a password or code has no access here until they do. Try a sign-in first." value={one.sso} onChange={(is) => enforce.mutate(is)} />
            </Section>
          </>
        )
      }
    </Asked>
  );
}

function Making({ org, onClose }: { org: string; onClose: () => void }) {
  const [label, setLabel] = useState("");
  const deed = useDeed(() => addProvider(org, label.trim()), { stale: [["saml", org]], done: onClose });
  const wrong = wrongs(deed.error, ["label"]);
  return (
    <Dialog title="Add an identity provider" open onClose={onClose}>
      <Form save="Go on" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!label.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Name" value={label} onChange={setLabel} autoFocus wrong={wrong.at("label")} help="People see it on the page where they sign in." />
      </Form>
    </Dialog>
  );
}

const FIELDS = ["label", "ssoURL", "entityID", "certificate", "defaultRole"];

function One({ org, one }: { org: string; one: Provider }) {
  const form = useDraft({ ssoURL: one.ssoURL, entityID: one.entityID, certificate: one.certificate, defaultRole: one.defaultRole ?? "guest" });
  const [going, setGoing] = useState(false);
  const stale = [["saml", org]];
  const save = useDeed(() => changeProvider(org, one.id, { ...form.changes, defaultRole: form.value.defaultRole === "guest" ? null : (form.value.defaultRole as Role) }), {
    stale,
    done: () => {
      form.forget();
      toast("Saved. Try a sign-in.");
    },
  });
  const remove = useDeed(() => removeProvider(org, one.id), { stale, done: () => setGoing(false) });
  const wrong = wrongs(save.error, FIELDS);
  return (
    <div className="panel">
      <div className="row wrap"><h2 className="grow">{one.label}</h2><Badge tone={one.status === "active" ? "success" : "warning"}>{one.status === "active" ? "Active" : "Being set up"}</Badge></div>
      <ol className="steps">
        <li><b>Tell your provider of Octavo.</b><div className="stack"><Copied label="Address for answers (ACS)" value={one.service.acsURL} /><Copied label="Entity id" value={one.service.entityID} /></div></li>
        <li>
          <b>Tell Octavo of your provider.</b>
          <Form save="Save" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!form.changed} wrong={wrong.rest}>
            <Field label="Address where people sign in" type="url" value={form.value.ssoURL} onChange={form.set("ssoURL")} wrong={wrong.at("ssoURL")} />
            <Field label="Entity id of the provider" value={form.value.entityID} onChange={form.set("entityID")} wrong={wrong.at("entityID")} />
            <Field label="Certificate" mono lines={5} value={form.value.certificate} onChange={form.set("certificate")} wrong={wrong.at("certificate")} placeholder="-----BEGIN CERTIFICATE-----" />
            <Select label="Who comes for the first time is" value={form.value.defaultRole} onChange={form.set("defaultRole")} wrong={wrong.at("defaultRole")} options={[...ROLES.map((role) => ({ value: role.value as string, words: `${role.words}: ${role.may}` })), { value: "guest", words: "Guest: only what is granted" }]} />
          </Form>
        </li>
        <li><b>Try it.</b> In another browser or a private window, so that you stay signed in here.<Copied hush label="the address of the sign-in" value={one.service.startURL} /></li>
      </ol>
      <div><Button small onPress={() => setGoing(true)}>Remove the provider</Button></div>
      <Confirm title={`Remove ${one.label}?`} open={going} onClose={() => setGoing(false)} yes="Remove" word={one.label} isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
        <p>Nobody signs in by {one.label} any more. Accounts and roles stay.</p>
      </Confirm>
    </div>
  );
}
