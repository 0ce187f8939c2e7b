/** The structure of a site as a tree that can be sorted, and what putting something elsewhere means for the API. */
import type { Pointer, Section, SiteSpace, Structure, Top } from "../../api/sites";

export type Item = Top | SiteSpace;
export type Node = { key: string; item: Item; parent: string | null; below: Node[] };

export const key = (item: Item): string => `${item.object} ${item.id}`;
export const pointer = (item: Item): Pointer => ({ type: item.object, id: item.id });

/** Groups with their sections, sections with their variants, external links; or variants alone. */
export function grown(structure: Structure): Node[] {
  return structure.structure.map((one) => node(one, null));
}

function node(item: Item, parent: string | null): Node {
  const own = key(item);
  const children: Item[] = item.object === "site-section-group" ? item.children : item.object === "site-section" ? item.siteSpaces : [];
  return { key: own, item, parent, below: children.map((child) => node(child as Item, own)) };
}

export function flat(nodes: Node[]): Node[] {
  return nodes.flatMap((one) => [one, ...flat(one.below)]);
}

export const variantsOf = (structure: Structure): SiteSpace[] =>
  flat(grown(structure)).flatMap(({ item }) => (item.object === "site-space" ? [item] : []));

export const sectionsOf = (structure: Structure): Section[] =>
  flat(grown(structure)).flatMap(({ item }) => (item.object === "site-section" ? [item] : []));

/** Whether something may stand among the children of `parent`; null is the top. */
export function fits(nodes: Node[], moved: Node, parent: Node | null): boolean {
  if (parent === null) return nodes.some((one) => one.item.object === "site-space") ? moved.item.object === "site-space" : moved.item.object !== "site-space";
  if (moved.item.object === "site-space") return parent.item.object === "site-section";
  if (parent.item.object !== "site-section-group" || parent.key === moved.key) return false;
  return !flat(moved.below).some((one) => one.key === parent.key);
}

/** Its neighbours: those that stand beside it. */
export function beside(nodes: Node[], one: Node): Node[] {
  return one.parent === null ? nodes : (flat(nodes).find((other) => other.key === one.parent)?.below ?? []);
}

/** What the API is asked for when something goes one place up or down among its neighbours; null at the end. */
export function step(nodes: Node[], one: Node, by: -1 | 1): { item: Pointer; position: { before: Pointer } | { after: Pointer } } | null {
  const among = beside(nodes, one);
  const next = among[among.findIndex((other) => other.key === one.key) + by];
  if (!next) return null;
  return { item: pointer(one.item), position: by < 0 ? { before: pointer(next.item) } : { after: pointer(next.item) } };
}
