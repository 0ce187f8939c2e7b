/** Log-in of visitors: where they are sent, the key that signs who they are, and a program to begin with. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Section } from "../../parts/shell";
import { Select } from "../../parts/select";
import { toast } from "../../parts/toast";
import type { At, Shown } from "./at";
import { LANGUAGES, type Language, sample } from "./samples";

type Auth = Awaited<ReturnType<typeof sites.changeAuth>>;

export function LogIn({ at, site }: Shown) {
  const asked = useQuery(sites.auth(at.org, at.site));
  return (
    <Section title="Log-in of visitors">
      <Asked of={asked} say={sentence}>
        {(found) => (
          <div className="stack">
            <Where at={at} found={found} mayEdit={site.permissions.edit} />
            <Key at={at} found={found} mayEdit={site.permissions.edit} />
            <Sample address={site.urls.published ?? `${location.origin}/`} />
          </div>
        )}
      </Asked>
    </Section>
  );
}

function Where({ at, found, mayEdit }: { at: At; found: Auth; mayEdit: boolean }) {
  const form = useDraft({ fallbackURL: found.fallbackURL ?? "", logoutURL: found.logoutURL ?? "" });
  const deed = useDeed(
    () => sites.changeAuth(at.org, at.site, { backend: found.backend, fallbackURL: form.value.fallbackURL || null, logoutURL: form.value.logoutURL || null }),
    {
      stale: [["site", at.site]],
      done: () => {
        form.forget();
        toast("Saved.");
      },
    },
  );
  const wrong = wrongs(deed.error, ["fallbackURL", "logoutURL"]);
  return (
    <div className="panel">
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !mayEdit} wrong={wrong.rest}>
        <div className="pair">
          <Field label="Where visitors log in" value={form.value.fallbackURL} onChange={form.set("fallbackURL")} wrong={wrong.at("fallbackURL")} placeholder="https://" type="url" help="Who comes without a token is sent there, with the page in `location`." />
          <Field label="Where they log out" value={form.value.logoutURL} onChange={form.set("logoutURL")} wrong={wrong.at("logoutURL")} placeholder="https://" type="url" help="Optional." />
        </div>
      </Form>
    </div>
  );
}

function Key({ at, found, mayEdit }: { at: At; found: Auth; mayEdit: boolean }) {
  const [asks, setAsks] = useState(false);
  const deed = useDeed(() => sites.newKey(at.org, at.site), {
    stale: [["site", at.site, "auth"]],
    done: () => {
      setAsks(false);
      toast("The site has a new key.");
    },
  });
  return (
    <div className="panel">
      <Copied secret label="Key that signs tokens" value={found.privateKey} />
      <p className="note">Your service keeps it as a secret and signs each visitor’s token with it, by HS256.</p>
      {mayEdit && <div><Button small onPress={() => setAsks(true)}>Make a new key</Button></div>}
      <Confirm title="Make a new key?" open={asks} onClose={() => setAsks(false)} yes="Make a new key" word="new key" isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
        <p>Every token that the old key signed is refused at once: visitors log in again, and your service needs the new key before they can.</p>
      </Confirm>
    </div>
  );
}

function Sample({ address }: { address: string }) {
  const [language, setLanguage] = useState<Language>("Node.js");
  const code = sample(language, address, '{"name": "Ada", "plan": "pro"}');
  return (
    <div className="panel">
      <div className="form-narrow"><Select label="A log-in to begin with" value={language} onChange={(one) => setLanguage(one as Language)} options={LANGUAGES.map((one) => ({ value: one, words: one }))} /></div>
      <Copied hush label={`the sample in ${language}`} value={code} />
      <p className="note">It reads the key from the environment as <code>VISITOR_KEY</code>. What it says of the visitor is what conditions of the site can ask for.</p>
    </div>
  );
}
