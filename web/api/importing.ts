/** Bringing in what there is elsewhere: what it is, where it goes, what came of it. */
import { queryOptions } from "@tanstack/react-query";
import { api, must, type Schemas } from "./client";
import { upload } from "./files";

export type Kind = Schemas["ContentImport"]["source"] | "repository";
export type From = { file: File; kind: Kind } | { git: string; branch: string } | { url: string; kind: Kind };

/** Endings of files, and what they may be to an import, the likeliest first. */
const ENDINGS: Record<string, Kind[]> = {
  zip: ["repository", "zip", "notion", "confluence"],
  docx: ["docx"],
  html: ["html"],
  htm: ["html"],
  md: ["markdown"],
  markdown: ["markdown"],
};
export const kindsOf = (file: File): Kind[] => ENDINGS[file.name.split(".").at(-1)?.toLowerCase() ?? ""] ?? [];

/** What was begun: a run that is looked at, or an import from Git, which its space tells of. */
export type Begun = { space: string; run?: string };

/** Into a new space, which goes again where nothing can begin. `step` hears how far it is. */
export async function bring(organizationId: string, title: string, parent: string | undefined, from: From, step: (words: string) => void): Promise<Begun> {
  const key = "file" in from ? await upload(organizationId, from.file, "import_file", (share) => step(`Sending: ${Math.round(share * 100)} %`)) : undefined;
  step("Making the space");
  const space = await must(api.POST("/v1/orgs/{organizationId}/spaces", { params: { path: { organizationId } }, body: { title, parent, empty: true } }));
  try {
    return await into(organizationId, space.id, from, key);
  } catch (error) {
    await undo(space.id);
    throw error;
  }
}

/** The space goes to the trash, from which it can be taken back. */
export const undo = (spaceId: string) => must(api.DELETE("/v1/spaces/{spaceId}", { params: { path: { spaceId } } }));

async function into(organizationId: string, space: string, from: From, key: string | undefined): Promise<Begun> {
  if ("git" in from) {
    await must(api.POST("/v1/spaces/{spaceId}/git/import", { params: { path: { spaceId: space } }, body: { url: from.git, ref: `refs/heads/${from.branch}`, force: false, standalone: false } }));
    return { space };
  }
  const source: Schemas["StartImportRun"]["source"] =
    "url" in from ? { type: "website", url: from.url, format: from.kind as AddressFormat } : { type: "file", files: [key!], format: from.kind as FileFormat };
  const run = await must(api.POST(RUNS, { params: { path: { organizationId } }, body: { source, target: { space }, enhance: false } }));
  return { space, run: run.id };
}

type AddressFormat = NonNullable<Schemas["WebsiteSource"]["format"]>;
type FileFormat = NonNullable<Schemas["FileSource"]["format"]>;
export type Run = Schemas["ImportRun"];
const RUNS = "/v1/orgs/{organizationId}/imports";
const SOON = 1000;
const LATELY = 5;
export const goesOn = (one: Run): boolean => one.status === "pending" || one.status === "in-progress";

export const importRun = (organizationId: string, importRunId: string) =>
  queryOptions({
    queryKey: ["imports", organizationId, importRunId],
    queryFn: ({ signal }) => must(api.GET(`${RUNS}/{importRunId}`, { params: { path: { organizationId, importRunId } }, signal })),
    refetchInterval: (query) => (query.state.data && !goesOn(query.state.data) ? false : SOON),
  });
/** The last ones. */
export const importRuns = (organizationId: string) =>
  queryOptions({
    queryKey: ["imports", organizationId],
    queryFn: () => must(api.GET(RUNS, { params: { path: { organizationId }, query: { limit: LATELY } } })),
    refetchInterval: (query) => (query.state.data?.items.some(goesOn) ? SOON : false),
  });
export const stop = (organizationId: string, importRunId: string) => must(api.POST(`${RUNS}/{importRunId}/cancel`, { params: { path: { organizationId, importRunId } } }));
