/** Content: primary, of a change request, or of a revision, by the operations that each of them has. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { At } from "./addresses";
import { all, api, type Got, must, type Schemas } from "./client";

export type Page = Got<"/v1/spaces/{spaceId}/content/pages">["pages"][number];
export type Comment = Schemas["Comment"];
export type Reply = Schemas["CommentReply"];
export type Changes = Got<"/v1/spaces/{spaceId}/revisions/{revisionId}/changes">;
export type Change = Changes["changes"][number];
export type Revision = Schemas["ListedRevision"];
export type Review = Schemas["Review"];

const WHOLE = 1000;
const key = (at: At) => [at.space, at.request ?? null, at.revision ?? null] as const;

export const space = (spaceId: string) =>
  queryOptions({
    queryKey: ["space", spaceId],
    queryFn: () => must(api.GET("/v1/spaces/{spaceId}", { params: { path: { spaceId } } })),
  });

export const pages = (at: At) =>
  queryOptions({
    queryKey: ["pages", ...key(at)],
    queryFn: async () => {
      const path = { spaceId: at.space };
      const query = { computed: true, metadata: false };
      if (at.request !== undefined)
        return (
          await must(
            api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/pages", {
              params: { path: { ...path, changeRequestId: String(at.request) }, query },
            }),
          )
        ).pages;
      if (at.revision)
        return (
          await must(
            api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/pages", { params: { path: { ...path, revisionId: at.revision }, query } }),
          )
        ).pages;
      return (await must(api.GET("/v1/spaces/{spaceId}/content/pages", { params: { path, query } }))).pages;
    },
  });

/** A page as readers see it, with the keys of its blocks in comments. */
export const html = (at: At, pageId: string) =>
  queryOptions({
    queryKey: ["html", ...key(at), pageId],
    queryFn: () => {
      const path = { spaceId: at.space, pageId };
      const query = { nodes: true };
      if (at.request !== undefined)
        return must(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html", {
            params: { path: { ...path, changeRequestId: String(at.request) }, query },
          }),
        );
      if (at.revision)
        return must(
          api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html", { params: { path: { ...path, revisionId: at.revision }, query } }),
        );
      return must(api.GET("/v1/spaces/{spaceId}/content/page/{pageId}/html", { params: { path, query } }));
    },
  });

/** Every file of a change request. */
export const files = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["files", spaceId, number],
    queryFn: () =>
      all((page) =>
        must(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files", {
            params: { path: { spaceId, changeRequestId: String(number) }, query: { page, limit: WHOLE, metadata: false } },
          }),
        ),
      ),
    staleTime: 60_000,
  });

export const comments = (at: At, targetPage?: string) =>
  queryOptions({
    queryKey: ["comments", ...key(at), targetPage ?? null],
    queryFn: () => {
      const query = { format: "document" as const, status: "all" as const, order: "asc" as const, limit: WHOLE, targetPage };
      const path = { spaceId: at.space };
      return at.request === undefined
        ? must(api.GET("/v1/spaces/{spaceId}/comments", { params: { path, query } }))
        : must(
            api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments", {
              params: { path: { ...path, changeRequestId: String(at.request) }, query },
            }),
          );
    },
  });

export const replies = (at: At, commentId: string) =>
  queryOptions({
    queryKey: ["replies", ...key(at), commentId],
    queryFn: () => {
      const query = { format: "document" as const, order: "asc" as const, limit: WHOLE };
      const path = { spaceId: at.space, commentId };
      return at.request === undefined
        ? must(api.GET("/v1/spaces/{spaceId}/comments/{commentId}/replies", { params: { path, query } }))
        : must(
            api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies", {
              params: { path: { ...path, changeRequestId: String(at.request) }, query },
            }),
          );
    },
  });

export function postComment(at: At, markdown: string, page?: string, node?: string): Promise<Comment> {
  const body = { body: { markdown }, page, node };
  const path = { spaceId: at.space };
  return at.request === undefined
    ? must(api.POST("/v1/spaces/{spaceId}/comments", { params: { path }, body }))
    : must(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments", {
          params: { path: { ...path, changeRequestId: String(at.request) } },
          body,
        }),
      );
}

export function postReply(at: At, commentId: string, markdown: string): Promise<Reply> {
  const body = { body: { markdown } };
  const path = { spaceId: at.space, commentId };
  return at.request === undefined
    ? must(api.POST("/v1/spaces/{spaceId}/comments/{commentId}/replies", { params: { path }, body }))
    : must(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies", {
          params: { path: { ...path, changeRequestId: String(at.request) } },
          body,
        }),
      );
}

export function changeComment(at: At, commentId: string, body: Schemas["UpdateComment"]): Promise<Comment> {
  const path = { spaceId: at.space, commentId };
  return at.request === undefined
    ? must(api.PUT("/v1/spaces/{spaceId}/comments/{commentId}", { params: { path }, body }))
    : must(
        api.PUT("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}", {
          params: { path: { ...path, changeRequestId: String(at.request) } },
          body,
        }),
      );
}

