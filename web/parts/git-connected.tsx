/** The branch that is followed, and what can be done about it: change it, hear of pushes, follow it no more. */
import { type ReactNode, useState } from "react";
import { Badge } from "./badge";
import { Button } from "./button";
import { Confirm } from "./confirm";
import { Copied } from "./copied";
import { type Connected, every, short } from "./git-setup";

type Props = {
  found: Connected & { takesPushes?: boolean };
  may: boolean;
  /** Where the host tells of pushes, once it was asked for. */
  told?: { url: string; secret: string };
  isPending: boolean;
  onHook: () => void;
  onUnhook: () => void;
  onChange: () => void;
  onOff: () => void;
  wrong?: string;
  /** What becomes of everything when it is followed no more. */
  children: ReactNode;
};

export function GitConnected({ found, may, told, isPending, onHook, onUnhook, onChange, onOff, wrong, children }: Props) {
  const [asks, setAsks] = useState(false);
  return (
    <div className="panel">
      <div className="row wrap"><h2 className="grow break">{found.url}</h2>{found.paused ? <Badge tone="warning">Paused</Badge> : <Badge tone="success">Followed</Badge>}</div>
      <p className="note">Branch {short(found.ref)}{found.directory && `, folder ${found.directory}`} · {found.pollMinutes ? `looks for pushes ${every(found.pollMinutes).toLowerCase()}` : "looked at when told"} · {found.hasToken ? "with a token" : found.publicKey ? "with a key" : "without a token"}{found.previews && ` · branches ${(found.previews.branches ?? ["*"]).join(", ")} become change requests`}</p>
      {found.publicKey && <Copied label="Key to add to the repository, with the right to write" value={found.publicKey} />}
      {told && <><Copied label="Where the host tells of pushes" value={told.url} /><Copied secret label="With the secret" value={told.secret} /></>}
      {may && (
        <div className="row wrap">
          <Button onPress={onChange}>Change</Button>
          {found.takesPushes ? <Button isPending={isPending} onPress={onUnhook}>Take no pushes</Button> : <Button isPending={isPending} onPress={onHook}>Let the host tell of pushes</Button>}
          <Button onPress={() => setAsks(true)}>Disconnect</Button>
        </div>
      )}
      <Confirm title={`Disconnect the branch ${short(found.ref)}?`} open={asks} onClose={() => setAsks(false)} yes="Disconnect" isPending={isPending} wrong={wrong} onYes={onOff}>{children}</Confirm>
    </div>
  );
}
