/** The forms by which something comes into the structure of a site, and by which it is changed there. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useDeed } from "../../api/deed";
import { spaces } from "../../api/queries";
import { wrongs, type Wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Select } from "../../parts/select";
import { toast } from "../../parts/toast";
import type { At } from "./at";
import { flat, grown, type Node, sectionsOf } from "./order";

export type Adds = { kind: "section" | "group" | "link" } | { kind: "variant"; section?: string };

const TITLES = { section: "Add a section", variant: "Add a space as a variant", group: "Add a group", link: "Add a link to elsewhere" };
const FIELDS = ["title", "spaceId", "url", "description", "siteSectionGroupId", "sectionId", "path", "condition", "parent"];

export function Adding({ at, structure, adds, onClose }: { at: At; structure: sites.Structure; adds: Adds; onClose: () => void }) {
  const known = useQuery(spaces(at.org)).data ?? [];
  const sections = sectionsOf(structure);
  const groups = flat(grown(structure)).filter((one) => one.item.object === "site-section-group");
  const form = useDraft({ title: "", space: "", url: "", description: "", group: "", draft: false, section: adds.kind === "variant" ? (adds.section ?? sections.find((one) => one.default)?.id ?? "") : "" });
  const { value: it, set } = form;
  const deed = useDeed(() => add(at, adds.kind, it), {
    stale: [["site", at.site], ["sites", at.org]],
    done: () => {
      onClose();
      toast("It was added.");
    },
  });
  const wrong = wrongs(deed.error, FIELDS);
  const shows = adds.kind === "section" || adds.kind === "variant";
  const ready = shows ? it.space !== "" : it.title.trim() !== "" && (adds.kind !== "link" || it.url !== "");
  return (
    <Dialog title={TITLES[adds.kind]} open onClose={onClose}>
      <Form save="Add" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!ready} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        {shows && (
          <Select
            label="Space"
            value={it.space}
            onChange={set("space")}
            wrong={wrong.at("spaceId")}
            options={[{ value: "", words: "Choose a space" }, ...known.map((one) => ({ value: one.id, words: one.title || "Untitled space" })), { value: "new", words: "A new, empty space" }]}
          />
        )}
        {adds.kind === "variant" && sections.length > 0 && (
          <Select label="Of the section" value={it.section} onChange={set("section")} wrong={wrong.at("sectionId")} options={sections.map((one) => ({ value: one.id, words: one.title }))} />
        )}
        <Field label="Title" value={it.title} onChange={set("title")} wrong={wrong.at("title")} help={shows ? "As readers see it; without one, that of the space." : undefined} autoFocus={!shows} />
        {adds.kind === "link" && <Field label="Address" value={it.url} onChange={set("url")} wrong={wrong.at("url")} placeholder="https://" type="url" />}
        {adds.kind === "link" && <Field label="Description" value={it.description} onChange={set("description")} wrong={wrong.at("description")} />}
        {adds.kind !== "variant" && groups.length > 0 && (
          <Select label="Stands in" value={it.group} onChange={set("group")} options={[{ value: "", words: "The navigation itself" }, ...groups.map(({ item }) => ({ value: item.id, words: item.title }))]} />
        )}
        <Check label="Keep it a draft" help="Readers do not see it yet; previews do." value={it.draft} onChange={set("draft")} />
      </Form>
    </Dialog>
  );
}

type Typed = { title: string; space: string; url: string; description: string; group: string; section: string; draft: boolean };

function add({ org, site }: At, kind: Adds["kind"], it: Typed): Promise<unknown> {
  const title = it.title.trim() || undefined;
  const spaceId = it.space === "new" ? null : it.space;
  if (kind === "section") return sites.addSection(org, site, { spaceId, title, siteSectionGroupId: it.group || undefined, draft: it.draft });
  if (kind === "variant") return sites.addVariant(org, site, { spaceId, title, sectionId: it.section || undefined, draft: it.draft });
  if (kind === "group") return sites.addGroup(org, site, { title: title ?? "", parent: it.group || undefined, draft: it.draft });
  return sites.addExternal(org, site, { title: title ?? "", url: it.url, description: it.description || undefined, parent: it.group || undefined, draft: it.draft });
}

export function Editing({ at, node, onClose }: { at: At; node: Node; structure: sites.Structure; onClose: () => void }) {
  const { item } = node;
  const form = useDraft({
    title: item.title,
    path: "path" in item ? item.path : "",
    url: "url" in item ? item.url : "",
    description: ("description" in item && item.description) || "",
    condition: ("condition" in item && item.condition) || "",
    draft: item.draft,
  });
  const deed = useDeed(() => change(at, node, form.changes), {
    stale: [["site", at.site]],
    done: () => {
      onClose();
      toast("Saved.");
    },
  });
  const wrong = wrongs(deed.error, FIELDS);
  return (
    <Dialog title={`Change ${item.title || "it"}`} open onClose={onClose}>
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Fields node={node} form={form} wrong={wrong} />
      </Form>
    </Dialog>
  );
}

type Changed = { title: string; path: string; url: string; description: string; condition: string; draft: boolean };

function Fields({ node: { item }, form: { value: it, set }, wrong }: { node: Node; form: ReturnType<typeof useDraft<Changed>>; wrong: Wrongs }): ReactNode {
  const shows = item.object === "site-section" || item.object === "site-space";
  const [more, setMore] = useState(Boolean(it.condition));
  return (
    <>
      {item.object !== "site-space" && <Field label="Title" value={it.title} onChange={set("title")} wrong={wrong.at("title")} autoFocus />}
      {shows && <Field label="Path" value={it.path} onChange={set("path")} wrong={wrong.at("path")} help="One segment of its addresses; what links to the old one does not find it any more." />}
      {item.object === "site-external-link" && <Field label="Address" value={it.url} onChange={set("url")} wrong={wrong.at("url")} type="url" />}
      {(item.object === "site-section" || item.object === "site-external-link") && <Field label="Description" value={it.description} onChange={set("description")} wrong={wrong.at("description")} help="A line below the title in menus." />}
      <Check label="Draft" help="Readers do not see it; previews do." value={it.draft} onChange={set("draft")} />
      {item.object !== "site-section-group" &&
        (more ? (
          <Field label="Condition" value={it.condition} onChange={set("condition")} wrong={wrong.at("condition")} help="An expression over the visitor, such as visitor.claims.plan == 'pro'. Who does not fulfil it does not see this." />
        ) : (
          <Button small look="quiet" onPress={() => setMore(true)}>Show it to some visitors only</Button>
        ))}
    </>
  );
}

function change({ org, site }: At, { item }: Node, changes: Partial<Changed>): Promise<unknown> {
  const { title, path, url, draft } = changes;
  const condition = changes.condition === undefined ? undefined : changes.condition || null;
  const description = changes.description === undefined ? undefined : changes.description || null;
  if (item.object === "site-section") return sites.changeSection(org, site, item.id, { title, path, condition, description, draft });
  if (item.object === "site-section-group") return sites.changeGroup(org, site, item.id, { title, draft });
  if (item.object === "site-space") return sites.changeVariant(org, site, item.id, { path, condition, draft });
  return sites.changeExternal(org, site, item.id, { title, url, condition, description, draft });
}
