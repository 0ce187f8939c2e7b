/** The branch that a space follows: set up in three steps, tried at once; what it did, and again where it failed. */
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import * as git from "../../api/plumbing";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { Check, Choices } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";

const FIELDS = ["url", "ref", "directory", "username", "token", "hostKey", "pollMinutes", "first"];

export default function Git({ org, space }: Shown) {
  const asked = useQuery(git.connection(space.id));
  const [setting, setSetting] = useState(false);
  const stale = [["git", space.id], ["space", space.id]];
  const sync = useDeed(() => git.sync(space.id), { stale, failed: fail, done: () => toast("The space and the branch are being brought together.") });
  const may = space.permissions.triggerGitSync;
  return (
    <>
      <Head
        title="Git"
        note="Pages and the files of a branch are kept the same: what is merged here is pushed there, what is pushed there is read here."
        actions={<><Help chapter="git" />{asked.data && may && <Button look="primary" icon={<RefreshCw />} isPending={sync.isPending} onPress={() => sync.mutate()}>Synchronize</Button>}</>}
      />
      <Asked of={asked} say={sentence}>
        {(found) => (
          <>
            {found && !setting ? <Connected org={org} space={space} found={found} onChange={() => setSetting(true)} /> : <Setup key={String(found?.updatedAt)} space={space} org={org} found={found} onDone={() => setSetting(false)} />}
            <Log org={org} space={space} />
          </>
        )}
      </Asked>
    </>
  );
}

const STEPS = ["The repository", "Who may read and write it", "What counts first"];

function Setup({ space, found, onDone }: Shown & { found: git.Connection | null; onDone: () => void }) {
  const [at, setAt] = useState(0);
  const form = useDraft({ url: found?.url ?? "", ref: found?.ref ?? "main", directory: found?.directory ?? "", username: found?.username ?? "", token: "", hostKey: found?.hostKey ?? "", first: found?.first ?? "git", pollMinutes: String(found?.pollMinutes ?? 5), paused: found?.paused ?? false });
  const { value: it, set } = form;
  const save = useDeed(
    async () => {
      const ssh = it.url.startsWith("ssh://");
      await git.connect(space.id, { url: it.url.trim(), ref: it.ref.trim(), directory: it.directory.trim() || undefined, first: it.first as "git", username: it.username || undefined, token: it.token || undefined, hostKey: ssh ? it.hostKey || undefined : undefined, pollMinutes: it.pollMinutes === "0" ? null : Number(it.pollMinutes), paused: it.paused });
      return ssh && !found?.publicKey ? null : git.sync(space.id);
    },
    {
      stale: [["git", space.id], ["space", space.id]],
      done: (tried) => {
        onDone();
        toast(tried ? "Saved. It is tried now; the log says how it went." : "Saved. Add the key to the repository, then synchronize.");
      },
    },
  );
  const wrong = wrongs(save.error, FIELDS);
  const last = at === STEPS.length - 1;
  const said = last ? FIELDS.slice(0, 6).map((one) => wrong.at(one) && `${one}: ${wrong.at(one)}`).find(Boolean) : undefined;
  return (
    <div className="panel form-narrow">
      <h2>{`Step ${at + 1} of ${STEPS.length}: ${STEPS[at]}`}</h2>
      <Form
        save={last ? "Save and try it" : "Go on"}
        onSubmit={() => (last ? save.mutate() : setAt(at + 1))}
        isPending={save.isPending}
        isDisabled={!it.url.trim() || !it.ref.trim() || !space.permissions.admin}
        wrong={said || wrong.rest}
        also={(at > 0 || found) && <Button onPress={() => (at > 0 ? setAt(at - 1) : onDone())}>{at > 0 ? "Back" : "Cancel"}</Button>}
      >
        {at === 0 && (
          <>
            <Field label="Address of the repository" type="url" value={it.url} onChange={set("url")} autoFocus placeholder="https://git.example.com/team/docs.git" help="By HTTPS, or by SSH as ssh://git@host/path." wrong={wrong.at("url")} />
            <div className="pair">
              <Field label="Branch" value={it.ref} onChange={set("ref")} wrong={wrong.at("ref")} />
              <Field label="Folder" value={it.directory} onChange={set("directory")} placeholder="docs" help="Empty for the whole repository." wrong={wrong.at("directory")} />
            </div>
          </>
        )}
        {at === 1 &&
          (it.url.startsWith("ssh://") ? (
            <Field label="Key of the host" mono lines={3} value={it.hostKey} onChange={set("hostKey")} wrong={wrong.at("hostKey")} placeholder="ssh-ed25519 AAAA…" help="As ssh-keyscan prints it. Octavo makes a key of its own, which you add to the repository with the right to write." />
          ) : (
            <div className="pair">
              <Field label="Name" value={it.username} onChange={set("username")} wrong={wrong.at("username")} autoComplete="off" help="Some hosts ask for one beside the token." />
              <Field label="Token" type="password" value={it.token} onChange={set("token")} wrong={wrong.at("token")} autoComplete="off" help={found?.hasToken ? "One is kept, sealed. Type another one to replace it." : "With the right to read and write the repository. It is kept sealed and shown to nobody."} />
            </div>
          ))}
        {last && (
          <>
            <Choices label="The first time" value={it.first} onChange={(to) => set("first")(to as "git")} options={[{ value: "git", words: "The branch counts", help: "Its files become the pages of this space." }, { value: "space", words: "The space counts", help: "Its pages become the files of the branch." }]} />
            <Select label="Looks for pushes" value={it.pollMinutes} onChange={set("pollMinutes")} wrong={wrong.at("pollMinutes")} options={[{ value: "1", words: "Every minute" }, { value: "5", words: "Every 5 minutes" }, { value: "60", words: "Every hour" }, { value: "0", words: "Only when told" }]} />
            <Check label="Pause it for now" value={it.paused} onChange={set("paused")} />
          </>
        )}
      </Form>
    </div>
  );
}

