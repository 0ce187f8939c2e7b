/** Reviewing and merging: what a change request changes, what the rules say, who looks at it. */
import { queryOptions } from "@tanstack/react-query";
import { api, must, type Schemas } from "./client";

const path = (spaceId: string, number: number) => ({ spaceId, changeRequestId: String(number) });
const ONE = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}";

export const changes = (spaceId: string, number: number, revision: string) =>
  queryOptions({
    queryKey: ["changes", spaceId, number, revision],
    queryFn: () => must(api.GET(`${ONE}/changes`, { params: { path: path(spaceId, number), query: { limit: 200 } } })),
  });

export const compared = (spaceId: string, number: number, revision: string, pageId: string) =>
  queryOptions({
    queryKey: ["compared", spaceId, number, revision, pageId],
    queryFn: () => must(api.GET(`${ONE}/changes/pages/{pageId}`, { params: { path: { ...path(spaceId, number), pageId }, query: { html: true } } })),
    staleTime: 60_000,
  });

export const mergeability = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["change-request", spaceId, number, "mergeability"],
    queryFn: () => must(api.GET(`${ONE}/mergeability`, { params: { path: path(spaceId, number) } })),
  });

export const reviews = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["change-request", spaceId, number, "reviews"],
    queryFn: () => must(api.GET(`${ONE}/reviews`, { params: { path: path(spaceId, number), query: { limit: 100, format: "document" } } })),
  });

export const reviewers = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["change-request", spaceId, number, "reviewers"],
    queryFn: () => must(api.GET(`${ONE}/requested-reviewers`, { params: { path: path(spaceId, number), query: { limit: 100 } } })),
  });

export const update = (spaceId: string, number: number, body: Schemas["UpdateChangeRequest"]) =>
  must(api.PATCH(ONE, { params: { path: path(spaceId, number) }, body }));

export const merge = (spaceId: string, number: number) => must(api.POST(`${ONE}/merge`, { params: { path: path(spaceId, number) } }));

/** Bring primary content into it. */
export const pull = (spaceId: string, number: number) => must(api.POST(`${ONE}/update`, { params: { path: path(spaceId, number) } }));

export const review = (spaceId: string, number: number, body: Schemas["SubmitReview"]) =>
  must(api.POST(`${ONE}/reviews`, { params: { path: path(spaceId, number) }, body }));

export const ask = (spaceId: string, number: number, users: string[]) =>
  must(api.POST(`${ONE}/requested-reviewers`, { params: { path: path(spaceId, number) }, body: { users } }));

export const preview = (spaceId: string, number: number) => must(api.GET(`${ONE}/preview`, { params: { path: path(spaceId, number) } }));

/** The revision that merged a change request, and the one before it. */
async function around(spaceId: string, number: number): Promise<[string, string] | undefined> {
  const at = { path: { spaceId } };
  let merged: string | undefined;
  let page: string | undefined;
  do {
    const found = await must(api.GET("/v1/spaces/{spaceId}/revisions", { params: { ...at, query: { limit: 100, page } } }));
    for (const one of found.items) {
      if (merged) return [merged, one.id];
      if (one.mergedFrom?.number === number) merged = one.id;
    }
    page = found.next?.page;
  } while (page);
  return undefined;
}

/** Propose that the pages which a merged change request changed become again what they were before it; the number of the proposal. */
export async function revert(spaceId: string, { number, subject }: { number: number; subject: string }): Promise<number> {
  const revisions = await around(spaceId, number);
  if (!revisions) throw new Error("The history does not have it any more: restore a revision there.");
  const [merged, before] = revisions;
  const found = await must(
    api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/changes", { params: { path: { spaceId, revisionId: merged }, query: { limit: 200, against: before } } }),
  );
  const steps = reverting(found.changes, before);
  if (found.more || steps.length === 0) throw new Error(`It changed ${found.more ? "very many" : "no"} pages: restore a revision in the history of the space.`);
  const made = await must(api.POST("/v1/spaces/{spaceId}/change-requests", { params: { path: { spaceId } }, body: { subject: `Revert #${number} ${subject}`.trim().slice(0, 100) } }));
  await must(api.POST(`${ONE}/content`, { params: { path: path(spaceId, made.number) }, body: { changes: steps } }));
  return made.number;
}

type Changed = Schemas["SemanticChanges"]["changes"];

/** Each page once; of what was added, what stands below goes first. */
export function reverting(changes: Changed, revision: string): { operation: "revert_page"; page: string; revision: string; block: string[] }[] {
  const depth = (one: { type: string; page: { path?: string } }) => (one.type === "page_created" ? (one.page.path ?? "").split("/").length : 0);
  const pages = changes.flatMap((one) => ("page" in one ? [one] : [])).sort((one, other) => depth(other) - depth(one));
  return [...new Set(pages.map((one) => one.page.id))].map((page) => ({ operation: "revert_page", page, revision, block: [] }));
}
