/** The structure of a site: sections, groups, variants and links to elsewhere; added, changed, put in order, taken out. */
import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, BookOpen, ExternalLink, Eye, EyeOff, Folder, LayoutList, MoreHorizontal, PanelTop, Pencil, Plus, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import * as sites from "../../api/sites";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Empty } from "../../parts/empty";
import { Help } from "../../parts/help";
import { type Choice, Menu } from "../../parts/menu";
import { Order, type OrderRow, type Where } from "../../parts/order";
import { Head } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import type { At, Shown } from "./at";
import { Adding, type Adds, Editing } from "./item-forms";
import { fits, flat, grown, type Node, pointer, step } from "./order";

export default function StructureScreen({ at, site }: Shown) {
  const asked = useQuery(sites.structure(at.org, at.site));
  const [adding, setAdding] = useState<Adds | null>(null);
  const mayEdit = site.permissions.edit;
  const grows: Choice[] = [
    { id: "section", words: "A section", note: "A tab of its own, with a space", icon: <PanelTop />, act: () => setAdding({ kind: "section" }) },
    { id: "variant", words: "A variant", note: "Another version or language of a section", icon: <BookOpen />, act: () => setAdding({ kind: "variant" }) },
    { id: "group", words: "A group", note: "A menu that holds sections and links", icon: <Folder />, act: () => setAdding({ kind: "group" }) },
    { id: "link", words: "A link to elsewhere", icon: <ExternalLink />, act: () => setAdding({ kind: "link" }) },
  ];
  return (
    <>
      <Head
        title="Structure"
        note="What stands in the navigation of the site, and in which order. Drag by the handle, or use its menu."
        actions={<><Help chapter="running/structure" />{mayEdit && <Menu label="Add" button={<Button look="primary" icon={<Plus />}>Add</Button>} choices={grows} />}</>}
      />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.structure.length === 0 ? (
            <Empty icon={<LayoutList />} title="The site shows nothing yet" action={mayEdit && <Button look="primary" onPress={() => setAdding({ kind: "variant" })}>Add a space</Button>}>
              Add a space; its pages are what readers find.
            </Empty>
          ) : (
            <Sorted at={at} structure={found} mayEdit={mayEdit} onAdd={setAdding} />
          )
        }
      </Asked>
      {asked.data && adding && <Adding at={at} structure={asked.data} adds={adding} onClose={() => setAdding(null)} />}
    </>
  );
}

function Sorted({ at, structure, mayEdit, onAdd }: { at: At; structure: sites.Structure; mayEdit: boolean; onAdd: (adds: Adds) => void }) {
  const nodes = grown(structure);
  const find = (id: string) => flat(nodes).find((one) => one.key === id);
  const deeds = useSorting(at);
  const may = (moved: string, target: string, where: Where) => {
    const [one, other] = [find(moved), find(target)];
    if (!one || !other) return false;
    if (where === "on") return one.item.object !== "site-space" && fits(nodes, one, other) && one.parent !== other.key;
    return one.key !== other.key && fits(nodes, one, other.parent === null ? null : (find(other.parent) ?? null)) && (one.item.object !== "site-space" || one.parent === other.parent);
  };
  const move = (moved: string, target: string, where: Where) => {
    const [one, other] = [find(moved), find(target)];
    if (one && other) deeds.place.mutate({ one, other, where });
  };
  const [editing, setEditing] = useState<Node | null>(null);
  const [going, setGoing] = useState<Node | null>(null);
  const row = (one: Node): OrderRow => ({
    id: one.key,
    words: one.item.title || (one.item.object === "site-space" ? one.item.space.title : "Untitled"),
    icon: ICONS[one.item.object],
    note: note(one),
    end: (
      <>
        <Marks one={one} />
        {mayEdit && <Deeds nodes={nodes} one={one} at={at} onEdit={() => setEditing(one)} onRemove={() => setGoing(one)} onAdd={onAdd} sort={deeds.sort.mutate} />}
      </>
    ),
    below: one.below.map(row),
  });
  return (
    <>
      <Order label="Structure of the site" rows={nodes.map(row)} may={may} onMove={move} still={!mayEdit} />
      {editing && <Editing at={at} node={editing} structure={structure} onClose={() => setEditing(null)} />}
      {going && <Removing at={at} node={going} onClose={() => setGoing(null)} />}
    </>
  );
}

const ICONS = { "site-section": <PanelTop />, "site-section-group": <Folder />, "site-space": <BookOpen />, "site-external-link": <ExternalLink /> };

function note({ item, below }: Node): string {
  if (item.object === "site-external-link") return item.url;
  if (item.object === "site-section-group") return below.length ? `Group of ${below.length}` : "Empty group";
  const variants = item.object === "site-section" && below.length > 1 ? ` · ${below.length} variants` : "";
  return `/${item.path}${variants}`;
}

function Marks({ one: { item } }: { one: Node }) {
  return (
    <span className="row wrap">
      {"default" in item && item.default && <Badge tone="info">First</Badge>}
      {item.draft && <Badge>Draft</Badge>}
      {"hidden" in item && item.hidden && <Badge>Hidden</Badge>}
      {"condition" in item && item.condition && <Badge tone="warning">Conditional</Badge>}
    </span>
  );
}

