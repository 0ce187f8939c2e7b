/** Files of a space: their list, sending one with its progress, putting another in its place, taking it away. */
import { queryOptions } from "@tanstack/react-query";
import type { At } from "./addresses";
import { all, api, must, Refusal, type Schemas } from "./client";
import { wrongs } from "./refused";

export type File_ = Schemas["File"];

const WHOLE = 1000;

export const files = (at: At) =>
  queryOptions({
    queryKey: ["files", at.space, at.request ?? null],
    queryFn: () =>
      all((page) =>
        must(
          at.request === undefined
            ? api.GET("/v1/spaces/{spaceId}/content/files", { params: { path: { spaceId: at.space }, query: { page, limit: WHOLE } } })
            : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files", {
                params: { path: { spaceId: at.space, changeRequestId: String(at.request) }, query: { page, limit: WHOLE } },
              }),
        ),
      ),
  });

/** Where a file is shown or linked. */
export const shownBy = (at: At, fileId: string) =>
  queryOptions({
    queryKey: ["links", at.space, at.request ?? null, "file", fileId],
    queryFn: () =>
      must(
        at.request === undefined
          ? api.GET("/v1/spaces/{spaceId}/content/files/{fileId}/backlinks", { params: { path: { spaceId: at.space, fileId }, query: { limit: 50 } } })
          : api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks", {
              params: { path: { spaceId: at.space, changeRequestId: String(at.request), fileId }, query: { limit: 50 } },
            }),
      ),
  });

/** Send the bytes of a file; the key under which changes and imports name them. `sent` hears the share that is there, 0 to 1. */
export async function upload(organizationId: string, file: File, kind: Schemas["RequestUpload"]["kind"], sent: (share: number) => void): Promise<string> {
  const type = file.type || "application/octet-stream";
  const { url, key } = await must(
    api.POST("/v1/orgs/{organizationId}/storage/upload", {
      params: { path: { organizationId } },
      body: { file: { name: file.name, type, size: file.size }, kind },
    }),
  ).catch((error: unknown) => {
    const words = wrongs(error, ["file"]).at("file");
    throw words && error instanceof Refusal ? new Refusal(error.status, words) : error;
  });
  await put(new URL(url, location.origin), file, type, sent);
  return key;
}

/** `fetch` does not say how far it is, so this is the older way. */
function put(to: URL, file: File, type: string, sent: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = new XMLHttpRequest();
    // The address may name the host by another of its names; the page asks the one that it came from.
    asked.open("PUT", to.pathname + to.search);
    asked.setRequestHeader("content-type", type);
    asked.upload.onprogress = (event) => event.lengthComputable && sent(event.loaded / event.total);
    asked.onload = () => (asked.status < 300 ? resolve() : reject(new Refusal(asked.status, said(asked))));
    asked.onerror = () => reject(new TypeError("the connection was lost"));
    asked.send(file);
  });
}

function said(asked: XMLHttpRequest): string {
  try {
    return (JSON.parse(asked.responseText) as { error: { message: string } }).error.message;
  } catch {
    return `The file was not taken (${asked.status}).`;
  }
}
