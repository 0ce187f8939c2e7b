/** A new site in three steps: what it shows, what it is called, who reads it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { useDeed } from "../../api/deed";
import { type Site, spaces } from "../../api/queries";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Button } from "../../parts/button";
import { Check, Choices } from "../../parts/check";
import { emoji } from "../../parts/emoji";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { toast } from "../../parts/toast";
import { Manage } from "./side";

const STEPS = ["What it shows", "What it is called", "Who reads it"];
const AUDIENCE = [
  { value: "public", words: "Everybody", help: "Search engines list it." },
  { value: "unlisted", words: "Everybody with the address", help: "Search engines do not list it." },
  { value: "share-link", words: "Whoever has a share link", help: "You make links and give them to people." },
  { value: "visitor-auth", words: "Who logs in at your service", help: "Your own service says who a visitor is." },
];

export default function NewSite({ org }: { org: string }) {
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const form = useDraft({ spaces: [] as string[], title: "", visibility: "public" as string, publish: true });
  const { value: it } = form;
  const deed = useDeed(() => make(org, it), {
    stale: [["sites", org]],
    done: (made) => {
      toast(it.publish ? "The site is published." : "The site is made.");
      go(addresses.site(org, made.id));
    },
  });
  const wrong = wrongs(deed.error, ["title", "visibility", "spaces"]);
  const titled = wrong.at("title") && at === 2 ? `Title: ${wrong.at("title")}` : undefined;
  const last = at === STEPS.length - 1;
  return (
    <Manage org={org} part="sites" title="New site">
      <Head title="New site" note={`Step ${at + 1} of ${STEPS.length}: ${STEPS[at]}`} actions={<Help chapter="running/structure" />} />
      <div className="panel form-narrow">
        <Form
          save={last ? (it.publish ? "Make and publish" : "Make site") : "Go on"}
          onSubmit={() => (last ? deed.mutate() : setAt(at + 1))}
          isPending={deed.isPending}
          isDisabled={at === 1 && it.title.trim().length < 2}
          wrong={titled ?? wrong.at("spaces") ?? wrong.rest}
          also={<Button onPress={() => (at === 0 ? go(addresses.manage(org, "sites")) : setAt(at - 1))}>{at === 0 ? "Cancel" : "Back"}</Button>}
        >
          {at === 0 && <Which org={org} chosen={it.spaces} onChange={(ids, title) => form.put({ spaces: ids, title: it.title || title })} />}
          {at === 1 && <Field label="Title" value={it.title} onChange={form.set("title")} autoFocus wrong={wrong.at("title")} help="Readers see it in the header and on the tab. Its address is made of it, and can be changed." />}
          {last && (
            <>
              <Choices label="Who may read it" options={AUDIENCE} value={it.visibility} onChange={form.set("visibility")} wrong={wrong.at("visibility")} />
              <Check label="Publish it at once" help="Otherwise nobody sees it until you do." value={it.publish} onChange={form.set("publish")} />
            </>
          )}
        </Form>
      </div>
    </Manage>
  );
}

async function make(org: string, it: { spaces: string[]; title: string; visibility: string; publish: boolean }): Promise<Site> {
  const made = await sites.create(org, { title: it.title.trim(), visibility: it.visibility as Site["visibility"], spaces: it.spaces.length ? it.spaces : "empty" });
  return it.publish && it.spaces.length ? sites.published(org, made.id, true) : made;
}

function Which({ org, chosen, onChange }: { org: string; chosen: string[]; onChange: (ids: string[], title: string) => void }) {
  const known = useQuery(spaces(org)).data ?? [];
  const flip = (id: string, on: boolean) => {
    const ids = on ? [...chosen, id] : chosen.filter((one) => one !== id);
    onChange(ids, ids.length === 1 ? (known.find((one) => one.id === ids[0])?.title ?? "") : "");
  };
  return (
    <fieldset className="choices">
      <legend>Spaces that readers find</legend>
      {known.length === 0 && <p className="note">There is no space yet. Go on without one, and add it in the structure later.</p>}
      {known.map((one) => (
        <Check key={one.id} label={`${emoji(one.emoji)} ${one.title || "Untitled space"}`.trim()} value={chosen.includes(one.id)} onChange={(on) => flip(one.id, on)} />
      ))}
      {known.length > 0 && <p className="note">Of several, the first is what readers find first; the structure gives them sections of their own.</p>}
    </fieldset>
  );
}