/** Puts things in order: beside a sibling at once, elsewhere by first putting them into the group. */
function useSorting(at: At) {
  const stale = [["site", at.site]];
  const sort = useDeed((body: Parameters<typeof sites.sort>[2]) => sites.sort(at.org, at.site, body), { stale, failed: fail });
  const place = useDeed(
    async ({ one, other, where }: { one: Node; other: Node; where: Where }) => {
      const parent = where === "on" ? other.key : other.parent;
      if (parent !== one.parent) await into(at, one, parent === null ? null : parent.split(" ")[1]!);
      if (where !== "on") await sites.sort(at.org, at.site, { item: pointer(one.item), position: where === "before" ? { before: pointer(other.item) } : { after: pointer(other.item) } });
    },
    { stale, failed: fail },
  );
  return { sort, place };
}

function into(at: At, { item }: Node, group: string | null): Promise<unknown> {
  if (item.object === "site-section") return sites.changeSection(at.org, at.site, item.id, { siteSectionGroupId: group });
  if (item.object === "site-section-group") return sites.changeGroup(at.org, at.site, item.id, { parentSectionGroupId: group });
  return sites.changeExternal(at.org, at.site, item.id, { parent: group });
}

type DeedsProps = { nodes: Node[]; one: Node; at: At; onEdit: () => void; onRemove: () => void; onAdd: (adds: Adds) => void; sort: (body: Parameters<typeof sites.sort>[2]) => void };

function Deeds({ nodes, one, at, onEdit, onRemove, onAdd, sort }: DeedsProps) {
  const stale = [["site", at.site]];
  const act = useDeed((what: () => Promise<unknown>) => what(), { stale, failed: fail });
  const [up, down] = [step(nodes, one, -1), step(nodes, one, 1)];
  const { item } = one;
  const choices: Choice[] = [{ id: "edit", words: "Change", icon: <Pencil />, act: onEdit }];
  if (up) choices.push({ id: "up", words: "Move up", icon: <ArrowUp />, act: () => sort(up) });
  if (down) choices.push({ id: "down", words: "Move down", icon: <ArrowDown />, act: () => sort(down) });
  if (item.object === "site-section") choices.push({ id: "variant", words: "Add a variant", icon: <Plus />, act: () => onAdd({ kind: "variant", section: item.id }) });
  if (item.object !== "site-space") {
    const groups = flat(nodes).filter((other) => other.item.object === "site-section-group" && other.key !== one.parent && fits(nodes, one, other));
    for (const group of groups) choices.push({ id: group.key, words: `Into ${group.item.title}`, icon: <Folder />, act: () => act.mutate(() => into(at, one, group.item.id)) });
    if (one.parent !== null) choices.push({ id: "out", words: "Out of the group", icon: <Folder />, act: () => act.mutate(() => into(at, one, null)) });
  }
  if (item.object === "site-space" && !item.default) choices.push({ id: "first", words: "Shown first", icon: <Star />, act: () => act.mutate(() => first(at, one)) });
  if (item.object === "site-section" && !item.default) choices.push({ id: "first", words: "Shown first", icon: <Star />, act: () => act.mutate(() => sites.change(at.org, at.site, { defaultSiteSection: item.id })) });
  if (item.object === "site-space")
    choices.push({ id: "hide", words: item.hidden ? "List it" : "Hide it", note: item.hidden ? undefined : "Reached by its address alone", icon: item.hidden ? <Eye /> : <EyeOff />, act: () => act.mutate(() => sites.changeVariant(at.org, at.site, item.id, { hidden: !item.hidden })) });
  choices.push({ id: "rule", rule: true }, { id: "remove", words: "Take out", icon: <Trash2 />, danger: true, act: onRemove });
  return <Menu label={`${item.title}: what can be done`} button={<Button small look="quiet" aria-label={`More of ${item.title || "this"}`} icon={<MoreHorizontal />} />} choices={choices} />;
}

function first(at: At, { item, parent }: Node): Promise<unknown> {
  if (parent === null) return sites.change(at.org, at.site, { defaultSiteSpace: item.id });
  return sites.changeSection(at.org, at.site, parent.split(" ")[1]!, { defaultSiteSpace: item.id });
}

function Removing({ at, node, onClose }: { at: At; node: Node; onClose: () => void }) {
  const { item } = node;
  const deed = useDeed(() => sites.removeItem(at.org, at.site, pointer(item)), {
    stale: [["site", at.site], ["sites", at.org]],
    done: () => {
      onClose();
      toast(`${item.title || "It"} was taken out of the site.`);
    },
  });
  const held = node.below.length;
  return (
    <Confirm title={`Take out ${item.title || "this"}?`} open onClose={onClose} yes="Take out" isPending={deed.isPending} wrong={deed.error ? sentence(deed.error) : undefined} onYes={() => deed.mutate()}>
      {item.object === "site-section" && <p>The section goes with its {held === 1 ? "variant" : `${held} variants`}. The spaces that it shows stay as they are; their addresses on this site answer “not found”.</p>}
      {item.object === "site-section-group" && <p>The group goes; what it holds takes its place in the navigation.</p>}
      {item.object === "site-space" && <p>The site does not show the space any more. The space itself stays; its addresses on this site answer “not found”.</p>}
      {item.object === "site-external-link" && <p>The link to {item.url} goes from the navigation.</p>}
    </Confirm>
  );
}

