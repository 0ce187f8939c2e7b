/** What readers of a site do: how many, what they read, where they come from, what they look for and do not find. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, Download } from "lucide-react";
import { useLocation, useSearch } from "wouter";
import * as addresses from "../../api/addresses";
import { Refusal, sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { asCSV, type Asked, growth, type Name, type Range, type Report, report, type Row, rows, segments, type Span, total } from "../../api/insights";
import { Asked as Waits } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Chart, Share } from "../../parts/chart";
import { Check } from "../../parts/check";
import { csv, download } from "../../parts/download";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { Tabs } from "../../parts/tabs";
import { fail } from "../../parts/toast";
import type { At, Shown } from "./at";
import { columnsOf, REPORTS, tickOf } from "./reports";

const RANGES: { value: Range; words: string }[] = [
  { value: "last24Hours", words: "Last 24 hours" },
  { value: "last7Days", words: "Last 7 days" },
  { value: "last30Days", words: "Last 30 days" },
  { value: "last3Months", words: "Last 3 months" },
  { value: "lastYear", words: "Last year" },
];

const LONG_AGO = 2000;

/** A day as fields of dates say it, so many from today. */
function dayOf(from: number): string {
  const at = new Date();
  return new Intl.DateTimeFormat("sv").format(new Date(at.getFullYear(), at.getMonth(), at.getDate() + from));
}

/** From the beginning of a day to the end of another, where readers of the report are; none where they are no days in order. */
function spanOf(first: string, last: string): Span | undefined {
  const [from, to] = [new Date(`${first}T00:00`), new Date(`${last}T00:00`)];
  to.setDate(to.getDate() + 1);
  // While a year is typed it is one long ago.
  return from < to && from.getFullYear() >= LONG_AGO ? { from: from.toISOString(), to: to.toISOString() } : undefined;
}

export default function Insights({ at, site }: Shown) {
  const typed = new URLSearchParams(useSearch());
  const [, go] = useLocation();
  const here = addresses.site(at.org, at.site, "insights");
  const range = RANGES.find((one) => one.value === typed.get("range"))?.value ?? "last30Days";
  const [first, last] = [typed.get("from") ?? "", typed.get("to") ?? ""];
  const chosen = typed.get("range") === "days";
  const asked: Asked = { range, span: chosen ? spanOf(first, last) : undefined, compare: typed.get("compare") !== "no" };
  const to = (some: Record<string, string>) => `${here}?${new URLSearchParams({ ...Object.fromEntries(typed), ...some })}`;
  const of = REPORTS.find((one) => one.name === typed.get("of"))?.name ?? "pages";
  const whole = typed.get("of") === "segments" ? "segments" : of;
  return (
    <>
      <Head title="Insights" note={`What readers of ${site.title} do. Bots and previews do not count.`} actions={<Help chapter="running/insights" />} />
      <div className="stack">
        <div className="toolbar">
          <Select label="Time" value={chosen ? "days" : range} options={[...RANGES, { value: "days", words: "Days of your own" }]} onChange={(value) => go(to(value === "days" ? { range: value, from: first || dayOf(-6), to: last || dayOf(0) } : { range: value }))} />
          {chosen && <Field label="From" type="date" value={first} onChange={(from) => go(to({ from }), { replace: true })} />}
          {chosen && <Field label="To" type="date" value={last} onChange={(day) => go(to({ to: day }), { replace: true })} wrong={asked.span ? undefined : "The first day is before the last one."} />}
          <Check label="Compare with the time before" value={asked.compare} onChange={(is) => go(to({ compare: is ? "yes" : "no" }))} />
        </div>
        <Traffic at={at} asked={asked} />
        <Section title="What they did">
          <div className="stack">
            <Tabs label="Reports" tabs={[...REPORTS.map((one) => ({ href: to({ of: one.name }), words: one.words, here: one.name === whole })), { href: to({ of: "segments" }), words: "Segments", here: whole === "segments" }]} />
            {whole === "segments" ? <Segments at={at} /> : <One key={of} at={at} name={of} asked={asked} />}
          </div>
        </Section>
      </div>
    </>
  );
}

const OFF = 501;

