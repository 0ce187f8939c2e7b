/** What a space is called, how it is written, and its end. */
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeSpace, duplicateSpace, removeSpace, restoreSpace } from "../../api/plumbing";
import { wrongs } from "../../api/refused";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";

const MODES = [
  { value: "locked", words: "By change requests", help: "What somebody writes is proposed, reviewed and merged." },
  { value: "live", words: "Directly", help: "What somebody writes is what readers see." },
];

export default function General({ org, space }: Shown) {
  const form = useDraft({ title: space.title, editMode: space.editMode as string });
  const stale = [["space", space.id], ["spaces", org]];
  const save = useDeed(() => changeSpace(space.id, form.changes as Parameters<typeof changeSpace>[1]), {
    stale,
    done: () => {
      form.forget();
      toast("Saved.");
    },
  });
  const [, go] = useLocation();
  const copy = useDeed(() => duplicateSpace(space.id), { stale, failed: fail, done: (made) => go(addresses.space(org, made.id)) });
  const wrong = wrongs(save.error, ["title", "editMode"]);
  return (
    <>
      <Head title="General" actions={<Help chapter="spaces" />} />
      <div className="panel form-narrow">
        <Form save="Save" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!form.changed || !space.permissions.admin} wrong={wrong.rest}>
          <Field label="Title" value={form.value.title} onChange={form.set("title")} wrong={wrong.at("title")} />
          <Choices label="It is written" options={MODES} value={form.value.editMode} onChange={form.set("editMode")} wrong={wrong.at("editMode")} />
        </Form>
      </div>
      <Section title="Copy"><Button isPending={copy.isPending} onPress={() => copy.mutate()}>Duplicate the space</Button></Section>
      {space.permissions.admin && <End org={org} space={space} />}
    </>
  );
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
