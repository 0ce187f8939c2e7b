/** Every organization and every account of the installation. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Building2, Users } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { sentence } from "../../api/client";
import { accounts, everyOrganization } from "../../api/installation";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Avatar } from "../../parts/avatar";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";

const number = new Intl.NumberFormat("en");

export function Organizations() {
  const asked = useInfiniteQuery(everyOrganization);
  return (
    <>
      <Head title="Organizations" note="All of them; deleted ones as long as they can be restored." actions={<Help chapter="running/installation" />} />
      <Asked of={asked} say={sentence}>
        {(found) => {
          const rows = found.pages.flatMap((one) => one.items);
          return rows.length === 0 ? <Empty icon={<Building2 />} title="No organization yet" /> : (
            <>
              <Table
                label="Organizations"
                rows={rows}
                rowKey={(one) => one.id}
                columns={[
                  { name: "Organization", cell: (one) => <><span className="strong">{one.title}</span> {one.deletedAt && <Badge tone="warning">Deleted</Badge>}<br /><span className="note">{one.id}</span></> },
                  { name: "People", number: true, cell: (one) => number.format(one.people) },
                  { name: "Spaces", number: true, cell: (one) => number.format(one.spaces) },
                  { name: "Sites", number: true, cell: (one) => number.format(one.sites) },
                  { name: "Since", cell: (one) => <Ago at={one.createdAt} /> },
                ]}
              />
              <More of={asked} />
            </>
          );
        }}
      </Asked>
    </>
  );
}

export function Accounts() {
  const [words, setWords] = useState("");
  const asked = useInfiniteQuery(accounts(useDeferredValue(words.trim())));
  return (
    <>
      <Head title="Accounts" note="Everybody who can sign in, in whichever organization." actions={<Help chapter="running/installation" />} />
      <div className="stack">
        <div className="toolbar"><Field label="Name or address" type="search" value={words} onChange={setWords} /></div>
        <Asked of={asked} say={sentence}>
          {(found) => {
            const rows = found.pages.flatMap((one) => one.items);
            return rows.length === 0 ? <Empty icon={<Users />} title="Nobody is called like this" /> : (
              <>
                <Table
                  label="Accounts"
                  rows={rows}
                  rowKey={(one) => one.id}
                  columns={[
                    { name: "Person", cell: (one) => <span className="row"><Avatar size="small" name={one.user.displayName} picture={one.user.photoURL} /><span><span className="strong">{one.user.displayName}</span> <span className="note">{one.user.email}</span></span></span> },
                    { name: "Address", cell: (one) => one.deletedAt ? <Badge tone="warning">Deleted</Badge> : <Badge tone={one.verified ? "success" : "neutral"}>{one.verified ? "Known to be theirs" : "Not proven"}</Badge> },
                    { name: "Organizations", number: true, cell: (one) => number.format(one.organizations) },
                    { name: "Last here", cell: (one) => (one.lastSeenAt ? <Ago at={one.lastSeenAt} /> : "Never") },
                  ]}
                />
                <More of={asked} />
              </>
            );
          }}
        </Asked>
      </div>
    </>
  );
}

function More({ of }: { of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  return of.hasNextPage && <div className="more"><Button isPending={of.isFetchingNextPage} onPress={() => void of.fetchNextPage()}>More</Button></div>;
}
