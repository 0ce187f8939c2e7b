/** What was done with a branch: a table of operations, and each one's log with what can be done about it. */
import { type ReactNode, useState } from "react";
import { Ago } from "./ago";
import { Badge, type Tone } from "./badge";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Notice } from "./notice";
import { Section } from "./shell";
import { Table } from "./table";

export type State = "failure" | "ignored" | "queued" | "running" | "success" | "timeout";
export type Run = { id: string; state: State; what: string; createdAt: string; attempts: number; message?: string; oid?: string; retryAt?: string };
export type Step = { at: string; message: string };

const STATES: Record<State, { words: string; tone: Tone }> = {
  queued: { words: "Waits", tone: "info" },
  running: { words: "Runs", tone: "info" },
  success: { words: "Done", tone: "success" },
  ignored: { words: "Nothing to do", tone: "neutral" },
  failure: { words: "Failed", tone: "danger" },
  timeout: { words: "Took too long", tone: "danger" },
};

export const failed = (state: State): boolean => state === "failure" || state === "timeout";

export function GitState({ state }: { state: State }) {
  return <Badge tone={STATES[state].tone}>{STATES[state].words}</Badge>;
}

/** `detail` draws what is known of one operation, by its id. */
export function GitLog({ rows, detail }: { rows: Run[]; detail: (id: string, close: () => void) => ReactNode }) {
  const [shown, setShown] = useState<string | null>(null);
  if (rows.length === 0) return null;
  return (
    <Section title="What it did">
      <Table
        label="Operations"
        rows={rows}
        rowKey={(one) => one.id}
        columns={[
          { name: "When", cell: (one) => <Ago at={one.createdAt} /> },
          { name: "What", cell: (one) => one.what },
          { name: "State", cell: (one) => <GitState state={one.state} /> },
          { name: "It says", cell: (one) => <span className="break">{one.message ?? (one.oid ? one.oid.slice(0, 10) : "")}</span> },
          { name: "", cell: (one) => <Button small look="quiet" aria-label={`Log of ${one.what}`} onPress={() => setShown(one.id)}>Log</Button> },
        ]}
      />
      {shown && <Dialog title="Log" open wide onClose={() => setShown(null)}>{detail(shown, () => setShown(null))}</Dialog>}
    </Section>
  );
}

export function GitDetail({ one, log, children }: { one: Run; log?: Step[]; children?: ReactNode }) {
  return (
    <div className="stack">
      <div className="row wrap"><GitState state={one.state} /><span className="grow">{one.what}, {one.attempts === 1 ? "one try" : `${one.attempts} tries`}</span></div>
      {one.message && (failed(one.state) ? <Notice tone="danger">{one.message}</Notice> : <p>{one.message}</p>)}
      {one.retryAt && <p className="note">It is tried again <Ago at={one.retryAt} />.</p>}
      {children}
      {log && log.length > 0 && <Table label="Steps" rows={log} rowKey={(step) => `${step.at} ${step.message}`} columns={[{ name: "When", cell: (step) => new Date(step.at).toLocaleTimeString("en") }, { name: "What", cell: (step) => step.message }]} />}
    </div>
  );
}
