/** The branch that a whole site follows: its docs.yaml and a folder for each space. */
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { ofSite, useFollowing } from "../../api/following";
import * as git from "../../api/plumbing";
import { spaces } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { GitConnected } from "../../parts/git-connected";
import { connectionOf, GIT_FIELDS, GitSetup } from "../../parts/git-setup";
import { failed, GitDetail, GitLog, GitState, type Run } from "../../parts/git-log";
import { Help } from "../../parts/help";
import { Notice } from "../../parts/notice";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import type { At, Shown } from "./at";

const SAID = {
  saved: (tried: boolean) => toast(tried ? "Saved. It is tried now; the log says how it went." : "Saved. Add the key to the repository, then synchronize."),
  syncing: () => toast("The site and the branch are being brought together."),
  failed: fail,
};

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
  const { sync } = useFollowing(ofSite(at), SAID);
  return [sync.isPending, (keep) => sync.mutate(keep)];
}

function Setup({ at, found, may, onDone }: { at: At; found: git.Connection | null; may: boolean; onDone: () => void }) {
  const { save } = useFollowing(ofSite(at), SAID);
  return <GitSetup found={found} what="site" mayEdit={may} isPending={save.isPending} wrong={wrongs(save.error, GIT_FIELDS)} onSave={(it) => save.mutate({ body: connectionOf(it), key: found?.publicKey }, { onSuccess: onDone })} onCancel={onDone} />;
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
  const { hook, unhook, off } = useFollowing(ofSite(at), SAID);
  return (
    <GitConnected found={found} may={may} told={hook.data} isPending={hook.isPending || unhook.isPending || off.isPending} onHook={() => hook.mutate()} onUnhook={() => unhook.mutate()} onChange={onChange} onOff={() => off.mutate()} wrong={off.error ? sentence(off.error) : undefined}>
      <p>The site, its spaces and the repository stay as they are. The token or the key is thrown away.</p>
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
