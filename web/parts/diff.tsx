/** What differs, word by word: what went is struck, what came is marked, and both are said to those who hear it. */
import type { ReactNode } from "react";
import "./diff.css";

export type Run = { status: "equal" | "added" | "deleted"; text: string };

export function Words({ runs }: { runs: Run[] }) {
  return (
    <p className="diff-words">
      {runs.map((run, at) =>
        run.status === "added" ? <ins key={at}>{run.text}</ins> : run.status === "deleted" ? <del key={at}>{run.text}</del> : <span key={at}>{run.text}</span>,
      )}
    </p>
  );
}

const SAID = { added: "Added", deleted: "Removed", changed: "Changed", conflict: "In conflict" } as const;

type Props = { status: keyof typeof SAID; kind: string; actions?: ReactNode; children: ReactNode };

/** A block that differs: what became of it, what it is, and what can be done about that. */
export function Block({ status, kind, actions, children }: Props) {
  return (
    <div className={`diff-block ${status}`}>
      <div className="diff-head">
        <span className="grow">
          {SAID[status]} <span>{kind}</span>
        </span>
        {actions}
      </div>
      {children}
    </div>
  );
}

/** Lines of a source, as they were and as they are. */
export function Lines({ runs }: { runs: { status: Run["status"]; lines: string[] }[] }) {
  return (
    <pre className="diff-lines" tabIndex={0} aria-label="Source, line by line">
      {runs.map((run, at) =>
        run.status === "equal" ? (
          <span key={at} className="diff-line">{around(run.lines, at === 0, at === runs.length - 1)}</span>
        ) : run.status === "added" ? (
          <ins key={at}>{run.lines.map((line) => `+ ${line}\n`).join("")}</ins>
        ) : (
          <del key={at}>{run.lines.map((line) => `- ${line}\n`).join("")}</del>
        ),
      )}
    </pre>
  );
}

const NEAR = 3;

/** Of lines that are the same those that stand beside a difference. */
function around(lines: string[], first: boolean, last: boolean): string {
  const shown = (some: string[]) => some.map((line) => `  ${line}\n`).join("");
  const begin = first ? 0 : NEAR;
  const end = last ? 0 : NEAR;
  if (lines.length <= begin + end + 1) return shown(lines);
  return `${shown(lines.slice(0, begin))}  ⋯\n${shown(end ? lines.slice(-end) : [])}`;
}

/** Blocks in between that both versions have. */
export function Gap({ count }: { count: number }) {
  return <div className="diff-gap">{count === 1 ? "One block is the same" : `${count} blocks are the same`}</div>;
}
