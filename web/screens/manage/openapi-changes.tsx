/** What changed between two versions of a specification. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { changes, type Kind } from "../../api/apichange";
import { sentence } from "../../api/client";
import { versionText } from "../../api/plumbing";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Dialog } from "../../parts/dialog";
import { Notice } from "../../parts/notice";
import { Table } from "../../parts/table";

const KINDS: Record<Kind, { words: string; tone: Tone }> = { added: { words: "New", tone: "success" }, changed: { words: "Another", tone: "info" }, removed: { words: "Gone", tone: "danger" } };

export function Changes({ org, slug, from, to, onClose }: { org: string; slug: string; from: string; to: string; onClose: () => void }) {
  const before = useQuery(versionText(org, slug, from));
  const after = useQuery(versionText(org, slug, to));
  const [one, two] = [before.data?.filesystem[0]?.specification, after.data?.filesystem[0]?.specification];
  const found = useMemo(() => (one && two ? changes(one, two) : undefined), [one, two]);
  return (
    <Dialog title={`What changed in ${slug}`} open wide onClose={onClose}>
      <Asked of={{ data: found, error: before.error ?? after.error, refetch: () => [before.refetch(), after.refetch()] }} say={sentence}>
        {(rows) =>
          rows.length === 0 ? <p className="note">No operation changed; other words did.</p> : (
            <div className="stack">
              {rows.some((row) => row.breaks) && <Notice tone="warning">Something is gone or asks for more: programs that call it may break.</Notice>}
              <Table
                label="Operations"
                rows={rows}
                rowKey={(row) => row.what}
                columns={[
                  { name: "Operation", cell: (row) => <code className="break">{row.what}</code> },
                  { name: "It is", cell: (row) => <span className="row wrap"><Badge tone={KINDS[row.kind].tone}>{KINDS[row.kind].words}</Badge>{row.breaks && row.kind === "changed" && <Badge tone="warning">May break</Badge>}</span> },
                  { name: "In", cell: (row) => row.in.join(", ") },
                ]}
              />
            </div>
          )
        }
      </Asked>
    </Dialog>
  );
}
