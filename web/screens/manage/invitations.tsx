/** How people come into an organization: invitations by mail, links, domains of addresses. */
import { useQuery } from "@tanstack/react-query";
import { Link2, Mail, Plus } from "lucide-react";
import { useState } from "react";
import type { Role } from "../../api/access";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeOrganization, invitations, invite, inviteLinks, makeLink, removeLink, ROLES, roleWords, takeBack } from "../../api/people";
import { organization, type Organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Copied } from "../../parts/copied";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

const CHOICES = [...ROLES.map((one) => ({ value: one.value as string, words: `${one.words}: ${one.may}` })), { value: "guest", words: "Guest: only what is granted" }];
const role = (value: string) => (value === "guest" ? null : (value as Role));

export default function Invitations({ org }: { org: string }) {
  const asked = useQuery(organization(org));
  return (
    <Manage org={org} part="invitations" title="Invitations">
      <Head title="Invitations" note="How people come into the organization." actions={<Help chapter="collaboration/people" />} />
      <Asked of={asked} say={sentence}>
        {(one) =>
          one.permissions.admin ? (
            <>
              <ByMail org={org} />
              <Links org={org} />
              <Domains org={org} one={one} />
            </>
          ) : (
            <p className="note">Admins of the organization invite people.</p>
          )
        }
      </Asked>
    </Manage>
  );
}

/** How many of them are invited now, and why the others are not. */
function invited(now: number, of: number): string {
  if (now === 0) return of === 1 ? "Nobody is invited: whoever has this address is in the organization already." : "Nobody is invited: whoever has these addresses is in the organization already.";
  const rest = of > now ? " The others are in the organization already." : "";
  return (now === 1 ? "One person is invited." : `${now} people are invited.`) + rest;
}

function ByMail({ org }: { org: string }) {
  const form = useDraft({ emails: "", role: "read" });
  const waiting = useQuery(invitations(org));
  const addresses = form.value.emails.split(/[\s,;]+/).filter(Boolean);
  const deed = useDeed(() => invite(org, addresses, role(form.value.role)), {
    stale: [["invitations", org], ["members", org]],
    done: (made) => {
      // Who is in it already stays in the field: nothing else says whom the number leaves out.
      if (made.invited > 0) form.forget();
      toast(invited(made.invited, new Set(addresses.map((one) => one.toLowerCase())).size), made.invited > 0 ? {} : { tone: "danger" });
    },
  });
  const back = useDeed((id: string) => takeBack(org, id), { stale: [["invitations", org]], failed: fail, done: () => toast("The invitation is taken back.") });
  const wrong = wrongs(deed.error, ["emails", "role"]);
  return (
    <>
      <div className="panel form-narrow">
        <Form save="Invite" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={addresses.length === 0} wrong={wrong.rest}>
          <Field label="E-mail addresses" lines={2} value={form.value.emails} onChange={form.set("emails")} wrong={wrong.at("emails")} placeholder="grace@example.org, kurt@example.org" />
          <Select label="As" value={form.value.role} onChange={form.set("role")} options={CHOICES} wrong={wrong.at("role")} />
        </Form>
        {deed.data?.links?.map((one) => <Copied key={one.email} label={`For ${one.email}, as no mail is sent from here`} value={one.url} />)}
      </div>
      <Section title="Not yet accepted">
        <Asked of={waiting} say={sentence}>
          {(found) =>
            found.length === 0 ? (
              <p className="note"><Mail aria-hidden="true" size={14} /> Nobody was invited who has not come.</p>
            ) : (
              <Table
                label="Invitations that nobody accepted yet"
                rows={found}
                rowKey={(one) => one.id}
                columns={[
                  { name: "Address", cell: (one) => one.email },
                  { name: "As", cell: (one) => roleWords(one.role) },
                  { name: "Until", cell: (one) => <Ago at={one.expiresAt} /> },
                  { name: "", cell: (one) => <Button small isPending={back.isPending} aria-label={`Take back the invitation of ${one.email}`} onPress={() => back.mutate(one.id)}>Take back</Button> },
                ]}
              />
            )
          }
        </Asked>
      </Section>
    </>
  );
}

