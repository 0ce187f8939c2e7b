/** What differs, word by word: what went is struck, what came is marked, and both are said to those who hear it. */
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

const SAID = { added: "Added", deleted: "Removed", changed: "Changed" } as const;

export function Block({ status, kind, runs }: { status: keyof typeof SAID; kind: string; runs: Run[] }) {
  return (
    <div className={`diff-block ${status}`}>
      <div className="diff-head">
        {SAID[status]} <span>{kind}</span>
      </div>
      <Words runs={runs} />
    </div>
  );
}

/** Blocks in between that both versions have. */
export function Gap({ count }: { count: number }) {
  return <div className="diff-gap">{count === 1 ? "One block is the same" : `${count} blocks are the same`}</div>;
}
