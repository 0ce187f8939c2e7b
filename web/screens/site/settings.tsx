/** What else a site has: its title, what programs may read, and its end. */
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head, Section } from "../../parts/shell";
import { toast } from "../../parts/toast";
import type { Shown } from "./at";

export default function Settings({ at, site }: Shown) {
  const form = useDraft({ title: site.title, agents: site.agentsContext === "included" });
  const deed = useDeed(() => sites.change(at.org, at.site, { title: form.changes.title, agentsContext: form.changes.agents === undefined ? undefined : form.changes.agents ? "included" : "excluded" }), {
    stale: [["site", at.site], ["sites", at.org]],
    done: () => {
      form.forget();
      toast("Saved.");
    },
  });
  const wrong = wrongs(deed.error, ["title"]);
  return (
    <>
      <Head title="Settings" actions={<Help chapter="running/machines" />} />
      <div className="panel form-narrow">
        <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !site.permissions.edit} wrong={wrong.rest}>
          <Field label="Title" value={form.value.title} onChange={form.set("title")} wrong={wrong.at("title")} />
          <Check label="Agents may read it" help="Pages for programs (llms.txt, Markdown, MCP) hold its content." value={form.value.agents} onChange={form.set("agents")} />
        </Form>
      </div>
      <Section title="For programs"><div className="form-narrow"><Copied label="Address in the API" value={site.urls.location} /></div></Section>
      {site.permissions.admin && <End at={at} site={site} />}
    </>
  );
}

function End({ at, site }: Shown) {
  const [asks, setAsks] = useState(false);
  const [, go] = useLocation();
  const deed = useDeed(() => sites.remove(at.org, at.site), {
    stale: [["sites", at.org]],
    done: () => {
      go(addresses.manage(at.org, "sites"));
      toast(`${site.title} was deleted.`);
    },
  });
  return (
    <Section title="Delete the site">
      <div className="panel danger form-narrow">
        <p className="note">Its structure, look, audience, redirects and insights go, and its addresses answer “not found”. The spaces that it shows stay.</p>
        <div><Button look="danger" onPress={() => setAsks(true)}>Delete the site</Button></div>
      </div>
      <Confirm title={`Delete ${site.title}?`} open={asks} onClose={() => setAsks(false)} yes="Delete the site" word={site.title} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
        <p>This cannot be undone. {site.published ? "The site is published: its readers find nothing any more." : ""}</p>
      </Confirm>
    </Section>
  );
}