function Traffic({ at, asked }: { at: At; asked: Asked }) {
  const answer = useQuery({ ...report(at.org, at.site, "traffic", asked), placeholderData: keepPreviousData });
  if (answer.error instanceof Refusal && answer.error.status === OFF)
    return <Empty icon={<ChartNoAxesColumn />} title="Insights are turned off">Whoever runs this installation turns them on with <code>OCTAVO_INSIGHTS=1</code>.</Empty>;
  return (
    <Waits of={answer} say={sentence}>
      {(found) => {
        const before = found.before ? rows(found.before) : [];
        const points = rows(found.table).map((row, index) => ({ at: new Date(String(row["datetime"])), value: Number(row["eventsCount"]), before: before[index] ? Number(before[index]["eventsCount"]) : undefined }));
        const interval = found.table.columns.find((one) => one.column === "datetime")?.interval ?? "day";
        return (
          <>
            <dl className="numbers">
              <Figure words="Views" column="eventsCount" found={found} />
              <Figure words={interval === "hour" ? "Visitors by hour" : "Visitors by day"} column="visitorsCount" found={found} />
              <Figure words="Sessions" column="sessionsCount" found={found} />
            </dl>
            <Chart label={`Views: ${total(found.table, "eventsCount")} in all; each number is in the table below.`} name="views" points={points} tick={tickOf(interval)}>
              <details>
                <summary>As a table</summary>
                <Numbers found={found} name="traffic" />
              </details>
              <CSV at={at} name="traffic" asked={asked} />
            </Chart>
          </>
        );
      }}
    </Waits>
  );
}

function Figure({ words, column, found }: { words: string; column: string; found: Report }) {
  const now = total(found.table, column);
  const more = found.before ? growth(now, total(found.before, column)) : null;
  return (
    <div>
      <dt>{words}</dt>
      <dd>
        {now.toLocaleString("en")}
        {found.before && <small>{more === null ? "Nothing before" : `${more > 0 ? "+" : ""}${more} % on the time before`}</small>}
      </dd>
    </div>
  );
}

function CSV({ at, name, asked }: { at: At; name: Name; asked: Asked }) {
  const deed = useDeed(() => asCSV(at.org, at.site, name, asked), { stale: [], failed: fail, done: (text) => download(`${name}.csv`, text, "text/csv") });
  return <Button small look="quiet" icon={<Download />} isPending={deed.isPending} onPress={() => deed.mutate()}>CSV</Button>;
}

function Numbers({ found, name }: { found: Report; name: Name }) {
  const list = rows(found.table);
  const most = Math.max(0, ...list.map((row) => Number(row["eventsCount"] ?? 0)));
  const columns = columnsOf(name, found.table.columns.map((one) => one.column));
  return (
    <Table
      label={REPORTS.find((one) => one.name === name)?.words ?? "Traffic"}
      rows={list}
      rowKey={(row) => JSON.stringify(row)}
      columns={[
        ...columns.map((one) => ({ name: one.words, number: one.number, cell: (row: Row) => one.show(row[one.column] ?? null) })),
        ...(name !== "comments" && name !== "traffic" ? [{ name: "", cell: (row: Row) => <Share value={Number(row["eventsCount"] ?? 0)} most={most} /> }] : []),
      ]}
    />
  );
}

function One({ at, name, asked }: { at: At; name: Name; asked: Asked }) {
  const answer = useQuery({ ...report(at.org, at.site, name, { ...asked, compare: false }), placeholderData: keepPreviousData });
  const about = REPORTS.find((one) => one.name === name)!;
  if (answer.error instanceof Refusal && answer.error.status === OFF) return null;
  return (
    <Waits of={answer} say={sentence}>
      {(found) =>
        rows(found.table).length === 0 ? (
          <Empty icon={<ChartNoAxesColumn />} title="Nothing in this time">{about.nothing}</Empty>
        ) : (
          <>
            <div className="row wrap"><span className="note grow">{about.note}</span><CSV at={at} name={name} asked={asked} /></div>
            <Numbers found={found} name={name} />
          </>
        )
      }
    </Waits>
  );
}

function Segments({ at }: { at: At }) {
  const answer = useQuery(segments(at.org, at.site));
  if (answer.error instanceof Refusal && answer.error.status === OFF) return null;
  return (
    <Waits of={answer} say={sentence}>
      {(found) =>
        found.items.length === 0 ? (
          <Empty icon={<ChartNoAxesColumn />} title="No segment yet">Segments are the claims of visitors that log in, such as their plan.</Empty>
        ) : (
          <>
            <div className="row"><span className="grow" /><Button small look="quiet" icon={<Download />} onPress={() => download("segments.csv", csv(["segment", "events", "visitors", "sessions"], found.items.map((one) => [one.title, one.events, one.visitors, one.sessions])), "text/csv")}>CSV</Button></div>
            <Table
              label="Segments"
              rows={found.items}
              rowKey={(one) => one.title}
              columns={[
                { name: "Segment", cell: (one) => one.title },
                { name: "Events", number: true, cell: (one) => one.events.toLocaleString("en") },
                { name: "Visitors", number: true, cell: (one) => one.visitors.toLocaleString("en") },
                { name: "Sessions", number: true, cell: (one) => one.sessions.toLocaleString("en") },
              ]}
            />
          </>
        )
      }
    </Waits>
  );
}
