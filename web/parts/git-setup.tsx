/** The branch that something follows, asked for in three steps: where it is, who may read and write it, what counts first and what else is followed. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./button";
import { Check, Choices } from "./check";
import { Field } from "./field";
import { Form, useDraft } from "./form";
import { Select } from "./select";

type Provider = "github" | "gitlab" | "gitea" | "bitbucket" | "generic";
/** What becomes of other branches; what is not asked for here stays as it is. */
export type Previews = { branches?: string[]; most?: number; push?: boolean; forks?: boolean; context?: string; comment?: boolean };
export type Connected = { url: string; ref: string; directory: string; first: string; hasToken: boolean; paused: boolean; username?: string; hostKey?: string; publicKey?: string; pollMinutes?: number; provider?: Provider; previews?: Previews; hasApiToken?: boolean };
export type Wanted = { url: string; ref: string; directory: string; username: string; token: string; hostKey: string; first: string; pollMinutes: string; paused: boolean; provider: string; follows: boolean; previews: Previews; branches: string; apiToken: string };
/** On which step each field stands, so that a sentence about one is read beside it. */
const FIELDS: Record<string, number> = { url: 0, ref: 0, directory: 0, username: 1, token: 1, hostKey: 1, pollMinutes: 2, first: 2, provider: 2, previews: 2, apiToken: 2 };
export const GIT_FIELDS = Object.keys(FIELDS);
const STEPS = ["The repository", "Who may read and write it", "What counts first"];

type Props = {
  found: Connected | null;
  /** "space" or "site". */
  what: string;
  mayEdit: boolean;
  isPending: boolean;
  wrong: { at: (field: string) => string | undefined; rest: string | undefined };
  onSave: (wanted: Wanted) => void;
  onCancel: () => void;
  /** Asks the repository with what was typed so far. */
  tried?: (wanted: Wanted) => ReactNode;
};

export function GitSetup({ found, what, mayEdit, isPending, wrong, onSave, onCancel, tried }: Props) {
  const [at, setAt] = useState(0);
  const form = useDraft<Wanted>({ url: found?.url ?? "", ref: short(found?.ref ?? "main"), directory: found?.directory ?? "", username: found?.username ?? "", token: "", hostKey: found?.hostKey ?? "", first: found?.first ?? "git", pollMinutes: String(found?.pollMinutes ?? (found ? 0 : 5)), paused: found?.paused ?? false, provider: found?.provider ?? "", follows: Boolean(found?.previews), previews: found?.previews ?? { push: true, comment: true, most: 10 }, branches: (found?.previews?.branches ?? ["*"]).join(", "), apiToken: "" });
  const named = GIT_FIELDS.find((one) => wrong.at(one));
  useEffect(() => {
    if (named) setAt(FIELDS[named]!);
  }, [named, isPending]);
  const panel = useRef<HTMLDivElement>(null);
  const was = useRef(0);
  useEffect(() => {
    // Who goes on by the keyboard goes on in the first field of the step.
    if (was.current !== at) panel.current?.querySelector<HTMLElement>("input:checked, input:not([type=radio]), textarea, select")?.focus();
    was.current = at;
  }, [at]);
  const last = at === STEPS.length - 1;
  const it = { ...form.value, url: form.value.url.trim(), ref: form.value.ref.trim(), directory: form.value.directory.trim() };
  return (
    <div ref={panel} className="panel form-narrow">
      <h2>{`Step ${at + 1} of ${STEPS.length}: ${STEPS[at]}`}</h2>
      <Form
        save={last ? "Save and try it" : "Go on"}
        onSubmit={() => (last ? onSave(it) : setAt(at + 1))}
        isPending={isPending}
        isDisabled={!it.url || !it.ref || !mayEdit}
        wrong={wrong.rest}
        also={(at > 0 || found) && <Button onPress={() => (at > 0 ? setAt(at - 1) : onCancel())}>{at > 0 ? "Back" : "Cancel"}</Button>}
      >
        {at === 0 && <Where it={form.value} set={form.set} wrong={wrong} what={what} />}
        {at === 1 && <Who it={form.value} set={form.set} wrong={wrong} found={found} />}
        {at === 1 && tried?.(it)}
        {last && <First it={form.value} set={form.set} wrong={wrong} what={what} found={found} />}
      </Form>
    </div>
  );
}

type Part = { it: Wanted; set: <K extends keyof Wanted>(name: K) => (to: Wanted[K]) => void; wrong: Props["wrong"] };

function Where({ it, set, wrong, what }: Part & { what: string }) {
  return (
    <>
      <Field label="Address of the repository" type="url" value={it.url} onChange={set("url")} autoFocus placeholder="https://git.example.com/team/docs.git" help="By HTTPS, or by SSH as ssh://git@host/path." wrong={wrong.at("url")} />
      <div className="pair">
        <Field label="Branch" value={it.ref} onChange={set("ref")} wrong={wrong.at("ref")} />
        <Field label="Folder" value={it.directory} onChange={set("directory")} placeholder="docs" help={what === "site" ? "Of docs.yaml; empty for the top of the repository." : "Empty for the whole repository."} wrong={wrong.at("directory")} />
      </div>
    </>
  );
}

