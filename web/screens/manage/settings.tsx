/** What an organization is called, and its rules. */
import { useQuery } from "@tanstack/react-query";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeOrganization } from "../../api/people";
import { members, organization, type Organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Check } from "../../parts/check";
import { Copied } from "../../parts/copied";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { MergeRules, type Rules } from "../../parts/merge-rules";
import { Head, Section } from "../../parts/shell";
import { toast } from "../../parts/toast";
import { Manage } from "./side";

export default function Settings({ org }: { org: string }) {
  const asked = useQuery(organization(org));
  return (
    <Manage org={org} part="settings" title="Settings">
      <Head title="Settings" actions={<Help chapter="collaboration/people" />} />
      <Asked of={asked} say={sentence}>{(one) => <General org={org} one={one} />}</Asked>
    </Manage>
  );
}

function General({ org, one }: { org: string; one: Organization }) {
  const form = useDraft({ title: one.title, inviteLinks: one.inviteLinks });
  const deed = useDeed(() => changeOrganization(org, form.changes), {
    stale: [["organization", org], ["organizations"]],
    done: () => {
      form.forget();
      toast("Saved.");
    },
  });
  const wrong = wrongs(deed.error, ["title"]);
  return (
    <>
      <div className="panel form-narrow">
        <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !one.permissions.admin} wrong={wrong.rest}>
          <Field label="Title" value={form.value.title} onChange={form.set("title")} wrong={wrong.at("title")} />
          <Check label="People may be invited by links" help="Without, links that were made open nothing." value={form.value.inviteLinks} onChange={form.set("inviteLinks")} />
        </Form>
      </div>
      <Section title="Rules for merging" end={<Help chapter="collaboration/merge-rules" />}><Merging org={org} one={one} /></Section>
      <Section title="For programs"><div className="form-narrow"><Copied label="Address in the API" value={one.urls.location} /></div></Section>
      <Section title="Yours"><p className="note">Tokens of the API are made and revoked on <a className="link" href="/account/tokens">their page</a>; what you are told of is on <a className="link" href="/account/notifications">another</a>.</p></Section>
    </>
  );
}

/** They hold in every space that has none of its own. */
function Merging({ org, one }: { org: string; one: Organization }) {
  const people = useQuery(members(org)).data ?? [];
  const deed = useDeed((to: Rules) => changeOrganization(org, { mergeRules: to as Parameters<typeof changeOrganization>[1]["mergeRules"] }), { stale: [["organization", org]], done: () => toast("Saved.") });
  return <MergeRules rules={one.mergeRules as Rules} people={people.map((member) => ({ id: member.user.id, name: member.user.displayName }))} mayEdit={one.permissions.admin} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onSave={(to, done) => deed.mutate(to, { onSuccess: done })} />;
}
