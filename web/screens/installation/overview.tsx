/** What the installation runs on and holds, whether it is well, and whether mail goes out. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Mail, Stethoscope } from "lucide-react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { examine, type Health, health, installation, tryMail } from "../../api/installation";
import { me } from "../../api/queries";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge, type Tone } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Help } from "../../parts/help";
import { Notice } from "../../parts/notice";
import { Head, Section } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";

const STATES: Record<Health["checks"][number]["state"] | "unknown", { tone: Tone; words: string }> = {
  ok: { tone: "success", words: "Well" },
  off: { tone: "neutral", words: "Not in use" },
  warning: { tone: "warning", words: "Look at it" },
  failure: { tone: "danger", words: "Mend it" },
  unknown: { tone: "neutral", words: "Nobody has looked yet" },
};
const number = new Intl.NumberFormat("en");
const gibibytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

export function Overview() {
  const asked = useQuery(installation);
  return (
    <>
      <Head title="The installation" note="Everything of all organizations, for those who run it." actions={<Help chapter="running/installation" />} />
      <Asked of={asked} say={sentence}>
        {(told) => (
          <div className="stack">
            <HealthOf />
            <Section title="What is here">
              <Table
                label="What is here"
                rows={[
                  ["Version", told.version],
                  ["Organizations", number.format(told.organizations)],
                  ["Accounts", number.format(told.users)],
                  ["Spaces", number.format(told.spaces)],
                  ["Sites", `${number.format(told.sites)}, of them ${number.format(told.publishedSites)} published`],
                  ["Database", `${told.database.engine === "postgres" ? "PostgreSQL" : "SQLite"}, at migration ${told.database.migration}`],
                  ["Files", `${number.format(told.storage.files)} in ${told.storage.place}`],
                  ...(told.storage.freeBytes === undefined ? [] : [["Room on the disk", gibibytes(told.storage.freeBytes)]]),
                  ["Jobs", `${number.format(told.jobs.waiting)} wait, ${number.format(told.jobs.running)} run, ${number.format(told.jobs.failed)} failed`],
                ]}
                rowKey={([name]) => name!}
                columns={[{ name: "What", cell: ([name]) => <span className="strong">{name}</span> }, { name: "How", cell: ([, words]) => words }]}
              />
            </Section>
            <MailOf {...told.mail} />
          </div>
        )}
      </Asked>
    </>
  );
}

function HealthOf() {
  const asked = useQuery(health);
  const queries = useQueryClient();
  const look = useDeed(examine, { stale: [["installation-health"]], failed: fail, done: () => queries.invalidateQueries({ queryKey: ["installation"] }) });
  const again = (told?: Health) => <Button small icon={<Stethoscope />} isPending={look.isPending || told?.examining} onPress={() => look.mutate()}>{told?.examinedAt ? "Look again" : "Look now"}</Button>;
  return (
    <Section title="Health" end={again(asked.data)}>
      <Asked of={asked} say={sentence}>
        {(told) => (
          <div className="stack" aria-busy={told.examining}>
            <p className="row wrap" role="status">
              <Badge tone={STATES[told.state].tone}>{STATES[told.state].words}</Badge>
              <span className="note">{told.examining ? "A job is looking; what it finds stands here in a moment." : told.examinedAt ? <>Looked at <Ago at={told.examinedAt} /></> : "A job looks at the database, the disk, mail, names and the proxy."}</span>
            </p>
            {told.error && <Notice tone="danger">{told.error}</Notice>}
            {told.checks.length > 0 && (
              <Table
                label="Health"
                rows={told.checks.map((one, index) => ({ ...one, key: `${one.check} ${index}` }))}
                rowKey={(one) => one.key}
                columns={[
                  { name: "What", cell: (one) => <span className="strong">{one.check}</span> },
                  { name: "State", cell: (one) => <Badge tone={STATES[one.state].tone}>{STATES[one.state].words}</Badge> },
                  { name: "Found", cell: (one) => <>{one.said}{one.todo && <><br /><span className="note">{one.todo}</span></>}</> },
                ]}
              />
            )}
          </div>
        )}
      </Asked>
    </Section>
  );
}

function MailOf({ sends, host, sender, failed }: { sends: boolean; host?: string; sender?: string; failed: number }) {
  const mine = useQuery(me).data?.email;
  const send = useDeed(tryMail, { stale: [["installation-jobs"]], failed: fail, done: () => toast(`A letter is on its way to ${mine ?? "you"}.`) });
  return (
    <Section title="Mail" end={sends && <Button small icon={<Mail />} isPending={send.isPending} onPress={() => send.mutate()}>Send me a letter</Button>}>
      {sends ? <p>{sender} by {host}.</p> : <p className="note">No mail server is set: invitations are handed over as links, and people sign in by passwords. OCTAVO_SMTP_HOST and OCTAVO_MAIL_FROM set one.</p>}
      {failed > 0 && <Notice tone="warning">{failed === 1 ? "A letter" : `${number.format(failed)} letters`} could not be sent. The jobs of the kind “mail” say why.</Notice>}
    </Section>
  );
}
