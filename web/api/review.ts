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