function Connected({ space, found, onChange }: Shown & { found: git.Connection; onChange: () => void }) {
  const [asks, setAsks] = useState(false);
  const stale = [["git", space.id], ["space", space.id]];
  const off = useDeed(() => git.disconnect(space.id), { stale, done: () => setAsks(false) });
  const hook = useDeed(() => git.hook(space.id), { stale, failed: fail });
  const unhook = useDeed(() => git.unhook(space.id), { stale, failed: fail });
  const admin = space.permissions.admin;
  return (
    <div className="panel">
      <div className="row wrap"><h2 className="grow">{found.url}</h2>{found.paused ? <Badge tone="warning">Paused</Badge> : <Badge tone="success">Followed</Badge>}</div>
      <p className="note">Branch {found.ref}{found.directory && `, folder ${found.directory}`} · {found.pollMinutes ? `looked at every ${found.pollMinutes} minutes` : "looked at when told"} · {found.hasToken ? "with a token" : found.publicKey ? "with a key" : "without a token"}</p>
      {found.publicKey && <Copied label="Key to add to the repository, with the right to write" value={found.publicKey} />}
      {hook.data && <><Copied label="Where the host tells of pushes" value={hook.data.url} /><Copied secret label="With the secret" value={hook.data.secret} /></>}
      {admin && (
        <div className="row wrap">
          <Button onPress={onChange}>Change</Button>
          {found.takesPushes ? <Button isPending={unhook.isPending} onPress={() => unhook.mutate()}>Take no pushes</Button> : <Button isPending={hook.isPending} onPress={() => hook.mutate()}>Let the host tell of pushes</Button>}
          <Button onPress={() => setAsks(true)}>Disconnect</Button>
        </div>
      )}
      <Confirm title="Disconnect the branch?" open={asks} onClose={() => setAsks(false)} yes="Disconnect" isPending={off.isPending} wrong={off.error ? sentence(off.error) : undefined} onYes={() => off.mutate()}>
        <p>Pages and files stay on both sides as they are. The token, the key and the secret are thrown away.</p>
      </Confirm>
    </div>
  );
}

const STATES: Record<git.Operation["state"], { words: string; tone: Tone }> = {
  queued: { words: "Waits", tone: "info" },
  running: { words: "Runs", tone: "info" },
  success: { words: "Done", tone: "success" },
  ignored: { words: "Nothing to do", tone: "neutral" },
  failure: { words: "Failed", tone: "danger" },
  timeout: { words: "Took too long", tone: "danger" },
};
const DIRECTIONS = { import: "Read from the branch", export: "Pushed to the branch", sync: "Brought together" };

function Log({ org, space }: Shown) {
  const asked = useQuery(git.operations(space.id));
  const [shown, setShown] = useState<string | null>(null);
  const items = asked.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section title="What it did">
      <Table
        label="Operations"
        rows={items}
        rowKey={(one) => one.id}
        columns={[
          { name: "When", cell: (one) => <Ago at={one.createdAt} /> },
          { name: "What", cell: (one) => DIRECTIONS[one.direction] },
          { name: "State", cell: (one) => <Badge tone={STATES[one.state].tone}>{STATES[one.state].words}</Badge> },
          { name: "It says", cell: (one) => one.message ?? (one.oid ? one.oid.slice(0, 10) : "") },
          { name: "", cell: (one) => <Button small look="quiet" aria-label={`Log of ${DIRECTIONS[one.direction]}`} onPress={() => setShown(one.id)}>Log</Button> },
        ]}
      />
      {shown && <One org={org} space={space} id={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

function One({ org, space, id, onClose }: Shown & { id: string; onClose: () => void }) {
  const asked = useQuery(git.operation(space.id, id));
  return (
    <Dialog title="Log" open wide onClose={onClose}>
      <Asked of={asked} say={sentence}>
        {(one) => (
          <div className="stack">
            <div className="row wrap"><Badge tone={STATES[one.state].tone}>{STATES[one.state].words}</Badge><span className="grow">{DIRECTIONS[one.direction]}, {one.attempts === 1 ? "one try" : `${one.attempts} tries`}</span></div>
            {one.message && <p>{one.message}</p>}
            {one.retryAt && <p className="note">It is tried again <Ago at={one.retryAt} />.</p>}
            {one.changeRequest && <ButtonLink href={addresses.space(org, space.id) + "/~/changes"}>It waits in a change request</ButtonLink>}
            {one.log && one.log.length > 0 && <Table label="Steps" rows={one.log} rowKey={(step) => `${step.at} ${step.message}`} columns={[{ name: "When", cell: (step) => new Date(step.at).toLocaleTimeString("en") }, { name: "What", cell: (step) => step.message }]} />}
          </div>
        )}
      </Asked>
    </Dialog>
  );
}
