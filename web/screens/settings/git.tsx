/** The branch that a space follows: set up in three steps, tried at once; what it did, and again where it failed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink, Eye, GitMerge, PlugZap, RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { ofSpace, useFollowing } from "../../api/following";
import * as git from "../../api/plumbing";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { Copied } from "../../parts/copied";
import { Actions, Dialog } from "../../parts/dialog";
import { GitConnected } from "../../parts/git-connected";
import { connectionOf, GIT_FIELDS, GitSetup, short, type Wanted } from "../../parts/git-setup";
import { failed, GitDetail, GitLog, type Run } from "../../parts/git-log";
import { Help } from "../../parts/help";
import { Notice } from "../../parts/notice";
import { Head, Section } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";

const SAID = {
  saved: (tried: boolean) => toast(tried ? "Saved. It is tried now; the log says how it went." : "Saved. Add the key to the repository, then synchronize."),
  syncing: () => toast("The space and the branch are being brought together."),
  failed: fail,
};

export default function Git({ org, space }: Shown) {
  const asked = useQuery(git.connection(space.id));
  const [setting, setSetting] = useState(false);
  const { sync } = useFollowing(ofSpace(space.id), SAID);
  const may = space.permissions.triggerGitSync;
  return (
    <>
      <Head
        title="Git"
        note="Pages and the files of a branch are kept the same: what is merged here is pushed there, what is pushed there is read here."
        actions={<><Help chapter="collaboration/git" />{asked.data && may && <Button look="primary" icon={<RefreshCw />} isPending={sync.isPending} onPress={() => sync.mutate(undefined)}>Synchronize</Button>}</>}
      />
      <Asked of={asked} say={sentence}>
        {(found) => (
          <>
            <Stands org={org} space={space} />
            {found && !setting ? (
              <Connected space={space} found={found} onChange={() => setSetting(true)} />
            ) : (
              <Setup key={String(found?.updatedAt)} space={space} found={found} onDone={() => setSetting(false)} />
            )}
            {found && <Branches org={org} space={space} said={found.pullsMessage} />}
            <Log org={org} space={space} />
          </>
        )}
      </Asked>
    </>
  );
}

function Setup({ space, found, onDone }: Pick<Shown, "space"> & { found: git.Connection | null; onDone: () => void }) {
  const { save } = useFollowing(ofSpace(space.id), SAID);
  return <GitSetup found={found} what="space" mayEdit={space.permissions.admin} isPending={save.isPending} wrong={wrongs(save.error, GIT_FIELDS)} onSave={(it) => save.mutate({ body: connectionOf(it), key: found?.publicKey }, { onSuccess: onDone })} onCancel={onDone} tried={(it) => (it.url.startsWith("ssh://") ? null : <Try key={`${it.url} ${it.username} ${it.token}`} space={space} it={it} />)} />;
}

/** Asks the repository with what was typed, before anything is saved. */
function Try({ space, it }: Pick<Shown, "space"> & { it: Wanted }) {
  const deed = useDeed(() => git.tried(space.id, { url: it.url, username: it.username || undefined, token: it.token || undefined }), { stale: [] });
  const found = deed.data;
  const missing = found && !found.branches.includes(short(it.ref));
  return (
    <div className="stack">
      <div><Button icon={<PlugZap />} isPending={deed.isPending} onPress={() => deed.mutate()}>{deed.isPending ? "Asking the repository" : "Test"}</Button></div>
      {deed.error && <Notice tone="danger">{sentence(deed.error)}</Notice>}
      {found && (
        <Notice tone={found.writable && !missing ? "success" : "warning"}>
          {found.writable ? "It can be read and written." : `It can be read, not written: ${found.message ?? "the host takes no pushes."}`}
          {missing && ` There is no branch ${it.ref} yet${found.branches.length ? `; there are ${found.branches.slice(0, 6).join(", ")}` : ""}.`}
        </Notice>
      )}
    </div>
  );
}

/** The newest operation, where it asks for somebody: a conflict to decide, or a failure. */
function Stands({ org, space }: Shown) {
  const newest = useQuery(git.operations(space.id)).data?.items[0];
  const [trying, again] = useAgain(space.id);
  if (!newest || !failed(newest.state)) return null;
  if (newest.changeRequest)
    return (
      <div className="after">
        <Notice tone="warning" action={<Decide org={org} space={space} held={newest.changeRequest} />}>
          The branch and the space contradict each other. Nothing was changed on either side; what the branch has waits in a change request. Merge it, and the merge is pushed; archive it, and what the space has is pushed.
        </Notice>
      </div>
    );
  return (
    <div className="after">
      <Notice tone="danger" action={space.permissions.triggerGitSync && <Button small icon={<RefreshCw />} isPending={trying} onPress={again}>Try again</Button>}>
        {newest.message ?? "The last operation failed."}
      </Notice>
    </div>
  );
}

function useAgain(space: string): [boolean, () => void] {
  const { sync } = useFollowing(ofSpace(space), SAID);
  return [sync.isPending, () => sync.mutate(undefined)];
}

function Decide({ org, space, held, words = "Decide" }: Shown & { held: string; words?: string }) {
  const number = useQuery(git.held(space.id, held)).data?.number;
  return <ButtonLink small icon={<GitMerge />} href={number ? addresses.request(org, space.id, number) : `${addresses.space(org, space.id)}/~/changes`}>{words}</ButtonLink>;
}

