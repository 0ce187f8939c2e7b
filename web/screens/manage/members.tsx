/** The people of an organization: members with their roles, and guests. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { MoreHorizontal, UserPlus, Users } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Role } from "../../api/access";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeMember, type Member, memberSpaces, people, removeMember, ROLES, roleWords } from "../../api/people";
import { me, organization } from "../../api/queries";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Avatar } from "../../parts/avatar";
import { Badge } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Help } from "../../parts/help";
import { Entry, List } from "../../parts/list";
import { Menu } from "../../parts/menu";
import { Head } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

const ALL_ROLES = [...ROLES.map((one) => ({ value: one.value as string, words: `${one.words}: ${one.may}` })), { value: "guest", words: "Guest: only what was granted" }];

export default function Members({ org }: { org: string }) {
  const [typed, setTyped] = useState(new URLSearchParams(location.search).get("find") ?? "");
  const [role, setRole] = useState("");
  const [page, setPage] = useState<string>();
  const search = useDeferredValue(typed.trim());
  const asked = useQuery({ ...people(org, { search, role, page }), placeholderData: keepPreviousData });
  const admin = useQuery(organization(org)).data?.permissions.admin ?? false;
  const self = useQuery(me).data?.id;
  return (
    <Manage org={org} part="members" title="Members">
      <Head title="Members" note="Members have a role in everything that says nothing of its own; guests only what they were granted." actions={<><Help chapter="collaboration/people" />{admin && <ButtonLink look="primary" icon={<UserPlus />} href={addresses.manage(org, "invitations")}>Invite</ButtonLink>}</>} />
      <div className="stack">
        <div className="toolbar">
          <Field label="Find by name or address" hush placeholder="Find by name or address" type="search" value={typed} onChange={(to) => { setTyped(to); setPage(undefined); }} />
          <Select label="Role" hush value={role} onChange={(to) => { setRole(to); setPage(undefined); }} options={[{ value: "", words: "All roles" }, ...ROLES.map((one) => ({ value: one.value, words: `${one.words}s` })), { value: "guest", words: "Guests" }]} />
        </div>
        <Asked of={asked} say={sentence}>
          {(found) =>
            found.items.length === 0 ? (
              <Empty icon={<Users />} title="Nobody like this is here" />
            ) : (
              <>
                <Table
                  label="Members"
                  rows={found.items}
                  rowKey={(one) => one.id}
                  columns={[
                    { name: "Person", cell: (one) => <Person one={one} /> },
                    { name: "Role", cell: (one) => (admin && one.user.id !== self ? <Changing org={org} one={one} /> : roleWords(one.role)) },
                    { name: "Seen", cell: (one) => (one.lastSeenAt ? <Ago at={one.lastSeenAt} /> : "Never") },
                    { name: "", cell: (one) => <Deeds org={org} one={one} admin={admin} self={one.user.id === self} /> },
                  ]}
                />
                <div className="more">{page && <Button small onPress={() => setPage(undefined)}>From the beginning</Button>}{found.next && <Button small onPress={() => setPage(found.next?.page)}>Next page</Button>}</div>
              </>
            )
          }
        </Asked>
      </div>
    </Manage>
  );
}

function Person({ one }: { one: Member }) {
  return (
    <span className="row">
      <Avatar size="small" name={one.user.displayName} picture={one.user.photoURL} />
      <span>
        <span className="strong">{one.user.displayName}</span> {one.sso && <Badge>SSO</Badge>} {one.disabled && <Badge tone="warning">Disabled</Badge>}
        <br />
        <span className="note">{one.user.email}</span>
      </span>
    </span>
  );
}

function Changing({ org, one }: { org: string; one: Member }) {
  const deed = useDeed((role: Role | null) => changeMember(org, one.user.id, role), { stale: [["members", org]], failed: fail, done: () => toast(`${one.user.displayName} has another role.`, { undo: () => deed.mutate(one.role) }) });
  return <Select hush label={`Role of ${one.user.displayName}`} value={one.role ?? "guest"} options={ALL_ROLES} onChange={(to) => deed.mutate(to === "guest" ? null : (to as Role))} />;
}

function Deeds({ org, one, admin, self }: { org: string; one: Member; admin: boolean; self: boolean }) {
  const [shows, setShows] = useState(false);
  const [going, setGoing] = useState(false);
  const name = one.user.displayName;
  const remove = useDeed(() => removeMember(org, one.user.id), {
    stale: [["members", org]],
    done: () => {
      setGoing(false);
      toast(`${name} is no longer in the organization.`);
      if (self) location.assign("/app");
    },
  });
  return (
    <>
      <Menu
        label={`What can be done with ${name}`}
        button={<Button small look="quiet" aria-label={`More of ${name}`} icon={<MoreHorizontal />} />}
        choices={[
          { id: "spaces", words: "What they may", act: () => setShows(true) },
          ...(admin || self ? [{ id: "rule", rule: true as const }, { id: "remove", words: self ? "Leave the organization" : "Remove", danger: true, act: () => setGoing(true) }] : []),
        ]}
      />
      {shows && <Spaces org={org} one={one} onClose={() => setShows(false)} />}
      <Confirm title={self ? "Leave the organization?" : `Remove ${name}?`} open={going} onClose={() => setGoing(false)} yes={self ? "Leave" : "Remove"} isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
        <p>{self ? "You lose" : `${name} loses`} every role here, and comes back by a new invitation alone. What {self ? "you" : "they"} wrote stays.</p>
      </Confirm>
    </>
  );
}

function Spaces({ org, one, onClose }: { org: string; one: Member; onClose: () => void }) {
  const asked = useQuery(memberSpaces(org, one.user.id));
  return (
    <Dialog title={`What ${one.user.displayName} may`} open wide onClose={onClose}>
      <p>{one.role === null ? "A guest: only what is granted." : `${roleWords(one.role)} wherever nothing else is said.`} Each space says in its settings why.</p>
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <p className="note">No space at all.</p>
          ) : (
            <List label="Spaces">
              {found.map(({ space, permission }) => <Entry key={space.id} href={addresses.settings(org, space.id, "people")} title={space.title || "Untitled space"} end={<Badge>{roleWords(permission)}</Badge>} />)}
            </List>
          )
        }
      </Asked>
    </Dialog>
  );
}
