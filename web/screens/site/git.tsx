/** The branch that a whole site follows: its docs.yaml and a folder for each space. */
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import * as git from "../../api/plumbing";
import { spaces } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { connectionOf, GIT_FIELDS, GitConnected, GitSetup, type Wanted } from "../../parts/git-setup";
import { failed, GitDetail, GitLog, GitState, type Run } from "../../parts/git-log";
import { Help } from "../../parts/help";
import { Notice } from "../../parts/notice";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import type { At, Shown } from "./at";

const stale = (at: At) => [["git", at.site], ["site", at.site], ["structure", at.site], ["spaces", at.org]];

export default function Git({ at, site }: Shown) {
  const asked = useQuery(git.siteConnection(at));
  const [setting, setSetting] = useState(false);
  const [trying, again] = useSync(at);
  const may = site.permissions.admin;
  return (
    <>
      <Head
        title="Git"
        note="The structure of the site is docs.yaml of a repository, and each of its spaces a folder: what changes on one side comes to the other."
        actions={<><Help chapter="collaboration/git" />{asked.data && may && <Button look="primary" icon={<RefreshCw />} isPending={trying} onPress={() => again()}>Synchronize</Button>}</>}
      />
      <Asked of={asked} say={sentence}>
        {(found) => (
          <>
            <Stands at={at} may={may} />
            {found && !setting ? <Connected at={at} found={found} may={may} onChange={() => setSetting(true)} /> : <Setup key={String(found?.updatedAt)} at={at} found={found} may={may} onDone={() => setSetting(false)} />}
            <Log at={at} may={may} />
          </>
        )}
      </Asked>
    </>
  );
}

function useSync(at: At): [boolean, (keep?: "git" | "site") => void] {
  const deed = useDeed((keep: "git" | "site" | undefined) => git.syncSite(at, keep), { stale: stale(at), failed: fail, done: () => toast("The site and the branch are being brought together.") });
  return [deed.isPending, (keep) => deed.mutate(keep)];
}

function Setup({ at, found, may, onDone }: { at: At; found: git.Connection | null; may: boolean; onDone: () => void }) {
  const save = useDeed(
    async (it: Wanted) => {
      const made = await git.connectSite(at, connectionOf(it));
      // A new key has to be added to the repository before anything can be read.
      return made.publicKey && made.publicKey !== found?.publicKey ? null : git.syncSite(at);
    },
    {
      stale: stale(at),
      done: (tried) => {
        onDone();
        toast(tried ? "Saved. It is tried now; the log says how it went." : "Saved. Add the key to the repository, then synchronize.");
      },
    },
  );
  return <GitSetup found={found} what="site" mayEdit={may} isPending={save.isPending} wrong={wrongs(save.error, GIT_FIELDS)} onSave={(it) => save.mutate(it)} onCancel={onDone} />;
}

/** A failure of the newest operation; what both sides changed in two ways is decided here. */
function Stands({ at, may }: { at: At; may: boolean }) {
  const newest = useQuery(git.siteOperations(at)).data?.items[0];
  const [trying, again] = useSync(at);
  if (!newest || !failed(newest.state)) return null;
  return (
    <div className="after">
      <Notice
        tone="danger"
        action={
          may && (
            <span className="row wrap">
              <Button small icon={<RefreshCw />} isPending={trying} onPress={() => again()}>Try again</Button>
              {newest.stage === "structure" && <><Button small onPress={() => again("git")}>Keep the branch’s</Button><Button small onPress={() => again("site")}>Keep the site’s</Button></>}
            </span>
          )
        }
      >
        {newest.message ?? "The last operation failed."}
      </Notice>
    </div>
  );
}

function Connected({ at, found, may, onChange }: { at: At; found: git.Connection; may: boolean; onChange: () => void }) {
  const [asks, setAsks] = useState(false);
  const off = useDeed(() => git.disconnectSite(at), { stale: stale(at), done: () => setAsks(false) });
  const hook = useDeed(() => git.siteHook(at), { stale: stale(at), failed: fail });
  const unhook = useDeed(() => git.siteUnhook(at), { stale: stale(at), failed: fail });
  return (
    <GitConnected found={found}>
      {hook.data && <><Copied label="Where the host tells of pushes" value={hook.data.url} /><Copied secret label="With the secret" value={hook.data.secret} /></>}
      {may && (
        <div className="row wrap">
          <Button onPress={onChange}>Change</Button>
          {found.takesPushes ? <Button isPending={unhook.isPending} onPress={() => unhook.mutate()}>Take no pushes</Button> : <Button isPending={hook.isPending} onPress={() => hook.mutate()}>Let the host tell of pushes</Button>}
          <Button onPress={() => setAsks(true)}>Disconnect</Button>
        </div>
      )}
      <Confirm title="Disconnect the branch?" open={asks} onClose={() => setAsks(false)} yes="Disconnect" isPending={off.isPending} wrong={off.error ? sentence(off.error) : undefined} onYes={() => off.mutate()}>
        <p>The site, its spaces and the repository stay as they are. The token or the key is thrown away.</p>
      </Confirm>
    </GitConnected>
  );
}

const row = (one: git.SiteOperation): Run => ({ ...one, what: one.stage === "structure" ? "The structure" : "The structure and its spaces" });

function Log({ at, may }: { at: At; may: boolean }) {
  const asked = useQuery(git.siteOperations(at));
  return <GitLog rows={(asked.data?.items ?? []).map(row)} detail={(id, close) => <One at={at} may={may} id={id} onClose={close} />} />;
}

function One({ at, may, id, onClose }: { at: At; may: boolean; id: string; onClose: () => void }) {
  const asked = useQuery(git.siteOperation(at, id));
  const titles = new Map((useQuery(spaces(at.org)).data ?? []).map((one) => [one.id, one.title]));
  const [trying, again] = useSync(at);
  return (
    <Asked of={asked} say={sentence}>
      {(one) => (
        <GitDetail one={row(one)} log={one.log}>
          {failed(one.state) && may && <div><Button small icon={<RefreshCw />} isPending={trying} onPress={() => { again(); onClose(); }}>Try again</Button></div>}
          {one.gone.length > 0 && <p className="note">The site shows no more: {one.gone.map((gone) => gone.title).join(", ")}. These spaces are still there.</p>}
          {one.spaces.length > 0 && (
            <Table
              label="Spaces"
              rows={one.spaces}
              rowKey={(part) => part.space}
              columns={[
                { name: "Folder", cell: (part) => part.directory },
                { name: "Space", cell: (part) => <Link className="link" href={addresses.settings(at.org, part.space, "git")}>{titles.get(part.space) || "Untitled space"}</Link> },
                { name: "State", cell: (part) => <GitState state={part.state} /> },
                { name: "It says", cell: (part) => part.message ?? "" },
              ]}
            />
          )}
        </GitDetail>
      )}
    </Asked>
  );
}
