/** Spaces that were deleted, for the week in which they come back. */
import { useQuery } from "@tanstack/react-query";
import { Trash2, Undo2 } from "lucide-react";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { restoreSpace, trash } from "../../api/plumbing";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { useLocation } from "wouter";
import { Manage } from "./side";

export default function Trash({ org }: { org: string }) {
  const asked = useQuery(trash(org));
  const [, go] = useLocation();
  const back = useDeed((id: string) => restoreSpace(id), {
    stale: [["trash", org], ["spaces", org]],
    failed: fail,
    done: (one) => {
      toast(`${one.title || "The space"} is back.`);
      go(addresses.space(org, one.id));
    },
  });
  return (
    <Manage org={org} part="trash" title="Trash">
      <Head title="Trash" note="What was deleted comes back for a week, as it was." actions={<Help chapter="collaboration/spaces" />} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<Trash2 />} title="The trash is empty">Deleted spaces lie here for a week.</Empty>
          ) : (
            <Table
              label="Deleted spaces"
              rows={found}
              rowKey={(one) => one.id}
              columns={[
                { name: "Space", cell: (one) => <span className="strong">{one.title || "Untitled space"}</span> },
                { name: "Deleted", cell: (one) => one.deletedAt && <Ago at={one.deletedAt} /> },
                { name: "", cell: (one) => <Button small icon={<Undo2 />} aria-label={`Restore ${one.title}`} isPending={back.isPending} onPress={() => back.mutate(one.id)}>Restore</Button> },
              ]}
            />
          )
        }
      </Asked>
    </Manage>
  );
}
