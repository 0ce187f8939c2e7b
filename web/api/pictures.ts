/** Pictures of looks: files of somebody's machine become addresses that looks name. */
import { api, must } from "./client";
import { upload } from "./files";

/** Address -> the same picture on this machine: readers are given it only when a look that is saved names it. */
const here = new Map<string, string>();

export async function addPicture(organizationId: string, siteId: string, file: File): Promise<string> {
  const storageKey = await upload(organizationId, file, "organization_file", () => undefined);
  const made = await must(api.POST("/v1/orgs/{organizationId}/sites/{siteId}/pictures", { params: { path: { organizationId, siteId } }, body: { storageKey } }));
  here.set(made.url, URL.createObjectURL(file));
  return made.url;
}

/** Where a picture can be seen already. */
export const seenAt = (url: string) => here.get(url) ?? url;
