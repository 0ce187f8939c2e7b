/** Bringing what there is already: a file or a website into a change request of a new space, or a Git repository into it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { bring, type From, goesOn, importRun, importRuns, type Kind, kindsOf, type Run, stop, undo } from "../../api/importing";
import { held } from "../../api/plumbing";
import { wrongs } from "../../api/refused";
import { sentence } from "../../api/client";
import { spaces } from "../../api/queries";
import { Ago } from "../../parts/ago";
import { Badge, type Tone } from "../../parts/badge";
import { Bar } from "../../parts/bar";
import { Button, ButtonLink } from "../../parts/button";
import { Choices } from "../../parts/check";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { toast } from "../../parts/toast";
import { Waiting } from "../../parts/waiting";

type Source = "file" | "git" | "website";
type Props = { org: string; parent?: string; onClose: () => void };

const KINDS: Partial<Record<Kind, string>> = {
  repository: "A folder of Markdown, or a repository, as Octavo exports it",
  zip: "Pages of Markdown, HTML or Word in folders",
  notion: "An export of Notion, as Markdown or HTML",
  confluence: "An export of a Confluence space, as HTML",
};
/** What an address may be of. */
const ADDRESSES: { value: Kind; words: string }[] = [
  { value: "website", words: "A documentation: the pages below it, at most 50" },
  { value: "html", words: "One page" },
  { value: "markdown", words: "One file of Markdown" },
  { value: "google-docs", words: "A Google document that everyone with the link may read" },
  { value: "github-wiki", words: "A wiki of GitHub" },
];

export default function Import({ org, parent, open, onClose }: Props & { open: boolean }) {
  /** The run that is looked at; `made` is the space that was made for it in this window. */
  const [looking, setLooking] = useState<{ run: string; made?: string } | null>(null);
  const [refused, setRefused] = useState<string>();
  /** The space that was made for a run of which nothing came. */
  const [unneeded, setUnneeded] = useState<{ space: string; stopped: boolean }>();
  const queries = useQueryClient();
  const run = useQuery({ ...importRun(org, looking?.run ?? ""), enabled: looking !== null }).data;
  const status = looking && run?.id === looking.run ? run.status : undefined;
  useEffect(() => {
    if (status === "completed") void queries.invalidateQueries();
    if ((status === "failed" || status === "cancelled") && looking?.made) {
      setRefused(run?.reason);
      setUnneeded({ space: looking.made, stopped: status === "cancelled" });
      setLooking(null);
    }
  }, [status]);
  // With the space its run is gone: the space goes when this window, drawn without the run, asks for it no more.
  useEffect(() => {
    if (!unneeded) return;
    const said = () => unneeded.stopped && toast("The import was stopped. Nothing of it was written.");
    void undo(unneeded.space).then(said).finally(() => queries.invalidateQueries());
  }, [unneeded]);
  return (
    <Dialog title={!looking ? "Import what you have" : status === "completed" ? "What came of it" : "Import"} open={open} onClose={onClose} wide>
      {looking && <Held>{run && status ? <Looking org={org} run={run} onBack={() => setLooking(null)} onClose={onClose} /> : <Waiting />}</Held>}
      <div hidden={looking !== null}>
        <Asking org={org} parent={parent} refused={refused} onClose={onClose} onBegun={(run, made) => { setRefused(undefined); setLooking({ run, made }); }} />
        <Lately org={org} onLook={(run) => { setRefused(undefined); setLooking({ run }); }} />
      </div>
    </Dialog>
  );
}

/** Takes the focus, which was on a button that is hidden now: Escape still closes the window, and Tab goes on in it. */
function Held({ children }: { children: ReactNode }) {
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => here.current?.focus(), []);
  return <div ref={here} tabIndex={-1} style={{ outline: "none" }}>{children}</div>;
}

