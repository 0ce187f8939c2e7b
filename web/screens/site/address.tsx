/** Where a site is found: its path at this installation, a host of its own with the proof of it, or below a path of another site. */
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Notice } from "../../parts/notice";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";

export default function Address({ at, site }: Shown) {
  return (
    <>
      <Head title="Address" note={site.urls.published ? <span>Readers find it at <a className="link" href={site.urls.published}>{site.urls.published}</a></span> : "It has an address as soon as it is published."} actions={<Help chapter="running/addresses" />} />
      <Path at={at} site={site} />
      <Section title="A host of its own">
        {site.hostname ? <Proof at={at} site={site} hostname={site.hostname} /> : <NewHost at={at} site={site} />}
      </Section>
      <Section title="Below a path of another site">
        <Below at={at} site={site} />
      </Section>
    </>
  );
}

function Path({ at, site }: Shown) {
  const form = useDraft({ basename: site.basename ?? "" });
  const deed = useDeed(() => sites.change(at.org, at.site, form.changes), {
    stale: [["site", at.site], ["sites", at.org]],
    done: () => {
      form.forget();
      toast("The path is changed.");
    },
  });
  const wrong = wrongs(deed.error, ["basename"]);
  return (
    <div className="panel form-narrow">
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !site.permissions.edit} wrong={wrong.rest}>
        <Field label="Path at this installation" value={form.value.basename} onChange={form.set("basename")} wrong={wrong.at("basename")} help={`It is found at ${location.origin}/sites/${form.value.basename || "…"}/. Links to the old path end.`} />
      </Form>
    </div>
  );
}

function NewHost({ at, site }: Shown) {
  const [name, setName] = useState("");
  const deed = useDeed(() => sites.change(at.org, at.site, { hostname: name.trim().toLowerCase() }), { stale: [["site", at.site], ["sites", at.org]] });
  const wrong = wrongs(deed.error, ["hostname"]);
  return (
    <div className="panel form-narrow">
      <Form save="Go on" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!name.trim() || !site.permissions.edit} wrong={wrong.rest}>
        <Field label="Host" value={name} onChange={setName} wrong={wrong.at("hostname")} placeholder="docs.example.com" help="Step 1 of 3. Next, the records that prove that it is yours; then readers come by it." />
      </Form>
    </div>
  );
}

function Proof({ at, site, hostname }: Shown & { hostname: string }) {
  const asked = useQuery(sites.host(hostname));
  const stale = [["host", hostname], ["site", at.site]];
  const check = useDeed(() => sites.checkHost(hostname), { stale, failed: fail });
  const [asks, setAsks] = useState(false);
  const remove = useDeed(() => sites.change(at.org, at.site, { hostname: null }), { stale: [["site", at.site], ["sites", at.org]], done: () => setAsks(false) });
  return (
    <Asked of={asked} say={sentence}>
      {(found) => (
        <div className="panel">
          <div className="row wrap">
            <h3 className="grow">{hostname}</h3>
            <Badge tone={found.status === "live" ? "success" : "warning"}>{found.status === "live" ? "Live" : "Waits for its records"}</Badge>
          </div>
          {found.proof && found.status !== "live" && (
            <ol className="steps">
              <li><b>Tell the world where it is.</b> At your provider of names, point <code>{hostname}</code> to this installation, by a record of this kind and value.<Copied label="CNAME" value={location.hostname} /></li>
              <li><b>Show that it is yours.</b> Add a TXT record of this name and value; or let <code>{found.proof.address}</code> answer the value.<Copied label="Name" value={found.proof.record} /><Copied label="Value" value={found.proof.value} /></li>
              <li><b>Let it be checked.</b> It is looked at again by itself; records need from minutes to hours until everybody has them.</li>
            </ol>
          )}
          {found.proof?.problem && <Notice tone="warning">{found.proof.problem}{found.proof.checkedAt && <> (looked at <Ago at={found.proof.checkedAt} />)</>}</Notice>}
          {found.status === "live" && <Notice tone="success">Readers find the site at https://{hostname}/.</Notice>}
          {site.permissions.edit && (
            <div className="row wrap">
              {found.status !== "live" && <Button icon={<RefreshCw />} isPending={check.isPending} onPress={() => check.mutate()}>Check now</Button>}
              <Button onPress={() => setAsks(true)}>Remove the host</Button>
            </div>
          )}
          <Confirm title={`Remove ${hostname}?`} open={asks} onClose={() => setAsks(false)} yes="Remove" word={hostname} isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
            <p>Links to {hostname} lead nowhere then. The site goes on at its path of this installation.</p>
          </Confirm>
        </div>
      )}
    </Asked>
  );
}

function Below({ at, site }: Shown) {
  const form = useDraft({ proxy: site.proxy?.origin ?? "" });
  const deed = useDeed(() => sites.change(at.org, at.site, { proxy: form.value.proxy.trim() || null }), {
    stale: [["site", at.site]],
    done: () => {
      form.forget();
      toast("Saved.");
    },
  });
  const wrong = wrongs(deed.error, ["proxy"]);
  return (
    <div className="panel form-narrow">
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !site.permissions.edit} wrong={wrong.rest}>
        <Field label="Address that readers see" value={form.value.proxy} onChange={form.set("proxy")} wrong={wrong.at("proxy")} placeholder="https://www.example.com/docs" help="Your web server passes requests below this path on to the address below." />
      </Form>
      {site.proxy && <Copied label="Pass them on to" value={site.proxy.target} />}
    </div>
  );
}
