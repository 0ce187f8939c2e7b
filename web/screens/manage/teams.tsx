/** Teams: people who are given roles together. */
import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal, Plus, UsersRound } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { makeTeam, putInTeam, removeTeam, renameTeam, takeFromTeam, teamMembers, teams } from "../../api/people";
import type { Team } from "../../api/access";
import { members, organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Help } from "../../parts/help";
import { Menu } from "../../parts/menu";
import { Head } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

export default function Teams({ org }: { org: string }) {
  const asked = useQuery(teams(org));
  const admin = useQuery(organization(org)).data?.permissions.admin ?? false;
  const [naming, setNaming] = useState<Team | "new" | null>(null);
  const [shown, setShown] = useState<Team | null>(null);
  const [going, setGoing] = useState<Team | null>(null);
  const make = admin && <Button look="primary" icon={<Plus />} onPress={() => setNaming("new")}>New team</Button>;
  return (
    <Manage org={org} part="teams" title="Teams">
      <Head title="Teams" note="People who are given roles together. Owners of a team say who is in it." actions={<><Help chapter="collaboration/teams" />{make}</>} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<UsersRound />} title="No team yet" action={make}>A role that a team has on a space or site is a role of everybody in it.</Empty>
          ) : (
            <Table
              label="Teams"
              rows={found}
              rowKey={(one) => one.id}
              columns={[
                { name: "Team", cell: (one) => <><span className="strong">{one.title}</span>{one.managedBy && <> <Badge>By your identity provider</Badge></>}</> },
                { name: "People", number: true, cell: (one) => one.members },
                { name: "Spaces", number: true, cell: (one) => one.spaces },
                {
                  name: "",
                  cell: (one) => (
                    <Menu
                      label={`Team ${one.title}`}
                      button={<Button small look="quiet" aria-label={`More of ${one.title}`} icon={<MoreHorizontal />} />}
                      choices={[
                        { id: "who", words: "Who is in it", act: () => setShown(one) },
                        ...(one.permissions.admin && !one.managedBy ? [{ id: "name", words: "Rename", act: () => setNaming(one) }] : []),
                        ...(admin && !one.managedBy ? [{ id: "delete", words: "Delete", danger: true, act: () => setGoing(one) }] : []),
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Asked>
      {naming && <Naming org={org} team={naming} onClose={() => setNaming(null)} />}
      {shown && <Within org={org} team={shown} onClose={() => setShown(null)} />}
      {going && <Going org={org} team={going} onClose={() => setGoing(null)} />}
    </Manage>
  );
}

function Naming({ org, team, onClose }: { org: string; team: Team | "new"; onClose: () => void }) {
  const [title, setTitle] = useState(team === "new" ? "" : team.title);
  const deed = useDeed(() => (team === "new" ? makeTeam(org, title.trim()) : renameTeam(org, team.id, title.trim())), { stale: [["teams", org]], done: onClose });
  const wrong = wrongs(deed.error, ["title"]);
  return (
    <Dialog title={team === "new" ? "New team" : "Rename the team"} open onClose={onClose}>
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!title.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Name" value={title} onChange={setTitle} autoFocus wrong={wrong.at("title")} />
      </Form>
    </Dialog>
  );
}

function Within({ org, team, onClose }: { org: string; team: Team; onClose: () => void }) {
  const asked = useQuery(teamMembers(org, team.id));
  const everybody = useQuery(members(org)).data ?? [];
  const [adding, setAdding] = useState("");
  const stale = [["teams", org]];
  const put = useDeed(({ user, role }: { user: string; role: "member" | "owner" }) => putInTeam(org, team.id, user, role), { stale, failed: fail, done: () => setAdding("") });
  const take = useDeed((user: string) => takeFromTeam(org, team.id, user), { stale, failed: fail });
  const may = team.permissions.admin && !team.managedBy;
  return (
    <Dialog title={team.title} open wide onClose={onClose}>
      <Asked of={asked} say={sentence}>
        {(found) => {
          const inside = new Set(found.map((one) => one.organization.user.id));
          const others = everybody.filter((one) => !inside.has(one.user.id));
          return (
            <div className="stack">
              {may && others.length > 0 && (
                <div className="toolbar">
                  <Select label="Add" value={adding} onChange={setAdding} options={[{ value: "", words: "Choose somebody" }, ...others.map((one) => ({ value: one.user.id, words: one.user.displayName }))]} />
                  <Button look="primary" isDisabled={!adding} isPending={put.isPending} onPress={() => put.mutate({ user: adding, role: "member" })}>Add</Button>
                </div>
              )}
              {found.length === 0 ? <p className="note">Nobody is in it yet.</p> : (
                <Table
                  label={`People of ${team.title}`}
                  rows={found}
                  rowKey={(one) => one.organization.id}
                  columns={[
                    { name: "Person", cell: (one) => one.organization.user.displayName },
                    { name: "As", cell: (one) => (may ? <Select hush label={`Role of ${one.organization.user.displayName} in the team`} value={one.team.role} options={[{ value: "member", words: "Member" }, { value: "owner", words: "Owner: says who is in it" }]} onChange={(role) => put.mutate({ user: one.organization.user.id, role: role as "member" })} /> : one.team.role === "owner" ? "Owner" : "Member") },
                    { name: "", cell: (one) => may && <Button small aria-label={`Take ${one.organization.user.displayName} out`} onPress={() => take.mutate(one.organization.user.id)}>Take out</Button> },
                  ]}
                />
              )}
            </div>
          );
        }}
      </Asked>
    </Dialog>
  );
}

function Going({ org, team, onClose }: { org: string; team: Team; onClose: () => void }) {
  const deed = useDeed(() => removeTeam(org, team.id), {
    stale: [["teams", org]],
    done: () => {
      onClose();
      toast(`The team ${team.title} is deleted.`);
    },
  });
  return (
    <Confirm title={`Delete the team ${team.title}?`} open onClose={onClose} yes="Delete the team" word={team.title} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
      <p>Its {team.members === 1 ? "one person loses" : `${team.members} people lose`} the roles that they had through it, on {team.spaces === 1 ? "one space" : `${team.spaces} spaces`}. Nobody leaves the organization by that.</p>
    </Confirm>
  );
}