function Asking({ org, parent, refused, onClose, onBegun }: Props & { refused?: string; onBegun: (run: string, made: string) => void }) {
  const [from, setFrom] = useState<Source>("file");
  const [title, setTitle] = useState("");
  const [url, setUrl] = useState("https://");
  const [branch, setBranch] = useState("main");
  const [file, setFile] = useState<File>();
  const [zip, setZip] = useState<Kind>("repository");
  const [site, setSite] = useState<Kind>("website");
  const [step, setStep] = useState("");
  const queries = useQueryClient();
  const [, go] = useLocation();
  const kinds = file ? kindsOf(file) : [];
  const kind = kinds.length > 1 ? zip : kinds[0];
  const name = title.trim() || file?.name.replace(/\.[^.]+$/, "") || url.replace(/\/+$/, "").split("/").at(-1)?.replace(/\.git$/, "") || "Documentation";
  const run = useMutation({
    mutationFn: () => {
      const what: From = from === "file" ? { file: file!, kind: kind! } : from === "git" ? { git: url.trim(), branch: branch.trim() } : { url: url.trim(), kind: site };
      return bring(org, name, parent, what, setStep);
    },
    onSuccess: async (begun) => {
      await queries.invalidateQueries();
      if (begun.run) onBegun(begun.run, begun.space);
      else {
        onClose();
        go(addresses.settings(org, begun.space, "git"));
      }
    },
    onSettled: () => setStep(""),
  });
  const ready = from === "file" ? Boolean(kind) : /^https?:\/\/\S+\.\S+/.test(url.trim()) && (from !== "git" || branch.trim() !== "");
  const wrong = wrongs(run.error, ["url", "ref", "title", "key"]);
  return (
    <Form save={step || "Import"} onSubmit={() => run.mutate()} isPending={run.isPending} isDisabled={!ready} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
      <Choices
        label="Where it is"
        value={from}
        onChange={(to) => setFrom(to as Source)}
        options={[
          { value: "file", words: "In a file", help: "A zip of pages, an export of Notion or Confluence, a Word document, a page of HTML or Markdown" },
          { value: "git", words: "In a Git repository", help: "Its pages, their order and files, again whenever you ask" },
          { value: "website", words: "On the web", help: "Another documentation, a document or a wiki, by its address" },
        ]}
      />
      {from === "file" ? <Given file={file} kinds={kinds} onFile={setFile} wrong={wrong.at("key") ?? refused} /> : <Field label="Address" value={url} onChange={setUrl} wrong={wrong.at("url") ?? refused} />}
      {from === "file" && kinds.length > 1 && <Select label="It holds" value={zip} onChange={(to) => setZip(to as Kind)} options={kinds.map((value) => ({ value, words: KINDS[value] ?? value }))} />}
      {from === "website" && <Select label="It is" value={site} onChange={(to) => setSite(to as Kind)} options={ADDRESSES} />}
      {from === "git" && <Field label="Branch" value={branch} onChange={setBranch} wrong={wrong.at("ref")} help="A repository that is not public is connected in the settings of the space." />}
      <Field label="Title of the space" value={title} onChange={setTitle} placeholder={name} wrong={wrong.at("title")} />
      {run.isPending && <p className="note" role="status">{step}</p>}
    </Form>
  );
}

function Given({ file, kinds, onFile, wrong }: { file?: File; kinds: Kind[]; onFile: (file?: File) => void; wrong?: string }) {
  const input = useRef<HTMLInputElement>(null);
  const none = file && kinds.length === 0;
  return (
    <div className="row wrap">
      <input ref={input} type="file" hidden accept=".zip,.docx,.html,.htm,.md,.markdown" aria-label="File to import" onChange={(event) => onFile(event.target.files?.[0])} />
      <Button onPress={() => input.current?.click()}>Choose a file</Button>
      <span className={none || wrong ? "wrong" : "note"}>{wrong ?? (file ? (none ? `${file.name} is none of these kinds: zip, docx, html, md.` : file.name) : "No file is chosen yet.")}</span>
    </div>
  );
}

/** How many pages a report lists; the others are seen in the space. */
const LISTED = 20;

const STEPS: Record<string, string> = { fetching: "Fetching what is there", reading: "Reading what came", writing: "Writing the pages" };
const STATES: Record<Run["status"], { tone: Tone; words: string }> = {
  pending: { tone: "neutral", words: "Waits" },
  "in-progress": { tone: "info", words: "Goes on" },
  completed: { tone: "success", words: "Done" },
  failed: { tone: "danger", words: "Failed" },
  cancelled: { tone: "neutral", words: "Cancelled" },
};

