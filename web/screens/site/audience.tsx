/** Who reads a site: everybody, holders of links, visitors that log in elsewhere; and what the site knows of them. */
import { useQuery } from "@tanstack/react-query";
import { Link2, MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import type { Site } from "../../api/queries";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Help } from "../../parts/help";
import { Menu } from "../../parts/menu";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import { AUDIENCES, type At, type Shown } from "./at";
import { Claims } from "./claims";
import { LogIn } from "./log-in";

export default function Audience({ at, site }: Shown) {
  return (
    <>
      <Head title="Audience" note="Who may read the site, and what it knows of its visitors." actions={<Help chapter="running/audiences" />} />
      <Visibility at={at} site={site} />
      {site.visibility === "share-link" && <ShareLinks at={at} site={site} />}
      {site.visibility === "visitor-auth" && <LogIn at={at} site={site} />}
      {site.permissions.viewAdaptiveSchema && <Claims at={at} site={site} />}
    </>
  );
}

function Visibility({ at, site }: Shown) {
  const [chosen, setChosen] = useState<string>(site.visibility);
  const deed = useDeed(() => sites.change(at.org, at.site, { visibility: chosen as Site["visibility"] }), {
    stale: [["site", at.site], ["sites", at.org]],
    done: () => toast("The audience is changed."),
  });
  const wrong = wrongs(deed.error, ["visibility"]);
  return (
    <div className="panel form-narrow">
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={chosen === site.visibility || !site.permissions.edit} wrong={wrong.rest}>
        <Choices
          label="Who may read it"
          value={chosen}
          onChange={setChosen}
          wrong={wrong.at("visibility")}
          options={Object.entries(AUDIENCES).map(([value, { words, help }]) => ({ value, words, help }))}
        />
      </Form>
    </div>
  );
}

function ShareLinks({ at, site }: Shown) {
  const asked = useQuery(sites.shareLinks(at.org, at.site));
  const [making, setMaking] = useState(false);
  const mayEdit = site.permissions.edit;
  return (
    <Section title="Share links" end={mayEdit && <Button small icon={<Plus />} onPress={() => setMaking(true)}>New link</Button>}>
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<Link2 />} title="Nobody can read the site yet" action={mayEdit && <Button look="primary" onPress={() => setMaking(true)}>New link</Button>}>
              Make a link for each person or group that you give it to; then one can be switched off without the others.
            </Empty>
          ) : (
            <div className="stack">
              {found.map((one) => <LinkPanel key={one.id} at={at} one={one} mayEdit={mayEdit} published={site.published} />)}
            </div>
          )
        }
      </Asked>
      <NewLink at={at} open={making} onClose={() => setMaking(false)} />
    </Section>
  );
}

function LinkPanel({ at, one, mayEdit, published }: { at: At; one: sites.ShareLink; mayEdit: boolean; published: boolean }) {
  const [going, setGoing] = useState(false);
  const stale = [["site", at.site, "share-links"]];
  const change = useDeed((active: boolean) => sites.changeShareLink(at.org, at.site, one.id, { active }), { stale, failed: fail });
  const remove = useDeed(() => sites.removeShareLink(at.org, at.site, one.id), { stale, done: () => setGoing(false) });
  return (
    <div className="panel">
      <div className="row">
        <span className="grow"><span className="strong">{one.name}</span> <span className="note">made <Ago at={one.createdAt} /></span></span>
        <Badge tone={one.active ? "success" : "neutral"}>{one.active ? "On" : "Off"}</Badge>
        {mayEdit && (
          <Menu
            label={`Link ${one.name}`}
            button={<Button small look="quiet" aria-label={`More of ${one.name}`} icon={<MoreHorizontal />} />}
            choices={[
              { id: "switch", words: one.active ? "Switch off" : "Switch on", note: one.active ? "Who has it sees nothing until it is on again" : undefined, act: () => change.mutate(!one.active) },
              { id: "delete", words: "Delete", danger: true, act: () => setGoing(true) },
            ]}
          />
        )}
      </div>
      {one.urls.published ? <Copied hush label={`link ${one.name}`} value={one.urls.published} /> : <p className="note">{published ? "Its address is given to who may edit the site." : "It has an address as soon as the site is published."}</p>}
      <Confirm title={`Delete the link ${one.name}?`} open={going} onClose={() => setGoing(false)} yes="Delete" isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
        <p>Whoever has it reads the site no more. A link that was deleted does not come back; a new one has another address.</p>
      </Confirm>
    </div>
  );
}

function NewLink({ at, open, onClose }: { at: At; open: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const deed = useDeed(() => sites.addShareLink(at.org, at.site, name.trim()), {
    stale: [["site", at.site, "share-links"]],
    done: () => {
      setName("");
      onClose();
    },
  });
  const wrong = wrongs(deed.error, ["name"]);
  return (
    <Dialog title="New share link" open={open} onClose={onClose}>
      <Form save="Make link" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!name.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Name" value={name} onChange={setName} autoFocus help="Who gets it, such as Customers or Press." wrong={wrong.at("name")} />
      </Form>
    </Dialog>
  );
}
