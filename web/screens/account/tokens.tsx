/** What programs call the API with on somebody's behalf: made, shown once, revoked. */
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { type ApiToken, makeToken, revokeToken, tokens } from "../../api/account";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import { GROUPS, type Scope, SCOPES } from "../../api/scopes";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Actions, Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { toast } from "../../parts/toast";

const DAY = 86_400_000;
const LIVES = [
  { value: "30", words: "30 days" },
  { value: "90", words: "90 days" },
  { value: "365", words: "A year" },
  { value: "", words: "It does not expire" },
];

export default function Tokens() {
  const asked = useQuery(tokens);
  const [making, setMaking] = useState(false);
  const [going, setGoing] = useState<ApiToken>();
  const revoke = useDeed((id: string) => revokeToken(id), {
    stale: [["tokens"]],
    done: () => {
      setGoing(undefined);
      toast("It is revoked.");
    },
  });
  return (
    <>
      <Head
        title="API tokens"
        note={<span>Programs call the <a className="link" href="/docs">API</a> with a token, and may do what you may do. Give each its own.</span>}
        actions={<><Help chapter="reference/tokens" /><Button look="primary" icon={<Plus />} onPress={() => setMaking(true)}>New token</Button></>}
      />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<KeyRound />} title="You have none">Make one for a script, an import or a renderer.</Empty>
          ) : (
            <Table
              label="Your tokens"
              rows={found}
              rowKey={(one) => one.id}
              columns={[
                { name: "Token", cell: (one) => <><span className="strong">{one.label || "Without a name"}</span><br /><span className="note">{one.scopes ? one.scopes.map((scope) => SCOPES[scope as Scope]?.words ?? scope).join(" · ") : "Everything you may do"}</span></> },
                { name: "Used", cell: (one) => (one.lastUsedAt ? <Ago at={one.lastUsedAt} /> : "Never") },
                { name: "Ends", cell: (one) => (one.expiresAt ? <Ago at={one.expiresAt} /> : "Never") },
                { name: "", cell: (one) => <Button small aria-label={`Revoke ${one.label || "the token without a name"}`} onPress={() => setGoing(one)}>Revoke</Button> },
              ]}
            />
          )
        }
      </Asked>
      {making && <New onClose={() => setMaking(false)} />}
      <Confirm title={`Revoke ${going?.label || "the token"}?`} open={Boolean(going)} onClose={() => setGoing(undefined)} yes="Revoke" isPending={revoke.isPending} wrong={revoke.error ? sentence(revoke.error) : undefined} onYes={() => going && revoke.mutate(going.id)}>
        <p>Whatever calls with it is refused within a second.</p>
      </Confirm>
    </>
  );
}

function New({ onClose }: { onClose: () => void }) {
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("90");
  const [limited, setLimited] = useState(false);
  const [scopes, setScopes] = useState<Scope[]>(["space:read"]);
  const make = useDeed(() => makeToken({ label: label.trim(), ...(limited ? { scopes } : {}), ...(days ? { expiresAt: new Date(Date.now() + Number(days) * DAY).toISOString() } : {}) }), { stale: [["tokens"]] });
  const wrong = wrongs(make.error, ["label"]);
  return (
    <Dialog title={make.data ? "Your new token" : "New token"} open wide={limited && !make.data} onClose={onClose} urgent={Boolean(make.data)}>
      {make.data ? (
        <>
          <p>Copy it now. It is shown this once.</p>
          <Copied label="Token" value={make.data.token} />
          <Actions><Button look="primary" onPress={onClose}>I have it</Button></Actions>
        </>
      ) : (
        <Form save="Make token" onSubmit={() => make.mutate()} isPending={make.isPending} isDisabled={limited && scopes.length === 0} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
          <Field label="What it is for" value={label} onChange={setLabel} placeholder="Nightly import" autoFocus wrong={wrong.at("label")} />
          <Select label="Expires after" value={days} options={LIVES} onChange={setDays} />
          <Select label="It may do" value={limited ? "some" : "all"} options={[{ value: "all", words: "Everything that you may do" }, { value: "some", words: "Only what is chosen here" }]} onChange={(to) => setLimited(to === "some")} help={limited ? "Each stands alone: to change content does not bring to read it. It never does more than you may." : undefined} />
          {limited && GROUPS.map((group) => (
            <fieldset key={group} className="choices">
              <legend>{group}</legend>
              {(Object.keys(SCOPES) as Scope[]).filter((one) => SCOPES[one].group === group).map((one) => (
                <Check key={one} label={SCOPES[one].words} help={one} value={scopes.includes(one)} onChange={(on) => setScopes(on ? [...scopes, one] : scopes.filter((other) => other !== one))} />
              ))}
            </fieldset>
          ))}
        </Form>
      )}
    </Dialog>
  );
}
