/** What a site knows of its visitors: the schema of their claims, the conditions it makes possible, and a tester of what one sees. */
import { useQuery } from "@tanstack/react-query";
import { Eye, UserRoundSearch } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Section } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";

const FIRST = {
  type: "object",
  properties: {
    plan: { type: "string", description: "What they have subscribed to.", enum: ["free", "pro"] },
    beta: { type: "boolean", description: "Whether they try what is new." },
  },
  additionalProperties: false,
};

export function Claims({ at, site }: Shown) {
  const [wanted, setWanted] = useState(site.adaptiveContent.enabled);
  const asked = useQuery({ ...sites.schema(at.org, at.site), enabled: wanted });
  if (!wanted)
    return (
      <Section title="What the site knows of visitors">
        <Empty icon={<UserRoundSearch />} title="Everybody sees the same" action={site.permissions.editAdaptiveSchema && <Button onPress={() => setWanted(true)}>Let content adapt</Button>}>
          Content can adapt to visitors: what a plan has, what a language needs. A schema says what the site may know of them.
        </Empty>
      </Section>
    );
  return (
    <Section title="What the site knows of visitors">
      <Asked of={asked} say={sentence}>
        {(found) => (
          <div className="stack">
            <Schema key={found?.updatedAt ?? "none"} at={at} site={site} stored={found?.jsonSchema ?? null} />
            {found && <Conditions at={at} site={site} />}
            <Tester at={at} site={site} />
          </div>
        )}
      </Asked>
    </Section>
  );
}

function Schema({ at, site, stored }: Shown & { stored: unknown }) {
  const before = JSON.stringify(stored ?? FIRST, null, 2);
  const [text, setText] = useState(before);
  const [broken, setBroken] = useState<string>();
  const save = useDeed(
    async (schema: Parameters<typeof sites.setSchema>[2]) => {
      await sites.setSchema(at.org, at.site, schema);
      if (!site.adaptiveContent.enabled) await sites.change(at.org, at.site, { adaptiveContent: { enabled: true } });
    },
    { stale: [["site", at.site]], done: () => toast("The schema is saved.") },
  );
  const enable = useDeed((enabled: boolean) => sites.change(at.org, at.site, { adaptiveContent: { enabled } }), { stale: [["site", at.site]], failed: fail });
  const wrong = wrongs(save.error, ["jsonSchema"]);
  const mayEdit = site.permissions.editAdaptiveSchema;
  const submit = () => {
    try {
      setBroken(undefined);
      save.mutate(JSON.parse(text));
    } catch (error) {
      setBroken(`This is not JSON: ${(error as Error).message}.`);
    }
  };
  return (
    <div className="panel">
      <Check label="Content adapts to visitors" help="Conditions and expressions on claims are worked out; otherwise everybody sees what needs none." value={site.adaptiveContent.enabled} isDisabled={!mayEdit || (stored === null && !site.adaptiveContent.enabled)} onChange={(is) => enable.mutate(is)} />
      <Form save={stored ? "Save the schema" : "Use this schema"} onSubmit={submit} isPending={save.isPending} isDisabled={!mayEdit || (stored !== null && text === before)} wrong={wrong.rest}>
        <Field label="Schema of claims" mono value={text} onChange={setText} lines={12} wrong={broken ?? wrong.at("jsonSchema")} help="A JSON Schema of the claims that tokens of visitors may have. `unsigned` holds those that come with the address." />
      </Form>
    </div>
  );
}

function Conditions({ at }: Shown) {
  const asked = useQuery(sites.conditions(at.org, at.site));
  const rows = asked.data?.items ?? [];
  if (rows.length === 0) return null;
  return (
    <Table
      label="Conditions that this schema makes possible"
      rows={rows}
      rowKey={(one) => one.condition}
      columns={[
        { name: "For", cell: (one) => one.description },
        { name: "Condition", cell: (one) => <code>{one.condition}</code> },
      ]}
    />
  );
}

function Tester({ at }: Shown) {
  const [claims, setClaims] = useState('{"plan": "pro"}');
  const [draft, setDraft] = useState(false);
  const [broken, setBroken] = useState<string>();
  const look = useDeed((query: { claims: string; draft: boolean }) => sites.preview(at.org, at.site, query), {
    stale: [],
    done: (made) => void open(made.url, "_blank", "noopener"),
  });
  const wrong = wrongs(look.error, ["claims"]);
  const submit = () => {
    try {
      setBroken(undefined);
      look.mutate({ claims: JSON.stringify(JSON.parse(claims)), draft });
    } catch (error) {
      setBroken(`This is not JSON: ${(error as Error).message}.`);
    }
  };
  return (
    <div className="panel">
      <h3>What does this visitor see?</h3>
      <Form save="Look" onSubmit={submit} isPending={look.isPending} wrong={wrong.rest} also={<span className="note grow row"><Eye aria-hidden="true" size={16} />Opens the site as that visitor reads it.</span>}>
        <Field label="Claims of the visitor" mono value={claims} onChange={setClaims} lines={3} wrong={broken ?? wrong.at("claims")} />
        <Check label="With drafts" value={draft} onChange={setDraft} />
      </Form>
      {look.data && <Known shown={look.data} />}
      {look.data && <p className="note">It did not open? <a className="link" href={look.data.url} target="_blank" rel="noopener">Open it here</a>.</p>}
    </div>
  );
}

/** What the server knows of the visitor, and what it ignored: a claim that the schema does not allow counts for nothing. */
function Known({ shown }: { shown: sites.Shown }) {
  const known = Object.keys(shown.claims).length > 0;
  return (
    <div className="stack" role="status">
      <p className="note">{known ? <>Known of this visitor: <code>{JSON.stringify(shown.claims)}</code></> : "Nothing is known of this visitor."}</p>
      {shown.ignored.length > 0 && (
        <Notice tone="warning">
          <p>Ignored, as of every visitor:</p>
          <ul>{shown.ignored.map((one) => <li key={one.claim}><code>{one.claim}</code>: {one.reason}.</li>)}</ul>
        </Notice>
      )}
    </div>
  );
}