export const backlinks = (at: At, pageId: string) =>
  queryOptions({
    queryKey: ["backlinks", ...key(at), pageId],
    queryFn: () =>
      must(api.GET("/v1/spaces/{spaceId}/content/page/{pageId}/backlinks", { params: { path: { spaceId: at.space, pageId }, query: { limit: 50 } } })),
    staleTime: 60_000,
  });

/** Links of primary content that lead nowhere. */
export const broken = (spaceId: string) =>
  queryOptions({
    queryKey: ["links", spaceId, "broken"],
    queryFn: () => must(api.GET("/v1/spaces/{spaceId}/links", { params: { path: { spaceId }, query: { status: "broken", limit: 200 } } })),
  });

/** Where a PDF is fetched, once it is made; `page` is one page with what is below it. */
export const pdf = (at: At, page?: string) =>
  queryOptions({
    queryKey: ["pdf", ...key(at), page ?? null],
    queryFn: () =>
      must(
        at.request === undefined
          ? api.GET("/v1/spaces/{spaceId}/pdf", { params: { path: { spaceId: at.space }, query: { page } } })
          : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf", {
              params: { path: { spaceId: at.space, changeRequestId: String(at.request) }, query: { page } },
            }),
      ),
  });

export const pdfProgress = (at: At, page?: string) =>
  queryOptions({
    queryKey: ["pdf-progress", ...key(at), page ?? null],
    queryFn: () =>
      must(
        at.request === undefined
          ? api.GET("/v1/spaces/{spaceId}/pdf/progress", { params: { path: { spaceId: at.space }, query: { page } } })
          : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf/progress", {
              params: { path: { spaceId: at.space, changeRequestId: String(at.request) }, query: { page } },
            }),
      ),
  });

/** Revisions of what readers see, the newest first, fifty at a time; of a page those that changed it. */
export const revisions = (spaceId: string, pageId?: string) =>
  infiniteQueryOptions({
    queryKey: ["revisions", spaceId, pageId ?? null],
    queryFn: ({ pageParam }) => must(api.GET("/v1/spaces/{spaceId}/revisions", { params: { path: { spaceId }, query: { limit: 50, pageId, page: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next?.page,
  });

/** What a revision changed: against the one before, or against any other. */
export const revisionChanges = (spaceId: string, revisionId: string, against?: string) =>
  queryOptions({
    queryKey: ["revision-changes", spaceId, revisionId, against ?? null],
    queryFn: () =>
      must(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/changes", { params: { path: { spaceId, revisionId }, query: { limit: 100, against } } })),
    staleTime: Infinity,
  });

/** A page in two revisions, block by block, as readers see those that differ. */
export const revisionPage = (spaceId: string, revisionId: string, pageId: string, against: string) =>
  queryOptions({
    queryKey: ["revision-page", spaceId, revisionId, pageId, against],
    queryFn: () =>
      must(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/changes/pages/{pageId}", { params: { path: { spaceId, revisionId, pageId }, query: { html: true, against } } })),
    staleTime: 60_000,
  });

export function restore(spaceId: string, revisionId: string) {
  return must(api.POST("/v1/spaces/{spaceId}/revisions/{revisionId}/restore", { params: { path: { spaceId, revisionId } } }));
}

/** Every page of a table of contents, in reading order, with what stands above it. */
export function flat(list: Page[], above: Page[] = []): { page: Page; above: Page[] }[] {
  return list.flatMap((page) => [{ page, above }, ...flat("pages" in page ? page.pages : [], [...above, page])]);
}

/** The page that an address names, by path or id; without words the first document. */
export function find(list: Page[], word: string): { page: Page; above: Page[] } | undefined {
  const known = flat(list);
  if (!word) return known.find((one) => one.page.type === "document");
  const path = word.toLowerCase();
  return known.find((one) => one.page.id === word) ?? known.find((one) => "path" in one.page && one.page.path === path);
}

/** A site that shows the space to everybody, published at once. */
export async function publish(organizationId: string, spaceId: string, title: string) {
  const site = await must(api.POST("/v1/orgs/{organizationId}/sites", { params: { path: { organizationId } }, body: { title, spaces: [spaceId] } }));
  await must(api.POST("/v1/orgs/{organizationId}/sites/{siteId}/publish", { params: { path: { organizationId, siteId: site.id } } }));
  return site;
}

export function createChangeRequest(spaceId: string, subject: string) {
  return must(api.POST("/v1/spaces/{spaceId}/change-requests", { params: { path: { spaceId } }, body: { subject } }));
}

export const changeRequest = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["change-request", spaceId, number],
    queryFn: () =>
      must(
        api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", {
          params: { path: { spaceId, changeRequestId: String(number) } },
        }),
      ),
  });

export const everyReviewer = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["reviewers", spaceId, number],
    queryFn: () =>
      all((page) =>
        must(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers", {
            params: { path: { spaceId, changeRequestId: String(number) }, query: { page, limit: 100 } },
          }),
        ),
      ),
  });
