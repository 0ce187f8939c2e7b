/** Descriptions of APIs: where they come from, what was wrong with them, their versions. */
import { useQuery } from "@tanstack/react-query";
import { Braces, MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { addSpec, putSpec, removeSpec, type Spec, specOf, specs, versions } from "../../api/plumbing";
import { organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { download } from "../../parts/download";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Menu } from "../../parts/menu";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Changes } from "./openapi-changes";
import { Manage } from "./side";

export default function Specs({ org }: { org: string }) {
  const asked = useQuery(specs(org));
  const may = useQuery(organization(org)).data?.permissions.createOpenAPISpec;
  const [putting, setPutting] = useState<Spec | "new" | null>(null);
  const make = may && <Button look="primary" icon={<Plus />} onPress={() => setPutting("new")}>Add a specification</Button>;
  return (
    <Manage org={org} part="openapi" title="OpenAPI specifications">
      <Head title="OpenAPI specifications" note="Pages show their operations, and follow the newest version." actions={<><Help chapter="running/openapi" />{make}</>} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? <Empty icon={<Braces />} title="No specification yet" action={make}>Give the address of one, which is read again by itself, or a file.</Empty> : <div className="stack">{found.map((one) => <One key={one.id} org={org} one={one} onPut={() => setPutting(one)} />)}</div>
        }
      </Asked>
      {putting && <Putting org={org} spec={putting} onClose={() => setPutting(null)} />}
    </Manage>
  );
}

const CODES = { FETCH_ERROR: "It could not be fetched.", FETCH_TIMEOUT: "Fetching it took too long.", PARSE_ERROR: "It could not be read." };

function One({ org, one, onPut }: { org: string; one: Spec; onPut: () => void }) {
  const [shows, setShows] = useState(false);
  const [going, setGoing] = useState(false);
  const remove = useDeed(() => removeSpec(org, one.slug), { stale: [["specs", org]], done: () => setGoing(false) });
  const busy = one.processingState !== "complete";
  return (
    <div className="panel">
      <div className="row">
        <span className="grow"><span className="strong">{one.slug}</span><br /><span className="note">{one.sourceURL ?? "From a file"}{one.lastProcessedAt && <> · read <Ago at={one.lastProcessedAt} /></>}</span></span>
        <Badge tone={busy ? "info" : one.lastProcessErrorCode ? "danger" : "success"}>{busy ? "Is being read" : one.lastProcessErrorCode ? "Broken" : "In use"}</Badge>
        {one.permissions.edit && (
          <Menu
            label={`Specification ${one.slug}`}
            button={<Button small look="quiet" aria-label={`More of ${one.slug}`} icon={<MoreHorizontal />} />}
            choices={[{ id: "put", words: "Another version", act: onPut }, { id: "delete", words: "Delete", danger: true, act: () => setGoing(true) }]}
          />
        )}
      </div>
      {one.lastProcessErrorCode && <p className="wrong">{CODES[one.lastProcessErrorCode]} {one.lastProcessedErrors?.map((error) => error.message).join(" ")}</p>}
      <div><Button small aria-expanded={shows} onPress={() => setShows(!shows)}>{shows ? "Hide versions" : "Versions"}</Button></div>
      {shows && <Versions org={org} slug={one.slug} />}
      <Confirm title={`Delete ${one.slug}?`} open={going} onClose={() => setGoing(false)} yes="Delete" word={one.slug} isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
        <p>Pages that show its operations have empty places there, and its versions go.</p>
      </Confirm>
    </div>
  );
}

function Versions({ org, slug }: { org: string; slug: string }) {
  const asked = useQuery(versions(org, slug));
  const [compared, setCompared] = useState<{ from: string; to: string } | null>(null);
  const text = useDeed((id: string) => specOf(org, slug, id), { stale: [], failed: fail, done: (found) => download(`${slug}.json`, JSON.stringify(found, null, 2), "application/json") });
  const items = asked.data?.items ?? [];
  const before = (id: string) => items[items.findIndex((one) => one.id === id) + 1];
  return (
   <>
    <Asked of={asked} say={sentence}>
      {(found) =>
        found.items.length === 0 ? <p className="note">None was read yet.</p> : (
          <Table
            label={`Versions of ${slug}`}
            rows={found.items}
            rowKey={(one) => one.id}
            columns={[
              { name: "Read", cell: (one) => <Ago at={one.createdAt} /> },
              {
                name: "",
                cell: (one) => {
                  const last = before(one.id);
                  return (
                    <span className="row wrap">
                      {last && <Button small onPress={() => setCompared({ from: last.id, to: one.id })}>What changed</Button>}
                      <Button small isPending={text.isPending} onPress={() => text.mutate(one.id)}>Download</Button>
                    </span>
                  );
                },
              },
            ]}
          />
        )
      }
    </Asked>
    {compared && <Changes org={org} slug={slug} {...compared} onClose={() => setCompared(null)} />}
   </>
  );
}

function Putting({ org, spec, onClose }: { org: string; spec: Spec | "new"; onClose: () => void }) {
  const isNew = spec === "new";
  const { value: it, set } = useDraft({ slug: isNew ? "" : spec.slug, url: isNew ? "" : (spec.sourceURL ?? ""), text: "" });
  const source = it.text ? { text: it.text } : { url: it.url.trim() };
  const deed = useDeed(() => (isNew ? addSpec(org, { slug: it.slug.trim(), source }) : putSpec(org, it.slug, source)), {
    stale: [["specs", org]],
    done: () => {
      onClose();
      toast("It is being read.");
    },
  });
  const wrong = wrongs(deed.error, ["slug", "source"]);
  return (
    <Dialog title={isNew ? "Add a specification" : `Another version of ${spec.slug}`} open onClose={onClose}>
      <Form save={isNew ? "Add" : "Read it"} onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!it.slug.trim() || !(it.url.trim() || it.text)} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        {isNew && <Field label="Name" value={it.slug} onChange={set("slug")} autoFocus placeholder="payments" wrong={wrong.at("slug")} help="Pages name it so." />}
        <Field label="Address" type="url" value={it.url} onChange={set("url")} placeholder="https://example.com/openapi.json" wrong={it.text ? undefined : wrong.at("source")} help="It is read again by itself." />
        <label className="field">
          <span>Or a file</span>
          <input type="file" accept=".json,.yaml,.yml" onChange={(event) => void event.target.files?.[0]?.text().then(set("text"))} />
        </label>
        {it.text && wrong.at("source") && <span className="wrong">{wrong.at("source")}</span>}
      </Form>
    </Dialog>
  );
}