function Links({ org }: { org: string }) {
  const asked = useQuery(inviteLinks(org));
  const [making, setMaking] = useState(false);
  const remove = useDeed((id: string) => removeLink(org, id), { stale: [["invite-links", org]], failed: fail, done: () => toast("The link opens nothing any more.") });
  return (
    <Section title="Links" end={<Button small icon={<Plus />} onPress={() => setMaking(true)}>New link</Button>}>
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <p className="note"><Link2 aria-hidden="true" size={14} /> Whoever has a link joins by it, as often as you allow.</p>
          ) : (
            <div className="stack">
              {found.map((one) => (
                <div key={one.id} className="panel">
                  <div className="row wrap">
                    <span className="grow"><span className="strong">{one.space ? `${one.space.title}: ${roleWords(one.level)}` : roleWords(one.role)}</span> <span className="note">made <Ago at={one.createdAt} />, used {one.uses} {one.maxUses ? `of ${one.maxUses} times` : one.uses === 1 ? "time" : "times"}</span></span>
                    {one.redundant && <Badge>Redundant</Badge>}
                    <Button small onPress={() => remove.mutate(one.id)}>Delete</Button>
                  </div>
                  <Copied hush label="the invite link" value={one.urls.app} />
                </div>
              ))}
            </div>
          )
        }
      </Asked>
      {making && <NewLink org={org} onClose={() => setMaking(false)} />}
    </Section>
  );
}

const DAY = 86_400_000;

function NewLink({ org, onClose }: { org: string; onClose: () => void }) {
  const { value: it, set } = useDraft({ role: "read", uses: "", days: "7" });
  const deed = useDeed(() => makeLink(org, { role: role(it.role), maxUses: it.uses ? Number(it.uses) : undefined, expiresAt: it.days === "0" ? undefined : new Date(Date.now() + Number(it.days) * DAY).toISOString() }), { stale: [["invite-links", org]], done: onClose });
  const wrong = wrongs(deed.error, ["role", "maxUses", "expiresAt"]);
  return (
    <Dialog title="New invite link" open onClose={onClose}>
      <Form save="Make link" onSubmit={() => deed.mutate()} isPending={deed.isPending} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Select label="Who comes by it is" value={it.role} onChange={set("role")} options={CHOICES} wrong={wrong.at("role")} />
        <Select label="It ends" value={it.days} onChange={set("days")} wrong={wrong.at("expiresAt")} options={[{ value: "1", words: "After a day" }, { value: "7", words: "After a week" }, { value: "30", words: "After 30 days" }, { value: "0", words: "Never" }]} />
        <Field label="How often it may be used" value={it.uses} onChange={set("uses")} inputMode="numeric" wrong={wrong.at("maxUses")} help="Empty: as often as people have it." />
      </Form>
    </Dialog>
  );
}

function Domains({ org, one }: { org: string; one: Organization }) {
  const form = useDraft({ domains: one.emailDomains.join(", "), role: one.defaultRole ?? "guest" });
  const deed = useDeed(() => changeOrganization(org, { emailDomains: form.value.domains.split(/[\s,;]+/).filter(Boolean), defaultRole: role(form.value.role) }), {
    stale: [["organization", org]],
    done: () => {
      form.forget();
      toast("Saved.");
    },
  });
  const wrong = wrongs(deed.error, ["emailDomains", "defaultRole"]);
  return (
    <Section title="Domains">
      <div className="panel form-narrow">
        <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed} wrong={wrong.rest}>
          <Field label="Domains" value={form.value.domains} onChange={form.set("domains")} wrong={wrong.at("emailDomains")} placeholder="example.org" help="Who has a proven address there may join without an invitation." />
          <Select label="As" value={form.value.role} onChange={form.set("role")} options={CHOICES} wrong={wrong.at("defaultRole")} />
        </Form>
      </div>
    </Section>
  );
}
