/** What a space is called, how it is written, and its end. */
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeSpace, duplicateSpace, exportSpace, removeSpace, restoreSpace } from "../../api/plumbing";
import { members } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { LANGUAGES } from "../../parts/languages";
import { MergeRules, type Rules } from "../../parts/merge-rules";
import { Select } from "../../parts/select";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";

const MODES = [
  { value: "locked", words: "By change requests", help: "What somebody writes is proposed, reviewed and merged." },
  { value: "live", words: "Directly", help: "What somebody writes is what readers see." },
];

export default function General({ org, space }: Shown) {
  const form = useDraft({ title: space.title, editMode: space.editMode as string, language: space.language ?? "" });
  const stale = [["space", space.id], ["spaces", org]];
  const save = useDeed(() => changeSpace(space.id, { ...form.changes, language: form.changes.language || undefined } as Parameters<typeof changeSpace>[1]), {
    stale,
    done: () => {
      form.forget();
      toast("Saved.");
    },
  });
  const [, go] = useLocation();
  const copy = useDeed(() => duplicateSpace(space.id), { stale, failed: fail, done: (made) => go(addresses.space(org, made.id)) });
  const wrong = wrongs(save.error, ["title", "editMode", "language"]);
  return (
    <>
      <Head title="General" actions={<Help chapter="collaboration/spaces" />} />
      <div className="panel form-narrow">
        <Form save="Save" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!form.changed || !space.permissions.admin} wrong={wrong.rest}>
          <Field label="Title" value={form.value.title} onChange={form.set("title")} wrong={wrong.at("title")} />
          <Choices label="It is written" options={MODES} value={form.value.editMode} onChange={form.set("editMode")} wrong={wrong.at("editMode")} />
          <Select label="Language" value={form.value.language} onChange={form.set("language")} wrong={wrong.at("language")} help="Search and readers' programs go by it." options={[...(space.language ? [] : [{ value: "", words: "Not said" }]), ...LANGUAGES]} />
        </Form>
      </div>
      <Section title="Rules for merging" end={<Help chapter="collaboration/merge-rules" />}><Merging org={org} space={space} /></Section>
      <Section title="Copy and take away">
        <div className="row wrap">
          <Button isPending={copy.isPending} onPress={() => copy.mutate()}>Duplicate the space</Button>
          {space.permissions.triggerGitSync && <Away space={space} />}
        </div>
        <p className="note after-row">The zip has the layout of a Git repository: Markdown, pictures and SUMMARY.md. Import it anywhere, or put it under Git.</p>
      </Section>
      {space.permissions.admin && <End org={org} space={space} />}
    </>
  );
}

function Away({ space }: Pick<Shown, "space">) {
  const deed = useDeed(() => exportSpace(space.id), { stale: [], failed: fail, done: (made) => {
    location.assign(new URL(made.url).pathname + new URL(made.url).search);
    toast(made.files === 1 ? "One file is on its way." : `${made.files} files are on their way.`);
  } });
  return <Button icon={<Download />} isPending={deed.isPending} onPress={() => deed.mutate()}>{deed.isPending ? "Packing" : "Export as a zip"}</Button>;
}

function Merging({ org, space }: Shown) {
  const people = useQuery(members(org)).data ?? [];
  const deed = useDeed((to: Rules) => changeSpace(space.id, { mergeRules: to as Parameters<typeof changeSpace>[1]["mergeRules"] }), { stale: [["space", space.id]], done: () => toast("Saved.") });
  return <MergeRules inherits rules={space.mergeRules as Rules} people={people.map((one) => ({ id: one.user.id, name: one.user.displayName }))} mayEdit={space.permissions.admin} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onSave={(to, done) => deed.mutate(to, { onSuccess: done })} />;
}

function End({ org, space }: Shown) {
  const [asks, setAsks] = useState(false);
  const [, go] = useLocation();
  const stale = [["spaces", org], ["trash", org], ["space", space.id]];
  const back = useDeed(() => restoreSpace(space.id), { stale, failed: fail });
  const deed = useDeed(() => removeSpace(space.id), {
    stale: [["spaces", org], ["trash", org]],
    done: () => {
      go(addresses.home(org));
      toast(`${space.title || "The space"} is in the trash for a week.`, { undo: () => back.mutate() });
    },
  });
  return (
    <Section title="Delete the space">
      <div className="panel danger form-narrow">
        <p className="note">For a week it lies in the trash and can be restored. Sites show it no more at once.</p>
        <div><Button look="danger" onPress={() => setAsks(true)}>Delete the space</Button></div>
      </div>
      <Confirm title={`Delete ${space.title || "the space"}?`} open={asks} onClose={() => setAsks(false)} yes="Delete" isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
        <p>Its pages, history, {space.changeRequests === 1 ? "one change request" : `${space.changeRequests} change requests`} and comments go with it after a week.{space.urls.published ? ` Readers find nothing at ${space.urls.published} from now on.` : ""}</p>
      </Confirm>
    </Section>
  );
}
