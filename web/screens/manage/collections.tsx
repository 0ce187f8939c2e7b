/** Collections: shelves of spaces, each with its title, place, people and end. */
import { useQuery } from "@tanstack/react-query";
import { FolderClosed, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeCollection, makeCollection, moveCollection, removeCollection } from "../../api/plumbing";
import { type Collection, collections, organization, spaces } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { useAccess } from "../../api/use-access";
import { Access } from "../../parts/access";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Entry, List } from "../../parts/list";
import { Select } from "../../parts/select";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

export default function Collections({ org, id }: { org: string; id?: string }) {
  const asked = useQuery(collections(org));
  return (
    <Manage org={org} part="collections" title="Collections">
      <Asked of={asked} say={sentence}>
        {(found) => {
          const one = found.find((it) => it.id === id);
          if (id && !one) return <Empty icon={<FolderClosed />} title="There is no such collection" action={<ButtonLink href={addresses.manage(org, "collections")}>All collections</ButtonLink>} />;
          return one ? <One key={one.id} org={org} one={one} found={found} /> : <All org={org} found={found} />;
        }}
      </Asked>
    </Manage>
  );
}

/** Its titles from the outermost to it. */
function path(one: Collection, found: Collection[]): Collection[] {
  const above = found.find((it) => it.id === one.parent);
  return above && above !== one ? [...path(above, found.filter((it) => it !== one)), one] : [one];
}
const words = (one: Collection, found: Collection[]) => path(one, found).map((it) => it.title || "Untitled collection").join(" / ");

function All({ org, found }: { org: string; found: Collection[] }) {
  const known = useQuery(spaces(org)).data ?? [];
  const may = useQuery(organization(org)).data?.permissions.createContent;
  const [making, setMaking] = useState(false);
  const count = (id: string) => known.filter((one) => one.parent === id).length;
  const make = may && <Button look="primary" icon={<Plus />} onPress={() => setMaking(true)}>New collection</Button>;
  return (
    <>
      <Head title="Collections" note="A collection holds spaces and further collections; what it says about people holds for what is in it." actions={<><Help chapter="collaboration/spaces" />{make}</>} />
      {found.length === 0 ? <Empty icon={<FolderClosed />} title="No collection yet" action={make}>Spaces can be put together by team, product or reader.</Empty> : (
        <List label="Collections">
          {[...found].sort((a, b) => words(a, found).localeCompare(words(b, found))).map((one) => (
            <Entry key={one.id} href={`${addresses.manage(org, "collections")}/${one.id}`} lead={<FolderClosed />} title={words(one, found)} note={`${count(one.id) === 1 ? "1 space" : `${count(one.id)} spaces`}${one.description ? ` · ${one.description}` : ""}`} />
          ))}
        </List>
      )}
      {making && <Making org={org} found={found} onClose={() => setMaking(false)} />}
    </>
  );
}

const TOP = { value: "", words: "The top of the organization" };

function Making({ org, found, onClose }: { org: string; found: Collection[]; onClose: () => void }) {
  const { value: it, set } = useDraft({ title: "", parent: "" });
  const deed = useDeed(() => makeCollection(org, { title: it.title.trim(), parent: it.parent || undefined }), { stale: [["collections", org]], done: onClose });
  const wrong = wrongs(deed.error, ["title", "parent"]);
  return (
    <Dialog title="New collection" open onClose={onClose}>
      <Form save="Make collection" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!it.title.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Title" value={it.title} onChange={set("title")} autoFocus wrong={wrong.at("title")} />
        <Select label="In" value={it.parent} onChange={set("parent")} wrong={wrong.at("parent")} options={[TOP, ...found.filter((one) => one.permissions.create).map((one) => ({ value: one.id, words: words(one, found) }))]} />
      </Form>
    </Dialog>
  );
}

function One({ org, one, found }: { org: string; one: Collection; found: Collection[] }) {
  const form = useDraft({ title: one.title, description: one.description ?? "", parent: one.parent ?? "" });
  const deed = useDeed(
    async () => {
      const { parent, ...said } = form.changes;
      if (Object.keys(said).length > 0) await changeCollection(one.id, said);
      if (parent !== undefined) await moveCollection(one.id, parent || null);
    },
    {
      stale: [["collections", org]],
      done: () => {
        form.forget();
        toast("Saved.");
      },
    },
  );
  const wrong = wrongs(deed.error, ["title", "description", "parent"]);
  const others = found.filter((it) => !path(it, found).includes(one) && it.permissions.create);
  return (
    <>
      <Head above={<Link className="link" href={addresses.manage(org, "collections")}>Collections</Link>} title={one.title || "Untitled collection"} actions={<><Help chapter="collaboration/spaces" /><ButtonLink href={`${addresses.home(org)}/c/${one.id}`}>Its spaces</ButtonLink></>} />
      <div className="panel form-narrow">
        <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || !one.permissions.admin} wrong={wrong.rest}>
          <Field label="Title" value={form.value.title} onChange={form.set("title")} wrong={wrong.at("title")} />
          <Field label="Description" lines={2} value={form.value.description} onChange={form.set("description")} wrong={wrong.at("description")} />
          <Select label="In" value={form.value.parent} onChange={form.set("parent")} wrong={wrong.at("parent")} options={[TOP, ...others.map((it) => ({ value: it.id, words: words(it, found) }))]} />
        </Form>
      </div>
      <Section title="Access"><People org={org} one={one} /></Section>
      {one.permissions.admin && <End org={org} one={one} found={found} />}
    </>
  );
}

function People({ org, one }: { org: string; one: Collection }) {
  const { asked, props } = useAccess(org, { kind: "collection", id: one.id }, one.defaultLevel, fail);
  return <Asked of={asked} say={sentence}>{() => props && <Access {...props} mayEdit={one.permissions.admin} />}</Asked>;
}

function End({ org, one, found }: { org: string; one: Collection; found: Collection[] }) {
  const [asks, setAsks] = useState(false);
  const [, go] = useLocation();
  const known = useQuery(spaces(org)).data ?? [];
  const within = known.filter((it) => it.parent === one.id).length;
  const above = found.find((it) => it.id === one.parent);
  const deed = useDeed(() => removeCollection(one.id), {
    stale: [["collections", org], ["spaces", org]],
    done: () => {
      go(addresses.manage(org, "collections"));
      toast(`${one.title} is gone. What it held is in ${above?.title ?? "the organization"} now.`);
    },
  });
  return (
    <Section title="Delete the collection">
      <div className="panel danger form-narrow">
        <p className="note">What it holds is not deleted: it moves to {above ? above.title : "the top of the organization"}, and people keep the roles that they have there.</p>
        <div><Button look="danger" onPress={() => setAsks(true)}>Delete the collection</Button></div>
      </div>
      <Confirm title={`Delete ${one.title}?`} open={asks} onClose={() => setAsks(false)} yes="Delete" word={one.title || undefined} isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
        <p>{within === 1 ? "Its one space moves" : `Its ${within} spaces move`} to {above ? above.title : "the top of the organization"}. Roles that were given on the collection go.</p>
      </Confirm>
    </Section>
  );
}
