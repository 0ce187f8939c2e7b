/** Writing a page of a change request, or of a live space (`LIVE`): its source, its saving, its preview. */
import { queryOptions } from "@tanstack/react-query";
import { api, must, type Schemas } from "./client";
import { upload as send } from "./files";
import { LIVE } from "./live";

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
  return saved(done);
}

function saved(done: Schemas["ChangeRequest"] | Schemas["ContentUpdate"]): Saved {
  const revision = "changes" in done ? (done.changeRequest?.revision ?? done.revision) : undefined;
  if (!("changes" in done) || !revision) throw new Error("The server did not say what it saved.");
  return { revision, conflict: (done.conflicts?.length ?? 0) > 0 };
}

export type Written = { document: Schemas["Document"]; title: string; description: string };

/** A page as a document with what stands above it, as a revision has it. */
export async function written(spaceId: string, revisionId: string, pageId: string): Promise<Written> {
  const page = await must(
    api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}", {
      params: { path: { spaceId, revisionId, pageId }, query: { format: "document", metadata: false } },
    }),
  );
  const document = ("document" in page && page.document) || { object: "document" as const, data: {}, nodes: [] };
  return { document: document as Schemas["Document"], title: page.title, description: ("description" in page && page.description) || "" };
}

/** Save a document that began from `revision`, and what else of the page changed. */
export async function keep(spaceId: string, number: number, page: string, now: Written, began: Written, revision: string): Promise<Saved> {
  const fields = {
    ...(now.title.trim() && now.title.trim() !== began.title ? { title: now.title.trim() } : {}),
    ...(now.description !== began.description ? { description: now.description } : {}),
  };
  const done = await must(
    api.POST(`${ONE}/content`, {
      params: { path: { spaceId, changeRequestId: String(number) }, query: { compat: false } },
      body: { changes: [{ operation: "update_page", page, ...fields, document: { document: now.document }, revision }] },
    }),
  );
  return saved(done);
}

/** The revision that a change request, or a live space, has now. */
export async function head(spaceId: string, number: number): Promise<string> {
  if (number === LIVE) return (await must(api.GET("/v1/spaces/{spaceId}", { params: { path: { spaceId } } }))).revision;
  return (await must(api.GET(ONE, { params: { path: { spaceId, changeRequestId: String(number) } } }))).revision;
}

/** The revision that one was made from. */
export async function above(spaceId: string, revisionId: string): Promise<string> {
  const { parents } = await must(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}", { params: { path: { spaceId, revisionId } } }));
  if (!parents[0]) throw new Error("Nothing stands above the first revision.");
  return parents[0];
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

/** A text or a document as the page would show it. */
export const rendered = (spaceId: string, number: number, pageId: string, body: Schemas["RenderMarkdown"], signal?: AbortSignal) =>
  must(
    api.POST(`${ONE}/content/page/{pageId}/html`, {
      params: { path: { spaceId, changeRequestId: String(number), pageId } },
      body,
      signal,
    }),
  );

/** What a change request has besides pages and files: reusable contents, and the names of variables. */
export const known = (spaceId: string, number: number) =>
  queryOptions({
    queryKey: ["known", spaceId, number],
    queryFn: async () => {
      const all = await must(api.GET(`${ONE}/content`, { params: { path: { spaceId, changeRequestId: String(number) } } }));
      return { reusable: all.reusableContents.map(({ id, title }) => ({ id, title })), variables: Object.keys(all.variables) };
    },
    staleTime: 60_000,
  });

/** Send a file, and put it among the files of the change request; its id. `progress` hears how much of it is there. */
export async function upload(organizationId: string, spaceId: string, number: number, file: File, progress: (part: number) => void): Promise<string> {
  const name = file.name || "image.png";
  const key = await send(organizationId, new File([file], name, { type: file.type }), "organization_file", progress);
  const done = await must(
    api.POST(`${ONE}/content`, {
      params: { path: { spaceId, changeRequestId: String(number) }, query: { compat: false } },
      body: { changes: [{ operation: "insert_files", files: [{ name, key, ...(file.type ? { contentType: file.type } : {}) }] }] },
    }),
  );
  const made = "insertedFiles" in done ? done.insertedFiles[0] : undefined;
  if (!made) throw new Error("The server did not say where it put the file.");
  return made.id;
}