function Who({ it, set, wrong, found }: Part & { found: Connected | null }) {
  if (it.url.startsWith("ssh://"))
    return <Field label="Key of the host" mono lines={3} value={it.hostKey} onChange={set("hostKey")} wrong={wrong.at("hostKey")} placeholder="ssh-ed25519 AAAA…" help="As ssh-keyscan prints it. Octavo makes a key of its own, which you add to the repository with the right to write." />;
  return (
    <div className="pair">
      <Field label="Name" value={it.username} onChange={set("username")} wrong={wrong.at("username")} autoComplete="off" help="Some hosts ask for one beside the token." />
      <Field label="Token" type="password" value={it.token} onChange={set("token")} wrong={wrong.at("token")} autoComplete="off" help={found?.hasToken ? "One is kept, sealed. Type another one to replace it." : "With the right to read and write the repository. It is kept sealed and shown to nobody."} />
    </div>
  );
}

function First({ it, set, wrong, what, found }: Part & { what: string; found: Connected | null }) {
  const options = what === "site"
    ? [{ value: "git", words: "The branch counts", help: "Its docs.yaml becomes the structure of this site, its folders the spaces." }, { value: "space", words: "The site counts", help: "Its structure becomes docs.yaml, its spaces the folders." }]
    : [{ value: "git", words: "The branch counts", help: "Its files become the pages of this space." }, { value: "space", words: "The space counts", help: "Its pages become the files of the branch." }];
  return (
    <>
      <Choices label="The first time" value={it.first} onChange={set("first")} wrong={wrong.at("first")} options={options} />
      <Select label="Looks for pushes" value={it.pollMinutes} onChange={set("pollMinutes")} wrong={wrong.at("pollMinutes")} options={polls(it.pollMinutes)} />
      <Check label="Pause it for now" value={it.paused} onChange={set("paused")} />
      {what === "space" && <Others it={it} set={set} wrong={wrong} found={found} />}
    </>
  );
}

const HOSTS = [["", "Not told"], ["github", "GitHub"], ["gitlab", "GitLab"], ["gitea", "Gitea or Forgejo"], ["bitbucket", "Bitbucket"], ["generic", "Another one"]].map(([value, words]) => ({ value: value!, words: words! }));

/** Other branches and pull requests of the repository. */
function Others({ it, set, wrong, found }: Part & { found: Connected | null }) {
  const some = (changed: Partial<Previews>) => set("previews")({ ...it.previews, ...changed });
  return (
    <fieldset className="choices">
      <legend>Other branches</legend>
      <Check label="Branches and pull requests become change requests" value={it.follows} onChange={set("follows")} help="Each follows its branch; merged there, it is merged here." />
      <Select label="Host" value={it.provider} onChange={set("provider")} options={HOSTS} wrong={wrong.at("provider")} help="It is asked for pull requests, and told of statuses, where it is known." />
      {it.follows && (
        <>
          <div className="pair">
            <Field label="Which branches" value={it.branches} onChange={set("branches")} wrong={wrong.at("previews")} help="Names with commas between; * and ? stand for any letters." />
            <Field label="At most" type="number" value={String(it.previews.most ?? "")} onChange={(to) => some({ most: Number(to) })} help="Further ones wait. 50 at most." />
          </div>
          <Check label="Edits here are pushed to the branch" value={it.previews.push ?? true} onChange={(push) => some({ push })} />
          <Check label="Pull requests from other repositories count too" value={it.previews.forks ?? false} onChange={(forks) => some({ forks })} />
          <Check label="A pull request gets a comment with the preview" value={it.previews.comment ?? true} onChange={(comment) => some({ comment })} />
          <Field label="Token for statuses and comments" type="password" value={it.apiToken} onChange={set("apiToken")} wrong={wrong.at("apiToken")} autoComplete="off" help={found?.hasApiToken ? "One is kept, sealed. Type another one to replace it." : "Where the token above is not for them, or with SSH."} />
        </>
      )}
    </fieldset>
  );
}

/** The usual ones, and the one that is set. */
function polls(set: string) {
  const usual = ["1", "5", "15", "60", "0"];
  return (usual.includes(set) ? usual : [set, ...usual]).map((value) => ({ value, words: every(Number(value)) }));
}

export function every(minutes: number): string {
  if (!minutes) return "Only when told";
  if (minutes === 1) return "Every minute";
  return minutes === 60 ? "Every hour" : `Every ${minutes} minutes`;
}

/** A branch as people say it. */
export const short = (ref: string): string => ref.replace(/^refs\/heads\//, "");

/** The body of a connection, as the API takes it. */
export function connectionOf(it: Wanted) {
  const ssh = it.url.startsWith("ssh://");
  const branches = it.branches.split(",").map((one) => one.trim()).filter(Boolean);
  const previews = it.follows ? { ...it.previews, branches } : undefined;
  return { provider: (it.provider || undefined) as Provider | undefined, previews, apiToken: it.apiToken || undefined, url: it.url, ref: it.ref.startsWith("refs/") ? it.ref : `refs/heads/${it.ref}`, directory: it.directory || undefined, first: it.first as "git" | "space", username: it.username || undefined, token: it.token || undefined, hostKey: ssh ? it.hostKey || undefined : undefined, pollMinutes: it.pollMinutes === "0" ? null : Number(it.pollMinutes), paused: it.paused };
}
