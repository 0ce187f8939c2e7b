/** Arranging pages: changes of a table of contents, sent as one batch, and what the table looks like ahead of the answer. */
import type { At } from "./addresses";
import { api, must, type Schemas } from "./client";
import type { Page } from "./content";

export type Change = Schemas["ContentChanges"]["changes"][number];
export type Place = { into: string | null; at: number };
/** As many changes as one batch may hold. */
const BATCH = 50;

export type Made = { pages: string[]; files: string[] };

/** Make changes in order; those of a long list go in several batches. The ids of pages and files that were made. */
export async function change(at: At, changes: Change[]): Promise<Made> {
  const made: Made = { pages: [], files: [] };
  for (let from = 0; from < changes.length; from += BATCH) {
    const body = { changes: changes.slice(from, from + BATCH) };
    const done = await must(
      at.request === undefined
        ? api.POST("/v1/spaces/{spaceId}/content", { params: { path: { spaceId: at.space }, query: { compat: false } }, body })
        : api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
            params: { path: { spaceId: at.space, changeRequestId: String(at.request) }, query: { compat: false } },
            body,
          }),
    );
    if (!("changes" in done)) continue;
    for (const one of done.changes) if (one.object === "created_page") made.pages.push(one.page.id);
    made.files.push(...done.insertedFiles.map((one) => one.id));
  }
  return made;
}

export const below = (page: Page): Page[] => ("pages" in page ? page.pages : []);

/** Where a page stands: below which one, and the how manyth. */
export function placeOf(list: Page[], id: string, into: string | null = null): Place | undefined {
  const at = list.findIndex((one) => one.id === id);
  if (at >= 0) return { into, at };
  for (const one of list) {
    const found = placeOf(below(one), id, one.id);
    if (found) return found;
  }
  return undefined;
}

export function siblings(list: Page[], into: string | null): Page[] {
  if (into === null) return list;
  for (const one of list) {
    if (one.id === into) return below(one);
    const found = siblings(below(one), into);
    if (found.length > 0) return found;
  }
  return [];
}

/** The page and everything below it, in reading order. */
export function family(page: Page): Page[] {
  return [page, ...below(page).flatMap(family)];
}

export function without(list: Page[], id: string): Page[] {
  return list.filter((one) => one.id !== id).map((one) => (below(one).length > 0 ? ({ ...one, pages: without(below(one), id) } as Page) : one));
}

export function altered(list: Page[], id: string, how: (page: Page) => Page): Page[] {
  return list.map((one) => {
    if (one.id === id) return how(one);
    return below(one).length > 0 ? ({ ...one, pages: altered(below(one), id, how) } as Page) : one;
  });
}

/** The table with a page at another place; `at` counts the siblings without it. */
export function moved(list: Page[], id: string, to: Place): Page[] {
  const page = find(list, id);
  if (!page) return list;
  const put = (among: Page[]) => [...among.slice(0, to.at), page, ...among.slice(to.at)];
  const rest = without(list, id);
  if (to.into === null) return put(rest);
  return altered(rest, to.into, (one) => ("pages" in one ? ({ ...one, pages: put(one.pages) } as Page) : one));
}

function find(list: Page[], id: string): Page | undefined {
  for (const one of list) {
    const found = one.id === id ? one : find(below(one), id);
    if (found) return found;
  }
  return undefined;
}

export type Way = "up" | "down" | "in" | "out";

/** Where one step by keyboard leads: among its siblings, below the one before it, or out behind the page above; null = nowhere. */
export function step(list: Page[], id: string, way: Way): Place | null {
  const place = placeOf(list, id);
  const page = find(list, id);
  if (!place || !page) return null;
  const beside = siblings(list, place.into);
  if (way === "up") return place.at > 0 ? { ...place, at: place.at - 1 } : null;
  if (way === "down") return place.at < beside.length - 1 ? { ...place, at: place.at + 1 } : null;
  if (way === "in") {
    const before = beside[place.at - 1];
    return before && takes(page, before) ? { into: before.id, at: below(before).length } : null;
  }
  if (place.into === null) return null;
  const above = placeOf(list, place.into);
  return above ? { into: above.into, at: above.at + 1 } : null;
}

/** Whether a page can stand below another: groups stand at the top, and only pages and groups have something below them. */
export function takes(page: Page, into: Page): boolean {
  return page.type !== "group" && (into.type === "document" || into.type === "group") && !family(page).some((one) => one.id === into.id);
}

/** Where a page that was dropped beside or on another comes to stand; null where it cannot. */
export function dropped(list: Page[], id: string, target: string, where: "before" | "after" | "on"): Place | null {
  const page = find(list, id);
  const goal = find(list, target);
  if (!page || !goal || id === target) return null;
  if (where === "on") return takes(page, goal) ? { into: target, at: below(goal).filter((one) => one.id !== id).length } : null;
  const rest = without(list, id);
  const place = placeOf(rest, target);
  if (!place) return null;
  const above = place.into === null ? undefined : find(list, place.into);
  if (above && !takes(page, above)) return null;
  return { into: place.into, at: place.at + (where === "after" ? 1 : 0) };
}