function Connected({ space, found, onChange }: Pick<Shown, "space"> & { found: git.Connection; onChange: () => void }) {
  const { hook, unhook, off } = useFollowing(ofSpace(space.id), SAID);
  return (
    <GitConnected found={found} may={space.permissions.admin} told={hook.data} isPending={hook.isPending || unhook.isPending || off.isPending} onHook={() => hook.mutate()} onUnhook={() => unhook.mutate()} onChange={onChange} onOff={() => off.mutate()} wrong={off.error ? sentence(off.error) : undefined}>
      <p>Pages and files stay on both sides as they are. The token, the key and the secret are thrown away.</p>
    </GitConnected>
  );
}

const BRANCHES: Record<git.Branch["state"], { words: string; tone: Tone }> = {
  waiting: { words: "Waits", tone: "warning" },
  open: { words: "Followed", tone: "success" },
  merged: { words: "Merged", tone: "neutral" },
  closed: { words: "Closed", tone: "neutral" },
};

/** Other branches, each with what became of it. */
function Branches({ org, space, said }: Shown & { said?: string }) {
  const queries = useQueryClient();
  const [seen, setSeen] = useState<git.Branch>();
  const rows = useQuery(git.branches(space.id)).data ?? [];
  const done = useQuery(git.operations(space.id)).data?.items.map((one) => one.id + one.state).join();
  useEffect(() => {
    // What became of branches is told by the operations, which are asked for while they go on.
    if (done) void queries.invalidateQueries({ queryKey: ["git", space.id, "branches"] });
  }, [done]);
  if (rows.length === 0 && !said) return null;
  return (
    <Section title="Other branches">
      {said && <Notice tone="warning">{said}</Notice>}
      {rows.length > 0 && (
        <Table
          label="Other branches"
          rows={rows}
          rowKey={(one) => one.id}
          columns={[
            { name: "Branch", cell: (one) => <span className="break">{short(one.ref)}</span> },
            { name: "State", cell: (one) => <Badge tone={BRANCHES[one.state].tone}>{BRANCHES[one.state].words}</Badge> },
            { name: "Pull request", cell: (one) => one.pullRequest && (one.pullRequest.url ? <a href={one.pullRequest.url} target="_blank" rel="noopener">#{one.pullRequest.number}</a> : `#${one.pullRequest.number}`) },
            { name: "It says", cell: (one) => <span className="break">{one.message ?? one.status?.message ?? one.oid?.slice(0, 10)}</span> },
            { name: "When", cell: (one) => <Ago at={one.updatedAt} /> },
            {
              name: "Change request",
              cell: (one) =>
                one.changeRequest && (
                  <span className="row">
                    <Decide org={org} space={space} held={one.changeRequest} words="Open" />
                    {one.state === "open" && <Button small icon={<Eye />} aria-label={`Preview of ${short(one.ref)}`} onPress={() => setSeen(one)}>Preview</Button>}
                  </span>
                ),
            },
          ]}
        />
      )}
      {seen?.changeRequest && <Ahead space={space} branch={seen.ref} request={seen.changeRequest} onClose={() => setSeen(undefined)} />}
    </Section>
  );
}

/** Where a branch is read as the site will show it; said too where no site does. */
function Ahead({ space, branch, request, onClose }: Pick<Shown, "space"> & { branch: string; request: string; onClose: () => void }) {
  const asked = useQuery(git.ahead(space.id, request));
  return (
    <Dialog title={`Preview of ${short(branch)}`} open wide onClose={onClose}>
      <Asked of={asked} say={sentence}>
        {({ url }) => (
          <>
            <Copied label="Whoever has this address reads the branch on the site, for a week" value={url} />
            <Actions>
              <Button onPress={onClose}>Close</Button>
              <a className="button primary" href={url} target="_blank" rel="noopener"><ExternalLink aria-hidden /> Open it</a>
            </Actions>
          </>
        )}
      </Asked>
    </Dialog>
  );
}

const DIRECTIONS = { import: "Read from the branch", export: "Pushed to the branch", sync: "Brought together" };
const row = (one: git.Operation): Run => ({ ...one, what: DIRECTIONS[one.direction] });

function Log({ org, space }: Shown) {
  const asked = useQuery(git.operations(space.id));
  return <GitLog rows={(asked.data?.items ?? []).map(row)} detail={(id, close) => <One org={org} space={space} id={id} onClose={close} />} />;
}

function One({ org, space, id, onClose }: Shown & { id: string; onClose: () => void }) {
  const asked = useQuery(git.operation(space.id, id));
  const [trying, again] = useAgain(space.id);
  return (
    <Asked of={asked} say={sentence}>
      {(one) => (
        <GitDetail one={row(one)} log={one.log}>
          <div className="row wrap">
            {one.changeRequest && <Decide org={org} space={space} held={one.changeRequest} />}
            {one.commitURL && <a className="button plain small" href={one.commitURL} target="_blank" rel="noopener">The commit</a>}
            {failed(one.state) && space.permissions.triggerGitSync && <Button small icon={<RefreshCw />} isPending={trying} onPress={() => { again(); onClose(); }}>Try again</Button>}
          </div>
        </GitDetail>
      )}
    </Asked>
  );
}