function Looking({ org, run, onBack, onClose }: { org: string; run: Run; onBack: () => void; onClose: () => void }) {
  const queries = useQueryClient();
  const ending = useMutation({ mutationFn: () => stop(org, run.id), onSettled: () => queries.invalidateQueries({ queryKey: ["imports", org] }) });
  if (run.status === "completed") return <Came org={org} run={run} />;
  if (!goesOn(run))
    return (
      <div className="stack">
        <Notice tone={run.status === "failed" ? "danger" : "info"}>{run.reason ?? "The import was cancelled. Nothing of it was written."}</Notice>
        <div className="form-end"><Button onPress={onBack}>Import something else</Button></div>
      </div>
    );
  return (
    <div className="stack">
      <p role="status">{run.status === "pending" ? "Waits for its turn" : (STEPS[run.progress.step ?? ""] ?? "Begins")}</p>
      <Bar label="Pages and files" done={run.progress.done} total={run.progress.total} />
      <p className="note">You may close this window: the import goes on, and Import shows it again.</p>
      {ending.error && <Notice tone="danger">{sentence(ending.error)}</Notice>}
      <div className="form-end">
        <Button onPress={() => ending.mutate()} isPending={ending.isPending}>Stop the import</Button>
        <Button look="primary" onPress={onClose}>Close</Button>
      </div>
    </div>
  );
}

/** Imports of before: those that go on, and what became of the others. */
function Lately({ org, onLook }: { org: string; onLook: (run: string) => void }) {
  const runs = useQuery(importRuns(org)).data?.items ?? [];
  const titles = new Map((useQuery(spaces(org)).data ?? []).map((one) => [one.id, one.title]));
  if (runs.length === 0) return null;
  return (
    <Table
      label="Imports of late"
      rows={runs}
      rowKey={(one) => one.id}
      columns={[
        { name: "Into", cell: (one) => titles.get(one.target.space) ?? "A space" },
        { name: "State", cell: (one) => <Badge tone={STATES[one.status].tone}>{STATES[one.status].words}</Badge> },
        { name: "When", cell: (one) => <Ago at={one.createdAt} /> },
        { name: "", cell: (one) => <Button onPress={() => onLook(one.id)}>{goesOn(one) ? "Follow" : "Report"}</Button> },
      ]}
    />
  );
}

function Came({ org, run }: { org: string; run: Run }) {
  const { space, changeRequest } = run.target;
  const asked = useQuery({ ...held(space, changeRequest ?? ""), enabled: changeRequest !== undefined });
  const request = asked.data?.number;
  const at = { org, space, request };
  const pages = run.pages ?? [];
  const warnings = run.warnings ?? [];
  const titles = new Map(pages.map((one) => [one.id, one.title]));
  const { done, total } = run.progress;
  if (changeRequest !== undefined && request === undefined) return <Waiting />;
  return (
    <div className="stack">
      <Notice tone={total > done || warnings.length > 0 ? "warning" : "success"}>
        {total > done ? `${done} of ${total} pages and files were taken over.` : `${done} pages and files were taken over.`}
        {request !== undefined && " They wait in a change request: look them over, then merge."}
      </Notice>
      {warnings.length > 0 && (
        <Table
          label="What to look at"
          rows={warnings}
          rowKey={(one) => `${one.page} ${one.message}`}
          columns={[
            { name: "Page", cell: (one) => (one.page ? <Link className="link" href={addresses.page(at, one.page)}>{titles.get(one.page) || "A page"}</Link> : "") },
            { name: "What", cell: (one) => one.message },
          ]}
        />
      )}
      <ul className="bullets">
        {pages.slice(0, LISTED).map((one) => <li key={one.id}><Link className="link" href={addresses.page(at, one.id)}>{one.title || "Untitled"}</Link></li>)}
      </ul>
      {pages.length > LISTED && <p className="note">And {pages.length - LISTED} more.</p>}
      <div className="form-end"><ButtonLink look="primary" href={request === undefined ? addresses.space(org, space) : `${addresses.request(org, space, request)}/~/changes`}>{request === undefined ? "Read it" : "Look it over"}</ButtonLink></div>
    </div>
  );
}
