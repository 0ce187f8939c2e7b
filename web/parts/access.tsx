/** Who may what, and which rule says so: people, teams, everybody else. */
import { type ReactNode, useState } from "react";
import { Avatar } from "./avatar";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Form } from "./form";
import { Section } from "./shell";
import { Select, type Option } from "./select";
import { Table } from "./table";

export type Row = { id: string; name: string; note?: string; picture?: string; role: string; why?: ReactNode; granted: boolean };
type Props = {
  everybody: Row[];
  teams: Row[];
  roles: Option[];
  levels: Option[];
  level: string;
  onLevel: (to: string) => void;
  mayEdit: boolean;
  /** Who could be given a role. */
  candidates: { users: Option[]; teams: Option[] };
  onGive: (whom: { user: string } | { team: string }, role: string) => void;
  onChange: (whom: { user: string } | { team: string }, role: string | null) => void;
};

export function Access({ everybody, teams, roles, levels, level, onLevel, mayEdit, candidates, onGive, onChange }: Props) {
  const [giving, setGiving] = useState(false);
  const cell = (one: Row, whom: { user: string } | { team: string }) =>
    mayEdit && one.granted ? (
      <Select hush label={`Role of ${one.name}`} value={one.role} options={[...roles, { value: "", words: "Take it back" }]} onChange={(to) => onChange(whom, to || null)} />
    ) : (
      (roles.find((role) => role.value === one.role)?.words ?? one.role)
    );
  return (
    <>
      <div className="form-narrow"><Select label="Everybody else in the organization" value={level} options={levels} onChange={onLevel} isDisabled={!mayEdit} help="Guests have what is granted to them alone, whatever stands here." /></div>
      <Section title="Teams" end={mayEdit && <Button small onPress={() => setGiving(true)}>Give a role</Button>}>
        {teams.length === 0 ? <p className="note">No team has a role of its own here.</p> : (
          <Table label="Teams" rows={teams} rowKey={(one) => one.id} columns={[{ name: "Team", cell: (one) => <><span className="strong">{one.name}</span> <span className="note">{one.note}</span></> }, { name: "Role", cell: (one) => cell(one, { team: one.id }) }]} />
        )}
      </Section>
      <Section title="People">
        <Table
          label="Who may what, and why"
          rows={everybody}
          rowKey={(one) => one.id}
          columns={[
            { name: "Person", cell: (one) => <span className="row"><Avatar size="small" name={one.name} picture={one.picture} /><span><span className="strong">{one.name}</span> <span className="note">{one.note}</span></span></span> },
            { name: "Role", cell: (one) => cell(one, { user: one.id }) },
            { name: "Because", cell: (one) => <span className="note">{one.why}</span> },
          ]}
        />
      </Section>
      {giving && <Giving roles={roles} candidates={candidates} onClose={() => setGiving(false)} onGive={(whom, role) => { onGive(whom, role); setGiving(false); }} />}
    </>
  );
}

function Giving({ roles, candidates, onClose, onGive }: Pick<Props, "roles" | "candidates" | "onGive"> & { onClose: () => void }) {
  const [whom, setWhom] = useState("");
  const [role, setRole] = useState("read");
  const [kind, id] = whom.split(" ") as [string, string];
  const options = [
    { value: "", words: "Choose a person or a team" },
    ...candidates.teams.map((one) => ({ value: `team ${one.value}`, words: `Team ${one.words}` })),
    ...candidates.users.map((one) => ({ value: `user ${one.value}`, words: one.words })),
  ];
  return (
    <Dialog title="Give a role" open onClose={onClose}>
      <Form save="Give" isDisabled={!whom} onSubmit={() => onGive(kind === "team" ? { team: id } : { user: id }, role)} also={<Button onPress={onClose}>Cancel</Button>}>
        <Select label="To" value={whom} onChange={setWhom} options={options} />
        <Select label="Role" value={role} onChange={setRole} options={roles} />
      </Form>
    </Dialog>
  );
}
