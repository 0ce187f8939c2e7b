/** One translation: each language with its space and its pages that are behind, the runs, and how it is made. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { spaces } from "../../api/queries";
import { wrongs } from "../../api/refused";
import * as api from "../../api/translations";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Bar } from "../../parts/bar";
import { Button, ButtonLink } from "../../parts/button";
import { Check } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { languageName } from "../../parts/languages";
import { Notice } from "../../parts/notice";
import { Head, Section } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";
import { LanguageChoice } from "./language-choice";

type Shown = { org: string; one: api.Translation; may: boolean };

export default function One({ org, id, may }: { org: string; id: string; may: boolean }) {
  const asked = useQuery(api.translation(org, id));
  const run = useDeed(() => api.run(org, id), { stale: [["translations", org]], failed: fail, done: () => toast("Every language is being brought up to date.") });
  return (
    <Manage org={org} part="translations" title={asked.data?.title ?? "Translation"}>
      <Asked of={asked} say={sentence}>
        {(one) => (
          <>
            <Head
              above={<Link className="link" href={addresses.manage(org, "translations")}>Translations</Link>}
              title={one.title}
              note={<From org={org} one={one} />}
              actions={<><Help chapter="running/translations" />{may && <Button look="primary" icon={<Play />} isPending={run.isPending} onPress={() => run.mutate()}>Translate what changed</Button>}</>}
            />
            <LanguagesOf org={org} one={one} may={may} />
            <Runs org={org} one={one} may={may} />
            <Section title="How it is made"><Settings org={org} one={one} may={may} /></Section>
            {may && <End org={org} one={one} may={may} />}
          </>
        )}
      </Asked>
    </Manage>
  );
}

function From({ org, one }: Pick<Shown, "org" | "one">) {
  const known = useQuery(spaces(org)).data ?? [];
  if (!one.source) return <>It has no source.</>;
  return <span>From <Link className="link" href={addresses.space(org, one.source.space)}>{known.find((space) => space.id === one.source?.space)?.title || "a space"}</Link>, written in {languageName(one.source.language)}</span>;
}

function LanguagesOf({ org, one }: Shown) {
  const asked = useQuery(api.languages(org, one.id));
  return (
    <Section title="Languages">
      <Asked of={asked} say={sentence}>
        {(found) => (found.length === 0 ? <p className="note">None is named yet.</p> : <div className="stack">{found.map((it) => <LanguageOf key={it.id} org={org} one={one} it={it} />)}</div>)}
      </Asked>
    </Section>
  );
}

function LanguageOf({ org, one, it }: Pick<Shown, "org" | "one"> & { it: { language: string; result?: { space: string }; stats: { totalPages: number; totalWords: number } } }) {
  const [shows, setShows] = useState(false);
  const asked = useQuery(api.pages(org, one.id, it.language));
  const all = asked.data ?? [];
  const count = (state: api.Page["state"]) => all.filter((page) => page.state === state).length;
  const conflicts = all.filter((page) => page.conflict).length;
  const name = languageName(it.language);
  return (
    <div className="panel">
      <div className="row wrap">
        <span className="grow strong">{name}</span>
        {asked.data && (count("stale") + count("missing") + conflicts === 0 ? <Badge tone="success">Up to date</Badge> : null)}
        {count("missing") > 0 && <Badge tone="neutral">{`${count("missing")} not translated`}</Badge>}
        {count("stale") > 0 && <Badge tone="warning">{`${count("stale")} behind`}</Badge>}
        {conflicts > 0 && <Badge tone="danger">{conflicts === 1 ? "1 conflict" : `${conflicts} conflicts`}</Badge>}
      </div>
      <div className="row wrap">
        {it.result && <ButtonLink small href={addresses.space(org, it.result.space)}>Read it</ButtonLink>}
        <Button small aria-expanded={shows} onPress={() => setShows(!shows)}>{shows ? "Hide pages" : `Pages in ${name}`}</Button>
      </div>
      {shows && <Asked of={asked} say={sentence}>{(found) => <Pages org={org} found={found} name={name} space={it.result?.space} />}</Asked>}
    </div>
  );
}

const STANDS: Record<api.Page["state"], { words: string; tone: Tone }> = {
  current: { words: "Up to date", tone: "success" },
  stale: { words: "Behind", tone: "warning" },
  missing: { words: "Not translated", tone: "neutral" },
};
const ORDER = ["missing", "stale", "current"];

/** What asks for somebody comes first. */
function Pages({ org, found, name, space }: { org: string; found: api.Page[]; name: string; space?: string }) {
  const rows = [...found].sort((a, b) => Number(b.conflict) - Number(a.conflict) || ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  if (rows.length === 0) return <p className="note">The source has no pages.</p>;
  return (
    <Table
      label={`Pages in ${name}`}
      rows={rows}
      rowKey={(page) => page.id}
      columns={[
        { name: "Page", cell: (page) => (space && page.translatedTitle ? <Link className="link" href={addresses.page({ org, space }, page.path || page.id)}>{page.translatedTitle}</Link> : page.title) },
        { name: "Original", cell: (page) => page.title },
        { name: "State", cell: (page) => <span className="row wrap"><Badge tone={STANDS[page.state].tone}>{STANDS[page.state].words}</Badge>{page.conflict && <Badge tone="danger">Both sides changed it</Badge>}{page.edited && <Badge>Edited by hand</Badge>}</span> },
      ]}
    />
  );
}

const STATES: Record<api.Run["status"], { words: string; tone: Tone }> = {
  pending: { words: "Waits", tone: "info" },
  running: { words: "Runs", tone: "info" },
  completed: { words: "Done", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  cancelled: { words: "Cancelled", tone: "neutral" },
};

function Runs({ org, one, may }: Shown) {
  const asked = useQuery(api.runs(org, one.id));
  const [shown, setShown] = useState<api.Run | null>(null);
  const cancel = useDeed((id: string) => api.cancel(org, one.id, id), { stale: [["translations", org]], failed: fail, done: () => toast("Cancelled. What it has translated is remembered.") });
  const items = asked.data?.items ?? [];
  const busy = items.some((run) => !api.over(run));
  const queries = useQueryClient();
  useEffect(() => {
    // What a run has made is there when it is over: spaces, and pages that are not behind any more.
    if (!busy) void queries.invalidateQueries({ queryKey: ["translations", org, one.id], predicate: ({ queryKey }) => queryKey.length > 3 && queryKey[3] !== "runs" });
  }, [busy, queries, org, one.id]);
  return (
    <Section title="Runs">
      {items.length === 0 ? <p className="note">Nothing was translated yet. The first run makes a space for each language.</p> : (
        <Table
          label="Runs"
          rows={items}
          rowKey={(run) => run.id}
          columns={[
            { name: "When", cell: (run) => <Ago at={run.createdAt} /> },
            { name: "Language", cell: (run) => languageName(run.language) },
            { name: "State", cell: (run) => (run.status === "running" ? <Bar label={`Pages in ${languageName(run.language)}`} {...run.pages} /> : <Badge tone={STATES[run.status].tone}>{STATES[run.status].words}</Badge>) },
            { name: "Asked, remembered", number: true, cell: (run) => `${run.blocks.asked}, ${run.blocks.remembered}` },
            { name: "Problems", number: true, cell: (run) => run.problems.length || "" },
            { name: "", cell: (run) => (api.over(run) ? <Button small look="quiet" aria-label={`Report of the run into ${languageName(run.language)}`} onPress={() => setShown(run)}>Report</Button> : may && <Button small isPending={cancel.isPending} aria-label={`Cancel the run into ${languageName(run.language)}`} onPress={() => cancel.mutate(run.id)}>Cancel</Button>) },
          ]}
        />
      )}
      {shown && <Dialog title={`Run into ${languageName(shown.language)}`} open wide onClose={() => setShown(null)}><Report org={org} one={one} run={shown} /></Dialog>}
    </Section>
  );
}

function Report({ org, one, run }: Pick<Shown, "org" | "one"> & { run: api.Run }) {
  const space = useQuery(api.languages(org, one.id)).data?.find((it) => it.language === run.language)?.result?.space;
  return (
    <div className="stack">
      <div className="row wrap"><Badge tone={STATES[run.status].tone}>{STATES[run.status].words}</Badge><span className="grow">{run.pages.total} pages, {run.words} words{run.automatic && ", by itself"}</span></div>
      {run.message && <Notice tone={run.status === "failed" ? "danger" : "info"}>{run.message}</Notice>}
      <p className="note">{run.blocks.asked} blocks were asked for, {run.blocks.remembered} were remembered, {run.blocks.kept} stay as they are.</p>
      {run.problems.length === 0 ? <p className="note">Nothing is left in the language of the source.</p> : (
        <Table
          label="Problems"
          rows={run.problems}
          rowKey={(problem) => `${problem.page} ${problem.text} ${problem.reason}`}
          columns={[
            { name: "Page", cell: (problem) => (problem.page && space ? <Link className="link" href={addresses.page({ org, space }, problem.page)}>{problem.title || "A page"}</Link> : (problem.title ?? "")) },
            { name: "What", cell: (problem) => problem.reason },
            { name: "Text", cell: (problem) => problem.text ?? "" },
          ]}
        />
      )}
    </div>
  );
}

function Settings({ org, one, may }: Shown) {
  const form = useDraft({ title: one.title, languages: one.languages as string[], automatic: one.automatic, instructions: api.wordsOf(one.instructions) });
  const { value: it, set } = form;
  const deed = useDeed(
    () => api.put(org, one.id, { title: it.title.trim(), languages: it.languages as api.Language[], source: one.source, automatic: it.automatic, instructions: it.instructions }),
    {
      stale: [["translations", org]],
      done: () => {
        form.forget();
        toast("Saved.");
      },
    },
  );
  const wrong = wrongs(deed.error, ["title", "languages", "instructions", "automatic"]);
  const gone = one.languages.filter((code) => !it.languages.includes(code));
  return (
    <div className="panel form-narrow">
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !may} wrong={wrong.rest}>
        <Field label="Title" value={it.title} onChange={set("title")} wrong={wrong.at("title")} />
        <LanguageChoice value={it.languages} not={one.source?.language ?? ""} onChange={set("languages")} wrong={wrong.at("languages")} />
        {gone.length > 0 && <Notice tone="warning">{`${gone.map(languageName).join(", ")} will not be followed any more. The spaces stay.`}</Notice>}
        <Field label="What the translator is told" lines={4} value={it.instructions} onChange={set("instructions")} wrong={wrong.at("instructions")} placeholder="Address readers informally." help="About tone and words, for every language." />
        <Check label="Follow the source by itself" help="A run begins half a minute after a change." value={it.automatic} onChange={set("automatic")} />
      </Form>
    </div>
  );
}

function End({ org, one }: Shown) {
  const [asks, setAsks] = useState(false);
  const [, go] = useLocation();
  const deed = useDeed(() => api.remove(org, one.id), {
    stale: [["translations", org]],
    done: () => {
      go(addresses.manage(org, "translations"));
      toast(`${one.title} is not translated any more.`);
    },
  });
  return (
    <Section title="Delete the translation">
      <div className="panel danger form-narrow">
        <p className="note">The translated spaces stay as they are; nothing follows the source any more.</p>
        <div><Button look="danger" onPress={() => setAsks(true)}>Delete the translation</Button></div>
      </div>
      <Confirm title={`Delete ${one.title}?`} open={asks} onClose={() => setAsks(false)} yes="Delete" word={one.title} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
        <p>Its runs go, and what is known of which block was translated from which. {one.languages.length === 1 ? "The space" : "The spaces"} in {one.languages.map(languageName).join(", ") || "no language"} stay.</p>
      </Confirm>
    </Section>
  );
}
