/** Writing a page of a change request: its source, its saving, its preview. */
import { api, must, type Schemas } from "./client";

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
  if (!("changes" in done) || !done.changeRequest) throw new Error("The server did not say what it saved.");
  return { revision: done.changeRequest.revision, conflict: (done.conflicts?.length ?? 0) > 0 };
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
    ...(now.title.trim() && now.title !== began.title ? { title: now.title.trim() } : {}),
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

/** The revision that a change request has now. */
export async function head(spaceId: string, number: number): Promise<string> {
  return (await must(api.GET(ONE, { params: { path: { spaceId, changeRequestId: String(number) } } }))).revision;
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

/** Send a file, and put it among the files of the change request; its id. `progress` hears how much of it is there. */
export async function upload(organizationId: string, spaceId: string, number: number, file: File, progress: (part: number) => void): Promise<string> {
  const name = file.name || "image.png";
  const place = await must(
    api.POST("/v1/orgs/{organizationId}/storage/upload", { params: { path: { organizationId } }, body: { kind: "organization_file", file: { name, size: file.size, type: file.type || "application/octet-stream" } } }),
  );
  // The address names the installation as it is configured; the page may only speak to where it came from.
  await put(new URL(place.url).pathname, file, progress);
  const done = await must(
    api.POST(`${ONE}/content`, {
      params: { path: { spaceId, changeRequestId: String(number) }, query: { compat: false } },
      body: { changes: [{ operation: "insert_files", files: [{ name, key: place.key, ...(file.type ? { contentType: file.type } : {}) }] }] },
    }),
  );
  const made = "insertedFiles" in done ? done.insertedFiles[0] : undefined;
  if (!made) throw new Error("The server did not say where it put the file.");
  return made.id;
}

/** By the only way that tells how much was sent. */
function put(address: string, file: File, progress: (part: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", address);
    if (file.type) request.setRequestHeader("content-type", file.type);
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => (request.status < 300 ? resolve() : reject(new Error(`The file was not taken (${request.status}).`)));
    request.onerror = () => reject(new TypeError("The server cannot be reached."));
    request.send(file);
  });
}
