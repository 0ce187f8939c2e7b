/** Jobs of the installation: what waits, runs and failed, and a failed one begun anew. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { ListChecks, RotateCcw } from "lucide-react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { type JobState, jobs, retry } from "../../api/installation";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Select } from "../../parts/select";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";

const STATES: Record<JobState, { tone: Tone; words: string }> = {
  waiting: { tone: "info", words: "Waits" },
  running: { tone: "info", words: "Runs" },
  failed: { tone: "danger", words: "Failed" },
  done: { tone: "success", words: "Done" },
};

export function Jobs() {
  const { value: it, set } = useDraft({ state: "failed", kind: "" });
  const asked = useInfiniteQuery(jobs((it.state || undefined) as JobState | undefined, it.kind.trim()));
  const again = useDeed(retry, { stale: [["installation-jobs"], ["installation"]], failed: fail, done: () => toast("It waits for a worker again.") });
  return (
    <>
      <Head title="Jobs" note="What is done outside of requests, the newest first." actions={<Help chapter="running/installation" />} />
      <div className="stack">
        <div className="toolbar">
          <Select label="State" value={it.state} onChange={set("state")} options={[...(Object.keys(STATES) as JobState[]).map((one) => ({ value: one as string, words: STATES[one].words })), { value: "", words: "Everything that is not done" }]} />
          <Field label="Kind" value={it.kind} onChange={set("kind")} placeholder="Every kind" />
        </div>
        <Asked of={asked} say={sentence}>
          {(found) => {
            const rows = found.pages.flatMap((one) => one.items);
            return rows.length === 0 ? (
              <Empty icon={<ListChecks />} title={it.state === "failed" ? "No job has failed" : "No such job"} />
            ) : (
              <>
                <Table
                  label="Jobs"
                  rows={rows}
                  rowKey={(one) => one.id}
                  columns={[
                    { name: "Kind", cell: (one) => <><span className="strong">{one.kind}</span>{one.error && <><br /><span className="note">{one.error}</span></>}</> },
                    { name: "State", cell: (one) => <Badge tone={STATES[one.state].tone}>{STATES[one.state].words}</Badge> },
                    { name: "Tries", number: true, cell: (one) => one.attempts },
                    { name: "When", cell: (one) => <Ago at={one.finishedAt ?? (one.state === "waiting" ? one.dueAt : one.createdAt)} /> },
                    { name: "", cell: (one) => one.canRetry && <Button small icon={<RotateCcw />} aria-label={`Begin anew: ${one.kind}`} onPress={() => again.mutate(one.id)}>Try again</Button> },
                  ]}
                />
                {asked.hasNextPage && <div className="more"><Button isPending={asked.isFetchingNextPage} onPress={() => void asked.fetchNextPage()}>Older</Button></div>}
              </>
            );
          }}
        </Asked>
      </div>
    </>
  );
}
