/** What identity providers of every kind have: a name to begin with, a panel with their state, and their end. */
import { type ReactNode, useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";

type Stale = string[][];

export function NewProvider({ title, add, stale, onClose }: { title: string; add: (label: string) => Promise<unknown>; stale: Stale; onClose: () => void }) {
  const [label, setLabel] = useState("");
  const deed = useDeed(() => add(label.trim()), { stale, done: onClose });
  const wrong = wrongs(deed.error, ["label"]);
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form save="Go on" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!label.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Name" value={label} onChange={setLabel} autoFocus wrong={wrong.at("label")} help="People see it on the page where they sign in." />
      </Form>
    </Dialog>
  );
}

/** The sign-in to try: in another window for whoever wants to stay signed in here, and what became of it. */
export function Trial({ org, label, start, at }: { org: string; label: string; start: string; at: string | null }) {
  const back = `${start}?${new URLSearchParams({ next: `/app/o/${org}/~/sso` })}`;
  return (
    <li>
      <b>Try it.</b> In another browser or a private window, so that you stay signed in here.
      <Copied hush label={`the address of the sign-in with ${label}`} value={start} />
      <div className="row wrap"><a className="button plain small" href={back}>Try it here, with {label}</a></div>
      <p className="note" role="status">{at ? <>It works: somebody signed in by {label} <Ago at={at} />.</> : `Nobody is signed in by ${label}.`}</p>
    </li>
  );
}

type Props = { label: string; active: boolean; level: 2 | 3; remove: () => Promise<unknown>; stale: Stale; children: ReactNode };

export function ProviderPanel({ label, active, level, remove, stale, children }: Props) {
  const [going, setGoing] = useState(false);
  const end = useDeed(remove, { stale, done: () => setGoing(false) });
  const Title = level === 2 ? "h2" : "h3";
  return (
    <div className="panel">
      <div className="row wrap"><Title className="grow">{label}</Title><Badge tone={active ? "success" : "warning"}>{active ? "Active" : "Being set up"}</Badge></div>
      <ol className="steps">{children}</ol>
      <div><Button small onPress={() => setGoing(true)}>Remove the provider</Button></div>
      <Confirm title={`Remove ${label}?`} open={going} onClose={() => setGoing(false)} yes="Remove" word={label} isPending={end.isPending} wrong={end.error ? sentence(end.error) : undefined} onYes={() => end.mutate()}>
        <p>Nobody signs in by {label} any more. Accounts and roles stay.</p>
      </Confirm>
    </div>
  );
}
