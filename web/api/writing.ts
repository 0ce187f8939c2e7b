/** Writing a page of a change request: its source, its saving, its preview. */
import { api, must } from "./client";

const ONE = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}";

/** The source of a page as a revision has it. */
export async function source(spaceId: string, revisionId: string, pageId: string): Promise<string> {
  const page = await must(
    api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}", {
      params: { path: { spaceId, revisionId, pageId }, query: { format: "markdown", metadata: false } },
    }),
  );
  return ("markdown" in page && page.markdown) || "";
}

export type Saved = { revision: string; conflict: boolean };

/** Save a text that began from `revision`: what others wrote since is joined with it. */
export async function save(spaceId: string, number: number, page: string, markdown: string, revision: string): Promise<Saved> {
  const done = await must(
    api.POST(`${ONE}/content`, {
      params: { path: { spaceId, changeRequestId: String(number) }, query: { compat: false } },
      body: { changes: [{ operation: "update_page", page, document: { markdown }, revision }] },
    }),
  );
  if (!("changes" in done) || !done.changeRequest) throw new Error("The server did not say what it saved.");
  return { revision: done.changeRequest.revision, conflict: (done.conflicts?.length ?? 0) > 0 };
}

/** A new page at the end of the table of contents; its id. */
export async function insert(spaceId: string, number: number, title: string): Promise<string> {
  const done = await must(
    api.POST(`${ONE}/content`, {
      params: { path: { spaceId, changeRequestId: String(number) }, query: { compat: false } },
      body: { changes: [{ operation: "insert_page", title, document: { markdown: `# ${title}\n` } }] },
    }),
  );
  const made = "changes" in done ? done.changes[0] : undefined;
  if (made?.object !== "created_page") throw new Error("The server did not say which page it made.");
  return made.page.id;
}

/** The text as the page would show it. */
export const rendered = (spaceId: string, number: number, pageId: string, markdown: string, signal?: AbortSignal) =>
  must(
    api.POST(`${ONE}/content/page/{pageId}/html`, {
      params: { path: { spaceId, changeRequestId: String(number), pageId } },
      body: { markdown },
      signal,
    }),
  );
